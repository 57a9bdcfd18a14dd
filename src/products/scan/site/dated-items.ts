import { articlesOf } from './articles.ts'
import { type Answered, answered } from './capture.ts'
import { dayMs, readDate } from './dates.ts'
import { looksLikeHtml } from './files/headers.ts'
import { attributeOf, metaOf } from './html/elements.ts'
import { textOf } from './html/json-ld.ts'
import type { Site } from './site.ts'

/** Something with a date on it, and where the date stands. */
interface DatedItem {
  readonly url: string
  /** Unix milliseconds. */
  readonly date: number
  /** "lastmod in the sitemap", "datePublished". */
  readonly source: string
}

/**
 * Every dated thing that the site shows, without dates that lie ahead: an event next spring does not make a
 * page new. Dates that a sitemap gives to all its addresses alike are the time of its making and are left out.
 */
export function datedItems(site: Site): readonly DatedItem[] {
  const items = [...fromSitemap(site), ...fromPages(site), ...fromFeeds(site)]
  return items.filter(({ date }) => date <= site.now + dayMs)
}

/** The newest one, the first of equal ones. */
export function newestOf(items: readonly DatedItem[]): DatedItem | undefined {
  return items.reduce<DatedItem | undefined>(
    (best, item) => (best === undefined || item.date > best.date ? item : best),
    undefined,
  )
}

function fromSitemap(site: Site): DatedItem[] {
  const items = site.sitemap.urls.flatMap(({ loc, lastmod }) => {
    const date = lastmod === undefined ? undefined : readDate(lastmod)
    return date === undefined ? [] : [{ url: loc, date, source: 'lastmod in the sitemap' }]
  })
  const [first] = items
  const isUniform = items.length > 1 && items.every(({ date }) => date === first?.date)
  return isUniform ? [] : items
}

function fromPages(site: Site): DatedItem[] {
  const articles = articlesOf(site).flatMap(({ page, published, modified }) => [
    ...(published === undefined ? [] : [{ url: page.url, date: published, source: 'publication date' }]),
    ...(modified === undefined ? [] : [{ url: page.url, date: modified, source: 'date of change' }]),
  ])
  const others = site.pages.flatMap((page) => {
    const dates = [
      ...['article:published_time', 'article:modified_time', 'og:updated_time'].map((name) =>
        metaOf(page, name),
      ),
      ...page.jsonLd.nodes.flatMap(({ properties }) => [
        textOf(properties.datePublished),
        textOf(properties.dateModified),
      ]),
      ...page.elements
        .filter(({ name, isHidden }) => name === 'time' && !isHidden)
        .map(({ node }) => attributeOf(node, 'datetime')),
    ]
    return dates.slice(0, 500).flatMap((text) => {
      const date = readDate(text)
      return date === undefined ? [] : [{ url: page.url, date, source: 'date on the page' }]
    })
  })
  return [...articles, ...others]
}

function fromFeeds(site: Site): DatedItem[] {
  return answered(site.capture, 'feed').flatMap((feed) =>
    feedDates(feed).map((date) => ({ url: feed.finalUrl, date, source: 'entry in the feed' })),
  )
}

/** RSS, Atom or JSON Feed by its beginning. */
export function isFeed({ status, body }: Answered): boolean {
  if (status !== 200 || looksLikeHtml(body)) return false
  return (
    /<(?:rss|feed|rdf:RDF)[\s>]/i.test(body.slice(0, 2_000)) ||
    /"https:\/\/jsonfeed\.org\/version\//.test(body.slice(0, 2_000))
  )
}

/**
 * Dates of the entries. They are picked out of the text and the document is never built as a tree: nothing
 * that is nested, entangled or unclosed in it can cost anything.
 */
export function feedDates(feed: Answered): number[] {
  if (!isFeed(feed)) return []
  const start = feed.body.search(/<(?:item|entry)[\s>]|"items"/i)
  if (start === -1) return []
  const marks = feed.body
    .slice(start)
    .matchAll(
      /<(?:pubDate|updated|published|dc:date)>\s{0,20}([^<]{8,60})<|"date_(?:published|modified)"\s{0,5}:\s{0,5}"([^"]{8,60})"/gi,
    )
  const dates: number[] = []
  for (const [, xml, json] of marks) {
    const date = readDate(xml ?? json ?? '')
    if (date !== undefined) dates.push(date)
    if (dates.length >= 1_000) break
  }
  return dates
}
