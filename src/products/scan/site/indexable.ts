import type { CheerioAPI } from 'cheerio'
import type { Answered } from './capture.ts'
import { searchBots } from './files/robots.ts'

/**
 * Where an answer asks not to be indexed, and whom it asks. A page can say so in its markup and in a header,
 * to everyone or to one crawler by name; whoever reads only one of these calls a page indexable that no
 * engine will show.
 */
export interface IndexBan {
  /** One of the search bots by its name; undefined: everyone. */
  readonly crawler: string | undefined
  /** What stands there: `X-Robots-Tag: noindex`. */
  readonly value: string
}

export function indexBansOf(answer: Answered, $: CheerioAPI | undefined): IndexBan[] {
  const inHeaders = (answer.headers['x-robots-tag'] ?? []).flatMap(bansOfHeader)
  return [...inHeaders, ...($ === undefined ? [] : bansOfMarkup($))]
}

/** These directives have a colon too; what stands before theirs is no crawler's name. */
const valued = new Set(['unavailable_after', 'max-snippet', 'max-image-preview', 'max-video-preview'])

/** A name with a colon speaks for what follows it, also where a proxy has joined two lines to one. */
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

/** What is addressed to others, such as a news index, does not keep the page out of search. */
function banFor(addressee: string, value: string): IndexBan[] {
  if (addressee === 'robots') return [{ crawler: undefined, value }]
  const crawler = searchBots.find((bot) => bot.toLowerCase() === addressee)
  return crawler === undefined ? [] : [{ crawler, value }]
}
