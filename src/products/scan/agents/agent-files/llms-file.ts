import { fail, notApplicable, type Outcome, pass, unmeasured, warn } from '../../findings/check.ts'
import { type Document, documentsOf } from '../../findings/document.ts'
import { counted, listed } from '../../findings/share.ts'
import { pathOf, shown } from '../../site/addresses.ts'
import type { Exchange } from '../../site/capture.ts'
import { mediaTypeOf } from '../../site/files/headers.ts'
import { readLinkHeader } from '../../site/files/link-header.ts'
import { markdownLinks } from '../../site/files/markdown-links.ts'
import type { Site } from '../../site/site.ts'
import { judgeFollowed } from './followed-links.ts'
import { withText } from './guide-text.ts'

/**
 * The checks of llms.txt and llms-full.txt. A missing guide is not a fault. A guide that is a web page, has
 * dead links or is cut off costs an agent more than none.
 */
export function judgePresent({ capture }: Site): Outcome {
  const document = documentsOf(capture, 'llms')[0]
  if (!document) return unmeasured('llms.txt was not asked for.')
  const { url } = document
  if (document.state === 'absent')
    return notApplicable(`There is no llms.txt: ${url} answers ${document.status}.`)
  if (document.state === 'unseen') return judgeUnseen(document, capture.exchanges)
  const type = mediaTypeOf(document.answer)
  const evidence = { url, value: `status 200, ${shown(type, 60) || 'no type'}` }
  const advice = `Serve ${url} as text/plain or text/markdown, or answer 404 when there is no such file.`
  if (document.state === 'page')
    return notApplicable(`There is no llms.txt: ${url} answers with a web page, as other addresses do.`)
  if (!type.startsWith('text/')) {
    return fail(
      `llms.txt is sent as ${shown(type, 60) || 'no type'}, and not as text, so clients may not read it.`,
      advice,
      evidence,
    )
  }
  return pass('There is an llms.txt, and it is sent as text.', evidence)
}

/** A server error in place of the guide is a fault of the site, as in Lighthouse; a refusal is not. */
function judgeUnseen(document: Document & { state: 'unseen' }, exchanges: readonly Exchange[]): Outcome {
  const exchange = exchanges.find(({ purpose }) => purpose === 'llms')
  if (exchange?.outcome !== 'replied' || exchange.status < 500) return unmeasured(`llms.txt ${document.why}.`)
  return fail(
    `llms.txt answers ${exchange.status}, so agents cannot tell whether there is a guide.`,
    `Let ${document.url} answer 200 with the file, or 404 when there is none.`,
    { url: document.url, value: `status ${exchange.status}` },
  )
}

export function judgeStructure(site: Site): Outcome {
  return withText(site, ({ url, text }) => {
    const structure = readStructure(text)
    const missing = [
      ...(structure.heading === undefined ? ['a first line "# Name"'] : []),
      ...(structure.sections === 0 ? ['a section "## …" with a list of "- [name](url)"'] : []),
      ...(structure.hasSummary ? [] : ['a summary "> …"']),
    ]
    const evidence = [
      { url, value: `first line: ${shown(structure.firstLine) || 'empty'}` },
      {
        url,
        value: `${counted(structure.sections, 'section')} with links, ${structure.hasSummary ? 'a' : 'no'} summary`,
      },
    ]
    if (missing.length === 0)
      return pass('llms.txt has a title, a summary and sections of links.', ...evidence)
    // The format requires only the title. Tools show the summary first, so a file without it gets a
    // warning.
    const isMinor = missing.length === 1 && !structure.hasSummary
    return (isMinor ? warn : fail)(
      `llms.txt lacks ${listed(missing)}, by which tools tell what it is about and where it leads.`,
      `Add ${missing[0]} to ${url}.`,
      ...evidence,
    )
  })
}

interface Structure {
  readonly firstLine: string
  /** The text of the first line when that is a first-level heading. */
  readonly heading: string | undefined
  readonly hasSummary: boolean
  /** Number of second-level sections that list at least one link. */
  readonly sections: number
}

function readStructure(text: string): Structure {
  const lines = text
    .replace(/^\uFEFF/, '')
    .slice(0, 500_000)
    .split(/\r?\n/)
    .map((line) => line.slice(0, 2_000))
  const firstLine = lines.find((line) => line.trim() !== '') ?? ''
  let hasSummary = false
  let sections = 0
  let isOpen = false
  let isCode = false
  for (const line of lines) {
    if (/^ {0,3}(?:```|~~~)/.test(line)) isCode = !isCode
    if (isCode) continue
    if (/^#{1,2}\s/.test(line)) isOpen = line.startsWith('##')
    if (/^>\s?\S/.test(line)) hasSummary = true
    if (isOpen && listedLink.test(line)) {
      sections += 1
      isOpen = false
    }
  }
  return { firstLine, heading: /^#\s+(\S.*)$/.exec(firstLine)?.[1], hasSummary, sections }
}

const listedLink = /^\s{0,8}[-*+]\s{1,8}\[[^\]]+\]\([^)\s]+/

export function judgeLinks(site: Site): Outcome {
  return withText(site, ({ url, text }) => {
    const exchanges = site.capture.exchanges.filter(({ purpose }) => purpose === 'llms-link')
    if (exchanges.length > 0) return judgeFollowed(exchanges, { name: 'llms.txt', url })
    return markdownLinks(text, url).length > 0
      ? unmeasured('The links of llms.txt were not followed.')
      : notApplicable('llms.txt has no links of the form [name](address).')
  })
}

export function judgeSize(site: Site): Outcome {
  return withText(site, ({ url, text, isCut }) => {
    const { length } = text
    if (isCut && length <= 100_000) return unmeasured('llms.txt was not read to its end.')
    const evidence = { url, value: `${isCut ? 'more than ' : ''}${counted(length, 'character')}` }
    if (length <= 50_000) return pass(`llms.txt has ${counted(length, 'character')}.`, evidence)
    return (length <= 100_000 ? warn : fail)(
      `llms.txt has ${counted(length, 'character')}; beyond 50000 many readers cut it off.`,
      `Move parts of ${url} into files of their own, such as /docs/llms.txt, and link them.`,
      evidence,
    )
  })
}

export function judgeAdvertised(site: Site): Outcome {
  return withText(site, ({ url }) => {
    const { home } = site
    if (!home) return unmeasured('The page did not answer 200 with HTML, so its links are not known.')
    const isGuide = (target: string) => pathOf(target).endsWith('/llms.txt')
    const inHeader = readLinkHeader(home.reply.headers.link ?? [], home.url).find((link) => isGuide(link.url))
    if (inHeader)
      return pass('A Link header names llms.txt.', {
        url: home.url,
        value: `Link: <${shown(inHeader.url)}>; rel=${shown(inHeader.rels.join(' '), 60)}`,
      })
    const inHead = home
      .$('link[rel][href]')
      .toArray()
      .slice(0, 500)
      .find(({ attribs: { href = '' } }) => {
        const target = URL.parse(href, home.url)
        return target !== null && isGuide(target.href)
      })
    if (inHead)
      return pass('The page names llms.txt.', {
        url: home.url,
        value: `<link rel="${shown(inHead.attribs.rel ?? '', 60)}" href="${shown(inHead.attribs.href ?? '')}">`,
      })
    const linked = home.links.find((link) => isGuide(link.url))
    if (linked)
      return pass('The page links llms.txt.', { url: home.url, value: `link to ${shown(linked.url)}` })
    return fail(
      'Nothing in the page or its headers names llms.txt, so agents have to guess that it exists.',
      `Add <link rel="describedby" href="${pathOf(url)}"> to the head of ${home.url}, or send a Link header that says so.`,
      { url: home.url, value: 'no link that leads to llms.txt' },
    )
  })
}

export function judgeFull(site: Site): Outcome {
  return withText(site, () => {
    const document = documentsOf(site.capture, 'llms-full')[0]
    if (!document) return unmeasured('llms-full.txt was not asked for.')
    const { url, state } = document
    if (state === 'unseen') return unmeasured(`llms-full.txt ${document.why}.`)
    const type = state === 'absent' ? '' : mediaTypeOf(document.answer)
    const value =
      state === 'absent' ? `status ${document.status}` : `status 200, ${shown(type, 60) || 'no type'}`
    if (state === 'present' && type.startsWith('text/')) {
      return pass('llms-full.txt gives the whole text in one request.', { url, value })
    }
    return fail(
      'There is an llms.txt and no llms-full.txt that is text, so agents that want all of it need one request for each page.',
      `Put the text of the pages that llms.txt names into ${url}, as text/plain or text/markdown.`,
      { url, value },
    )
  })
}
