import type { CheerioAPI } from 'cheerio'
import { absolute, addressKey } from './addresses.ts'
import type { SiteReply } from './capture.ts'
import { productToken, searchBots } from './files/robots.ts'
import type { Page, Site } from './site.ts'

export interface IndexBan {
  /** One of the search bots; undefined: all crawlers. */
  readonly crawler: string | undefined
  /** The text of the ban: `X-Robots-Tag: noindex`. */
  readonly value: string
}

/**
 * Finds where a reply asks not to be indexed, and which crawlers it asks. A page can say so in its markup and
 * in a header, to all crawlers or to one by name. A check that read only one of these would call a page
 * indexable that no search engine shows.
 * @param $ the page's markup; undefined when the reply is not HTML.
 */
export function indexBansOf(reply: SiteReply, $: CheerioAPI | undefined): IndexBan[] {
  return namedBansOf(reply, $).flatMap(({ addressee, value }) => banFor(addressee, value))
}

/** Whether a page asks all crawlers not to index it. */
export function isUnindexed({ reply, $ }: Pick<Page, 'reply' | '$'>): boolean {
  return indexBansOf(reply, $).some(({ crawler }) => crawler === undefined)
}

/**
 * The pages that engines show. Where the home page asks not to be indexed as well, the owner is told to take that off, and
 * all pages count: else they are pages that the owner wants to keep out of search, such as those after a form. A page at two
 * addresses counts once, at the one that it names as its own.
 */
export function indexedPages({ home, pages }: Pick<Site, 'home' | 'pages'>): readonly Page[] {
  const single = known.get(pages) ?? pages.filter((page) => !isCopy(page, pages))
  known.set(pages, single)
  return home === undefined || isUnindexed(home) ? single : single.filter((page) => !isUnindexed(page))
}

/** A dozen checks ask, and each page is searched for its own address. */
const known = new WeakMap<readonly Page[], readonly Page[]>()

/** Whether a page names another one that was read as its own address, and both have the same text. */
function isCopy(page: Page, pages: readonly Page[]): boolean {
  const named = absolute(page.$('link[rel~=canonical i]').first().attr('href') ?? '', page.url)
  if (named === undefined || addressKey(named) === addressKey(page.url)) return false
  return pages.some(
    (other) =>
      other !== page && addressKey(other.url) === addressKey(named) && other.mainText === page.mainText,
  )
}

/** Whether the page asks all crawlers, or ours by its name, not to index it: then it is not listed either. */
export function refusesListing(reply: SiteReply, $: CheerioAPI | undefined): boolean {
  return namedBansOf(reply, $).some(({ addressee }) => addressee === 'robots' || addressee === productToken)
}

interface NamedBan {
  /** In lower case; `robots` stands for all crawlers. */
  readonly addressee: string
  readonly value: string
}

function namedBansOf(reply: SiteReply, $: CheerioAPI | undefined): NamedBan[] {
  const inHeaders = (reply.headers['x-robots-tag'] ?? []).flatMap(bansOfHeader)
  return [...inHeaders, ...($ === undefined ? [] : bansOfMarkup($))]
}

/** Directives with a colon of their own, before which no crawler's name stands. */
const valued = new Set(['unavailable_after', 'max-snippet', 'max-image-preview', 'max-video-preview'])

/** A crawler's name and a colon apply to all that follows, also where a proxy has joined two lines to one. */
function bansOfHeader(line: string): NamedBan[] {
  const bans: NamedBan[] = []
  let addressee = 'robots'
  for (const part of line.split(',')) {
    const colon = part.indexOf(':')
    const name = part.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    const isNamed = colon > 0 && !valued.has(name)
    if (isNamed) addressee = name
    const directive = isNamed ? part.slice(colon + 1) : part
    if (isBan(directive)) bans.push({ addressee, value: `X-Robots-Tag: ${line}` })
  }
  return bans
}

function bansOfMarkup($: CheerioAPI): NamedBan[] {
  return $('meta[name][content]')
    .toArray()
    .flatMap((meta) => {
      const name = $(meta).attr('name')?.trim().toLowerCase() ?? ''
      const content = $(meta).attr('content') ?? ''
      return content.split(/[\s,]+/).some(isBan)
        ? [{ addressee: name, value: `<meta name="${name}" content="${content}">` }]
        : []
    })
}

function isBan(directive: string): boolean {
  return ['noindex', 'none'].includes(directive.trim().toLowerCase())
}

/** A ban for another crawler, such as that of a news index, does not keep the page out of search. */
function banFor(addressee: string, value: string): IndexBan[] {
  if (addressee === 'robots') return [{ crawler: undefined, value }]
  const crawler = searchBots.find((bot) => bot.toLowerCase() === addressee)
  return crawler === undefined ? [] : [{ crawler, value }]
}
