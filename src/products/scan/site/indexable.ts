import type { CheerioAPI } from 'cheerio'
import type { SiteReply } from './capture.ts'
import { searchBots } from './files/robots.ts'

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
  const inHeaders = (reply.headers['x-robots-tag'] ?? []).flatMap(bansOfHeader)
  return [...inHeaders, ...($ === undefined ? [] : bansOfMarkup($))]
}

/** Directives with a colon of their own, before which no crawler's name stands. */
const valued = new Set(['unavailable_after', 'max-snippet', 'max-image-preview', 'max-video-preview'])

/** A crawler's name and a colon apply to all that follows, also where a proxy has joined two lines to one. */
function bansOfHeader(line: string): IndexBan[] {
  const bans: IndexBan[] = []
  let addressee = 'robots'
  for (const part of line.split(',')) {
    const colon = part.indexOf(':')
    const name = part.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    const isNamed = colon > 0 && !valued.has(name)
    if (isNamed) addressee = name
    const directive = isNamed ? part.slice(colon + 1) : part
    if (isBan(directive)) bans.push(...banFor(addressee, `X-Robots-Tag: ${line}`))
  }
  return bans
}

function bansOfMarkup($: CheerioAPI): IndexBan[] {
  return $('meta[name][content]')
    .toArray()
    .flatMap((meta) => {
      const name = $(meta).attr('name')?.trim().toLowerCase() ?? ''
      const content = $(meta).attr('content') ?? ''
      return content.split(/[\s,]+/).some(isBan)
        ? banFor(name, `<meta name="${name}" content="${content}">`)
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
