import { type Evidence, fail, type Outcome, pass } from '../../findings/check.ts'
import { andTheRest, counted, maxPlaces } from '../../findings/share.ts'
import { isSameSite, shown } from '../../site/addresses.ts'
import type { SiteReply } from '../../site/capture.ts'
import { repliesFor } from '../../site/capture.ts'
import { programSourceIn } from '../../site/files/program-source.ts'
import type { Page, Site } from '../../site/site.ts'
import { type KeyKind, keyKinds } from './key-kinds.ts'

/**
 * Judges whether pages or scripts contain secret keys, or the source of a program with all that it keeps secret. The evidence
 * gives only the service and the length, because a report that repeats a key leaks it a second time.
 */
export function judgeLeakedKeys(pages: readonly Page[], site: Site): Outcome {
  const sources = publicSources(site)
  const keys = judgeKeys(pages, site)
  if (sources.length === 0) return keys
  const [first] = sources
  const languages = [...new Set(sources.map(({ language }) => language))].join(' or ')
  const isOne = sources.length === 1
  const found = `${counted(sources.length, 'page')} ${isOne ? 'is' : 'are'} sent with the source of a program in ${languages}. The program does not run there, and every password in it is public.`
  const fix = `Change each password and key in the source of ${shown(first?.url ?? '')} at once, because strangers may have it. Then take the program out of the page, or delete a page that nothing links.${andTheRest(sources.length - 1, 'page')} Delete its older versions, too, where they can be read.`
  const evidence = sources.slice(0, maxPlaces).map(({ url, language, hasPassword }) => ({
    url,
    value: `source of a program in ${language}${hasPassword ? ', with a password or key in it' : ''}`,
  }))
  return keys.result === 'fail'
    ? fail(`${found} ${keys.reason}`, `${fix} ${keys.fix}`, ...evidence, ...keys.evidence)
    : fail(found, fix, ...evidence)
}

/** Also of pages that a browser saves as a file, because they are of no type that it shows. */
function publicSources({ capture, origin }: Site) {
  const replies = new Map(
    [...repliesFor(capture, 'home'), ...repliesFor(capture, 'page')]
      .filter(({ status, finalUrl }) => status === 200 && isSameSite(finalUrl, origin))
      .map((reply) => [reply.finalUrl, reply]),
  )
  return [...replies].flatMap(([url, reply]) => {
    const source = programSourceIn(reply)
    return source === undefined ? [] : [{ url, ...source }]
  })
}

function judgeKeys(pages: readonly Page[], { capture }: Site): Outcome {
  const scripts = repliesFor(capture, 'script').filter(({ status }) => status === 200)
  const texts = [...pages.map(({ reply }) => reply), ...scripts]
  const leaks = new Map<string, Evidence>()
  for (const answer of texts) {
    for (const { secret, kind } of keysIn(answer)) {
      if (leaks.size === 50) break
      if (leaks.has(secret)) continue
      leaks.set(secret, {
        url: answer.finalUrl,
        value:
          kind.isPlain === true
            ? kind.service
            : `${kind.service} ${kind.start}… (${secret.length} characters)`,
      })
    }
  }
  const scope = `${counted(pages.length, 'page')}${scripts.length === 0 ? '' : ` and ${counted(scripts.length, 'script')}`}`
  const evidence = [...leaks.values()].slice(0, 5)
  const [first] = evidence
  if (!first) {
    return pass(`No secret key of a known kind was found in ${scope}.`, {
      url: pages[0]?.url ?? '',
      value: `${scope} searched for ${new Set(keyKinds.map(({ service }) => service)).size} kinds of keys`,
    })
  }
  return fail(
    `${counted(leaks.size, 'secret key')} ${leaks.size === 1 ? 'was' : 'were'} found in ${scope}. Whoever reads the source, as crawlers do, has ${leaks.size === 1 ? 'it' : 'them'} too.`,
    `Revoke the ${first.value.split(' (', 1).join('')} at its service first, then take it out of ${first.url} and keep it on the server.`,
    ...evidence,
  )
}

function* keysIn({ body }: SiteReply): Generator<{ secret: string; kind: KeyKind }> {
  for (const kind of keyKinds) {
    const { start, rest } = kind
    for (let at = body.indexOf(start); at >= 0; at = body.indexOf(start, at + start.length)) {
      if (/[0-9A-Za-z_]/.test(body[at - 1] ?? '')) continue
      rest.lastIndex = at + start.length
      const tail = rest.exec(body)?.[0]
      if (tail !== undefined && !isSample(tail)) yield { secret: start + tail, kind }
    }
  }
  yield* serviceTokensIn(body)
}

/** Documentation shows keys of this form that open nothing. */
function isSample(tail: string): boolean {
  return new Set(tail).size < 8 || /example|x{5}|\*{3}|your|dummy|placeholder|12345678|abcdefgh/i.test(tail)
}

const serviceToken: KeyKind = {
  service: 'Supabase service key',
  start: 'eyJ',
  rest: /[0-9A-Za-z_-]{10,200}\.(eyJ[0-9A-Za-z_-]{20,1000})\.[0-9A-Za-z_-]{20,400}/y,
}

/** The role inside a signed token decides whether it is secret. */
function* serviceTokensIn(body: string): Generator<{ secret: string; kind: KeyKind }> {
  const { start, rest } = serviceToken
  for (let at = body.indexOf(start); at >= 0; at = body.indexOf(start, at + start.length)) {
    if (/[0-9A-Za-z_.-]/.test(body[at - 1] ?? '')) continue
    rest.lastIndex = at + start.length
    const match = rest.exec(body)
    if (!match) continue
    const claims = Buffer.from(match[1] ?? '', 'base64url').toString('utf8')
    if (/"role"\s{0,3}:\s{0,3}"service_role"/.test(claims))
      yield { secret: start + match[0], kind: serviceToken }
  }
}
