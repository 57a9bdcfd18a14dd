import type { Evidence } from '../../findings/check.ts'
import { isWebPage, readDocument } from '../../findings/document.ts'
import { absolute, isGuideAddress, shown } from '../../site/addresses.ts'
import type { Capture, SiteReply } from '../../site/capture.ts'
import { mediaTypeOf } from '../../site/files/headers.ts'
import { readLinkHeader } from '../../site/files/link-header.ts'
import type { Page, Site } from '../../site/site.ts'

/**
 * A Markdown copy of a page. It may stand at `about.md`, `about.html.md` or `about/index.html.md`. Judged
 * one by one, these addresses would count two missing copies for a page that has a good one.
 */
export interface Twin {
  /** The `pageKey` of the page that it copies. */
  readonly key: string
  readonly url: string
  /** `wrong`: a file that is not sent as text/markdown. `page`: a web page. */
  readonly state: 'good' | 'wrong' | 'page' | 'absent' | 'unseen'
  /** What the server sent, as evidence. */
  readonly value: string
  /** Set when the copy is good. */
  readonly markdown?: Markdown
}

export interface Markdown {
  readonly text: string
  readonly isCut: boolean
}

/** Returns one copy for each page, at its best address. */
export function twinsOf(capture: Capture): Twin[] {
  const best = new Map<string, Twin>()
  for (const exchange of capture.exchanges) {
    if (exchange.purpose !== 'markdown-twin' || isGuideAddress(exchange.url)) continue
    const twin = readTwin(exchange)
    const other = best.get(twin.key)
    if (!other || ranks[twin.state] > ranks[other.state]) best.set(twin.key, twin)
  }
  return [...best.values()]
}

/** `unseen` ranks above `absent`: the copy may stand at the address that was not seen. */
const ranks: Record<Twin['state'], number> = {
  good: 4,
  wrong: 3,
  unseen: 2,
  page: 1,
  absent: 0,
}

function readTwin(exchange: Capture['exchanges'][number]): Twin {
  const document = readDocument(exchange)
  const { url } = document
  const key = pageKey(url)
  if (document.state === 'unseen') return { key, url, state: 'unseen', value: document.why }
  if (document.state === 'absent') return { key, url, state: 'absent', value: `status ${document.status}` }
  const { answer } = document
  const value = `status 200, ${shown(mediaTypeOf(answer), 60) || 'no type'}`
  const markdown = markdownOf(answer)
  if (document.state === 'page') return { key, url, state: 'page', value: `${value}, a web page` }
  if (!markdown) return { key, url, state: 'wrong', value }
  return { key, url, state: 'good', value, markdown }
}

/** Returns the text of a reply that is Markdown and is sent as Markdown. */
export function markdownOf(answer: SiteReply): Markdown | undefined {
  if (answer.status !== 200 || mediaTypeOf(answer) !== 'text/markdown' || isWebPage(answer)) return undefined
  return { text: answer.body, isCut: answer.isCut }
}

/** The address that a page shares with its copies: without `.md`, `.html`, `index` and a trailing slash. */
export function pageKey(url: string): string {
  const { origin, pathname } = new URL(url)
  const path = pathname
    .replace(/\.md$/, '')
    .replace(/\.html?$/, '')
    .replace(/\/index$/, '/')
    .replace(/\/$/, '')
  return `${origin}${path}`
}

/** A page names a Markdown copy in a Link header or in its head. */
export interface Announcement {
  readonly page: Page
  /** Absolute address of the copy. */
  readonly target: string
  readonly place: Evidence
}

export function announcementOf({ pages }: Site): Announcement | undefined {
  for (const page of pages) {
    const links = readLinkHeader(page.reply.headers.link ?? [], page.url)
    const link = links.find(
      ({ url, rels, type }) =>
        rels.includes('alternate') && type.startsWith('text/markdown') && !isGuideAddress(url),
    )
    if (link) {
      const value = `Link: <${shown(link.url)}>; rel=alternate`
      return { page, target: link.url, place: { url: page.url, value } }
    }
    for (const element of page.$('link[rel][type][href]').toArray().slice(0, 500)) {
      const { rel = '', type = '', href = '' } = element.attribs
      if (!/(?:^|\s)alternate(?:\s|$)/i.test(rel) || !/^\s*text\/markdown/i.test(type)) continue
      const target = absolute(href, page.url)
      if (target === undefined || isGuideAddress(target)) continue
      const value = `<link rel="alternate" type="text/markdown" href="${shown(href)}">`
      return { page, target, place: { url: page.url, value } }
    }
  }
  return undefined
}
