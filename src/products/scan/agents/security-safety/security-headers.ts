import {
  type Evidence,
  fail,
  notApplicable,
  type Outcome,
  pass,
  unmeasured,
  warn,
} from '../../findings/check.ts'
import { homeAnswer, isRefusal, nonHtmlKind, readDocument } from '../../findings/document.ts'
import { counted, portion } from '../../findings/share.ts'
import { shown } from '../../site/addresses.ts'
import { repliesFor, type SiteReply } from '../../site/capture.ts'
import { headerOf } from '../../site/files/headers.ts'
import type { Site } from '../../site/site.ts'

/**
 * Judges whether http:// redirects to https:// permanently. This file has the checks of response headers
 * that protect visitors. Each reads a header as browsers do.
 */
export function judgeHttpsRedirect({ capture, origin }: Site): Outcome {
  const exchange = capture.exchanges.find(({ purpose }) => purpose === 'http')
  if (!exchange) return unmeasured('The page was not asked for over http://.')
  const document = readDocument(exchange)
  if (exchange.outcome !== 'replied' || isRefusal(exchange.status)) {
    return unmeasured(
      `The request over http:// ${document.state === 'unseen' ? document.why : 'was refused'}.`,
    )
  }
  const { url, status } = exchange
  const location = headerOf(exchange, 'location')
  const target = location === '' ? null : URL.parse(location, url)
  const evidence = {
    url,
    value: `status ${status}${location === '' ? '' : `, Location: ${shown(location)}`}`,
  }
  const isRedirect = [301, 302, 303, 307, 308].includes(status) && target?.protocol === 'https:'
  const secure = url.replace(/^http:/, 'https:')
  if (isRedirect && (status === 301 || status === 308)) {
    return pass('http:// leads to https:// by a permanent redirect.', evidence)
  }
  if (isRedirect) {
    return warn(
      `http:// leads to https:// by a temporary redirect (${status}), so clients ask over http:// again each time, where the answer can be altered.`,
      `Answer ${url} with 301 or 308 and Location: ${secure}.`,
      evidence,
    )
  }
  const isMoved = target?.protocol === 'http:' && status > 300 && status < 400
  return fail(
    `${url} answers ${status} and ${isMoved ? 'leads to another http:// address first' : 'does not lead to https://'}, so what it sends can be read and altered on the way.`,
    `${origin.startsWith('http:') ? 'Serve the site over https://, then answer' : 'Answer'} ${url} with 301 or 308 and Location: ${secure}.`,
    evidence,
  )
}

const halfYearSeconds = 180 * 24 * 60 * 60

/** Endings whose owners put them whole on the list of HTTPS-only names that browsers come with (https://hstspreload.org). */
const preloaded =
  /\.(?:app|dev|page|new|day|foo|rsvp|zip|mov|meme|phd|prof|esq|dad|ing|bank|insurance|boo|nexus|channel)$/

export function judgeHsts({ capture }: Site): Outcome {
  return onHome(capture, (home) => {
    const url = home.finalUrl
    const advice = `Send "Strict-Transport-Security: max-age=31536000" with every answer of ${new URL(url).origin}.`
    if (!url.startsWith('https:')) {
      return notApplicable('The page was read over http://, where browsers ignore Strict-Transport-Security.')
    }
    // Browsers use only the first of several headers.
    const header = home.headers['strict-transport-security']?.[0] ?? ''
    const age = /(?:^|;)\s{0,9}max-age\s{0,9}=\s{0,9}"?(\d{1,15})"?\s{0,9}(?:;|$)/i.exec(header)?.[1]
    const evidence = { url, value: header === '' ? 'no Strict-Transport-Security' : shown(header) }
    const [ending] = preloaded.exec(new URL(url).hostname) ?? []
    if (ending !== undefined)
      return pass(`Browsers open all addresses that end in ${ending} over https:// alone.`, {
        url,
        value: `${ending} is on the list that browsers come with`,
      })
    if (age === undefined || Number(age) === 0) {
      return fail(
        'Browsers are not told to stay on https://, so a visit that begins at http:// can be kept there.',
        advice,
        evidence,
      )
    }
    const days = Math.floor(Number(age) / 86_400)
    if (Number(age) >= halfYearSeconds)
      return pass(`Browsers stay on https:// for ${counted(days, 'day')}.`, evidence)
    return warn(
      `Browsers stay on https:// for ${counted(days, 'day')} only, fewer than 180; whoever comes back later can begin at http:// again.`,
      advice,
      evidence,
    )
  })
}

/**
 * Judges the Content-Security-Policy. A policy in the markup counts for scripts, but only a header can say
 * who may frame the page.
 */
export function judgeCsp({ capture, home: page }: Site): Outcome {
  return onHome(capture, (home) => {
    const url = home.finalUrl
    const kind = nonHtmlKind(capture)
    if (kind !== undefined)
      return notApplicable(`${url} answers with ${kind}, and such a policy guards pages of HTML.`)
    const header = headerOf(home, 'content-security-policy')
    const inMarkup =
      page
        ?.$('meta[http-equiv][content]')
        .toArray()
        .slice(0, 200)
        .filter(({ attribs }) => attribs['http-equiv']?.trim().toLowerCase() === 'content-security-policy')
        .map(({ attribs }) => attribs.content ?? '')
        .join(', ') ?? ''
    const hasPolicy =
      directives(header, ['default-src', 'script-src', 'frame-ancestors']) ||
      directives(inMarkup, ['default-src', 'script-src'])
    const frames = headerOf(home, 'x-frame-options')
    const evidence = [
      ...(header === '' ? [] : [{ url, value: `Content-Security-Policy: ${shown(header)}` }]),
      ...(inMarkup === '' ? [] : [{ url, value: `meta Content-Security-Policy: ${shown(inMarkup)}` }]),
      ...(frames === '' ? [] : [{ url, value: `X-Frame-Options: ${shown(frames)}` }]),
    ]
    if (hasPolicy)
      return pass('A Content-Security-Policy limits what may run in the page or frame it.', ...evidence)
    const fix = `Send "Content-Security-Policy: frame-ancestors 'self'" with ${url}, and add script-src step by step.`
    if (evidence.length > 0) {
      return warn(
        'The page has a policy, but none that names its scripts or says in a Content-Security-Policy who may frame it.',
        fix,
        ...evidence,
      )
    }
    return fail(
      'No Content-Security-Policy says who may frame the page or which scripts may run. Any site can show it in a frame, and nothing stops a script that gets into it.',
      fix,
      { url, value: 'no Content-Security-Policy' },
    )
  })
}

function directives(policy: string, names: readonly string[]): boolean {
  return policy
    .toLowerCase()
    .split(/[;,]/)
    .some((directive) => names.includes(directive.trim().split(/\s/, 1).join('')))
}

/**
 * Judges the attributes of cookies. The evidence quotes names only, because a value may be a visitor's
 * session.
 */
export function judgeCookies({ capture, pages }: Site): Outcome {
  const home = homeAnswer(capture)
  const answers = new Set([...(home ? [home] : []), ...pages.map(({ reply }) => reply)])
  if (answers.size === 0) return unmeasured('No page gave an answer.')
  const cookies = new Map<string, { url: string; missing: string[] }>()
  for (const answer of answers) {
    for (const line of (answer.headers['set-cookie'] ?? []).slice(0, 100)) {
      const name = line.split(/[=;]/, 1).join('').trim()
      const missing = missingOf(line, answer.finalUrl.startsWith('https:'))
      const former = cookies.get(name)
      if (!former || missing.length > former.missing.length)
        cookies.set(name, { url: answer.finalUrl, missing })
    }
  }
  if (cookies.size === 0) return notApplicable('The server sets no cookies with its pages.')
  const all = [...cookies].map(([name, { url, missing }]) => ({ name, url, missing }))
  const bad = all.filter(({ missing }) => missing.length > 0)
  const evidence = [...bad, ...all.filter(({ missing }) => missing.length === 0)]
    .slice(0, 5)
    .map(({ name, url, missing }): Evidence => {
      return {
        url,
        value: `${shown(name, 60) || 'a cookie without a name'}: ${missing.length === 0 ? 'nothing missing' : `no ${missing.join(', no ')}`}`,
      }
    })
  const [first] = bad
  if (!first)
    return pass(`${counted(all.length, 'cookie')} set, and none lacks Secure or SameSite.`, ...evidence)
  return fail(
    `${portion(bad.length, all.length, 'cookie', 'lacks', 'lack')} Secure or SameSite, so browsers may send ${bad.length === 1 ? 'it' : 'them'} over http:// or with requests that other sites make.`,
    `Set the cookie ${shown(first.name, 60) || 'without a name'} with "${first.missing.map((one) => (one === 'SameSite' ? 'SameSite=Lax' : one)).join('; ')}".`,
    ...evidence,
  )
}

/** Secure is not expected over http://, where browsers reject such cookies. */
function missingOf(line: string, isSecure: boolean): string[] {
  const attributes = line
    .slice(0, 8_192)
    .split(';')
    .slice(1)
    .map((attribute) => attribute.trim().toLowerCase())
  return [
    ...(attributes.includes('secure') || !isSecure ? [] : ['Secure']),
    ...(attributes.some((one) => /^samesite\s{0,9}=\s{0,9}(?:strict|lax|none)$/.test(one))
      ? []
      : ['SameSite']),
  ]
}

const policies = [
  'no-referrer',
  'no-referrer-when-downgrade',
  'origin',
  'origin-when-cross-origin',
  'same-origin',
  'strict-origin',
  'strict-origin-when-cross-origin',
]

export function judgeHeaders({ capture, home: page }: Site): Outcome {
  return onHome(capture, (home) => {
    const url = home.finalUrl
    const sniffing = headerOf(home, 'x-content-type-options')
    const inMarkup = page?.$('meta[name="referrer" i]').attr('content') ?? ''
    const referrer = headerOf(home, 'referrer-policy') || inMarkup
    // Of a list, browsers use the last policy they know.
    const isReferrerSafe = policies.includes(referrer.toLowerCase().split(',').at(-1)?.trim() ?? '')
    const isTypeSafe = /^\s*nosniff\s*(?:,|$)/i.test(sniffing)
    const missing = [
      ...(isTypeSafe ? [] : ['X-Content-Type-Options: nosniff']),
      ...(isReferrerSafe ? [] : ['Referrer-Policy: strict-origin-when-cross-origin']),
    ]
    const evidence = [
      { url, value: `X-Content-Type-Options: ${shown(sniffing) || 'missing'}` },
      { url, value: `Referrer-Policy: ${shown(referrer) || 'missing'}` },
    ]
    if (missing.length === 0) return pass('Types are not guessed and referrers are limited.', ...evidence)
    return (missing.length === 1 ? warn : fail)(
      `${portion(missing.length, 2, 'basic header', 'is', 'are')} missing or without effect; where no header decides, each client decides how types are guessed and addresses passed on.`,
      `Send "${missing.join('" and "')}" with every answer of ${new URL(url).origin}.`,
      ...evidence,
    )
  })
}

/**
 * Runs a check on the reply for the page. The headers of a refusal or a server error often come from a proxy
 * instead of the site, so they are not judged.
 */
function onHome(capture: Site['capture'], run: (home: SiteReply) => Outcome): Outcome {
  const home = repliesFor(capture, 'home')[0]
  if (!home) return unmeasured('The page gave no answer.')
  return isRefusal(home.status) ? unmeasured(`The page answered ${home.status}.`) : run(home)
}
