import { isSameSite, pathOf } from './addresses.ts'
import { articlesOf } from './articles.ts'
import { repliesFor, type SiteReply } from './capture.ts'
import { datesIn, dayMs, readDate } from './dates.ts'
import { isHtml, looksLikeHtml } from './files/headers.ts'
import { attributeOf, metaOf } from './html/elements.ts'
import { textOf } from './html/json-ld.ts'
import { parseHtml } from './html/parse-html.ts'
import { around, type Element, linesWithin, outermost, textWithin } from './html/visible-text.ts'
import { isPathOfKind } from './kinds/page-kinds.ts'
import type { Page, Site } from './site.ts'

export interface DatedItem {
  readonly url: string
  /** Unix milliseconds. */
  readonly date: number
  /** Where the date stands, for evidence: "lastmod in the sitemap". */
  readonly source: string
}

/**
 * Everything on the site that has a date. Future dates are left out, because an event next spring does not
 * make a page new. So is a date that a sitemap gives to all its addresses: it tells when the sitemap was
 * generated.
 */
export function datedItems(site: Site): readonly DatedItem[] {
  const items = [...fromSitemap(site), ...fromPages(site), ...fromFeeds(site)]
  return items.filter(({ date }) => date <= site.now + dayMs)
}

/** The newest item; of several with the same date, the first. */
export function newestOf(items: readonly DatedItem[]): DatedItem | undefined {
  return items.reduce<DatedItem | undefined>(
    (best, item) => (best === undefined || item.date > best.date ? item : best),
    undefined,
  )
}

/**
 * Dates in the visible text, which tell something where nothing else has a date. Pages that were fetched only to try an
 * address of the sitemap are read, too: a list of changes may be one of them.
 */
export function writtenDates(site: Site): readonly DatedItem[] {
  const read = new Set(site.pages.map(({ url }) => url))
  const tried = repliesFor(site.capture, 'sitemap-url')
    .filter((reply) => reply.status === 200 && isHtml(reply) && !read.has(reply.finalUrl))
    .map(({ finalUrl, body }) => ({ url: finalUrl, lines: triedLines(body) }))
  const pages = site.pages.map((page) => ({
    url: page.url,
    lines: ownLines(page),
    issues: [...issueDates(page), ...monthsOfPosts(page)],
  }))
  return [...pages, ...tried.map((reply) => ({ ...reply, issues: [] }))]
    .filter(({ url }) => !isPathOfKind(url, 'careers') && !isCalendar(url))
    .flatMap(({ url, lines, issues }) => [
      ...issues.map((issue) => ({ url, ...issue })),
      ...lines.flatMap((line) =>
        datesIn(line, 50).map((date) => ({ url, date, source: 'date in the text' })),
      ),
    ])
    .map((item) => (isMonthOnly(item) && isThisMonth(item, site) ? { ...item, date: site.now } : item))
    .filter(({ date }) => date <= site.now + dayMs)
}

/** Its last days may still lie ahead. */
function isThisMonth({ date }: DatedItem, { now }: Site): boolean {
  return new Date(date).toISOString().slice(0, 7) === new Date(now).toISOString().slice(0, 7)
}

/** "Issue #5 | September 2025" in a heading, and "Version 3.3 (January 2026)" in a line. */
function issueDates({ headings, lines }: Page): readonly Omit<DatedItem, 'url'>[] {
  const inHeadings = headings
    .slice(0, 200)
    .flatMap(({ text }) => lastOfMonth(monthAtEnd.exec(text.trim().slice(0, 200))))
  const ofReleases = lines
    .slice(0, 2_000)
    .flatMap((line) => (line.length > 200 ? [] : lastOfMonth(release.exec(line))))
  return [
    ...inHeadings.map((date) => ({ date, source: 'month in a heading' })),
    ...ofReleases.map((date) => ({ date, source: 'month of a release' })),
  ]
}

/** "Janeiro de 2025 · 8 min" below the title of a post, where the code calls it a date. A calendar beside it is none. */
function monthsOfPosts({ elements }: Page): readonly Omit<DatedItem, 'url'>[] {
  return elements
    .filter(
      ({ name, node, region, isHidden }) =>
        !isHidden &&
        !/^(?:nav|footer|aside)$/.test(region ?? '') &&
        (name === 'time' || ofDate.test((node.attribs.class ?? '').slice(0, 200))) &&
        !isOfElse(node),
    )
    .slice(0, 200)
    .flatMap(({ node }) => {
      const text = textWithin([node])
      if (text.length > 60) return []
      const [, year, month = ''] = /^(\d{4})[年년]\s?(\d{1,2})[月월]$/u.exec(text.trim()) ?? []
      return year === undefined
        ? lastOfMonth(monthAtStart.exec(text.trim()))
        : datesIn(`${year}-${month.padStart(2, '0')}-28`, 1)
    })
    .map((date) => ({ date, source: 'month of a post' }))
}

const ofDate = /(?:^|[\s_-])(?:date|datum|fecha|published|posted|tarih)(?:[\s_-]|$)/i

/** Whether the date of an element is that of something else than a post: a birth, an event, the end of an offer, a quotation. */
function isOfElse(element: Element): boolean {
  return (
    otherDate.test((element.attribs.class ?? '').slice(0, 200)) ||
    around(element)
      .slice(0, 5)
      .some(
        ({ name, attribs }) =>
          name === 'blockquote' ||
          /(?:^|\s)(?:events?|event[_-](?:item|card|list)|testimonials?|reviews?|quotes?)(?:$|\s)/i.test(
            (attribs.class ?? '').slice(0, 300),
          ),
      )
  )
}

const otherDate =
  /(?:^|[\s_-])(?:found(?:ing|ed|ation)|established|birth|born|end|start|events?|expir(?:y|es|ation)|valid|due|until)[_-]?(?:date|datum|day)(?:[\s_-]|$)/i

/** The last days of a month, so that nothing is called older than it is. */
function lastOfMonth(found: RegExpExecArray | null): readonly number[] {
  const [, month, year] = found ?? []
  return month === undefined ? [] : datesIn(`28 ${month} ${year}`, 1)
}

/** Whether only the month is known, and the day of the date is none that the site states. */
export function isMonthOnly({ source }: DatedItem): boolean {
  return source.startsWith('month ')
}

const monthAtEnd = /(?<![\p{L}\d])(\p{L}{3,12})\s(\d{4})$/u
const monthAtStart = /^(\p{L}{3,12})\.?,?\s(?:del?\s)?(\d{4})(?:\s?[·•|–-]\s?.{1,40})?$/u
const release =
  /^[^\p{L}\d]{0,3}(?:(?!(?:requires|needs|android|ios)\s)\p{L}[\p{L}\d]{1,20}\s)?(?:version|release|v)\s?\d[\d.]{0,10}\s?[(–-]\s?(\p{L}{3,12})\s(\d{4})\)?:?\s?$/iu

/** Until when one may apply says nothing of when something was published. */
function ownLines(page: Page): readonly string[] {
  const others = textOfOthers(page)
  return page.lines.slice(0, 5_000).filter((line) => !deadline.test(line) && !others.includes(line))
}

/**
 * The tables of deadlines, and samples of code and what a program printed, which have dates of their own. Thousands of lines
 * are looked for in this text, so it is cut, and of tables or samples within each other only the outer one is read.
 */
export function textOfOthers({ elements }: Page): string {
  const nodes = (wanted: string) => elements.filter(({ name }) => name === wanted).map(({ node }) => node)
  const tables = nodes('table').filter((node) => deadline.test(textWithin([node]).slice(0, 200)))
  return [
    ...outermost(tables.slice(0, 50)).map((node) => textWithin([node])),
    ...outermost(nodes('pre').slice(0, 200)).map((node) => linesWithin([node]).join('\n')),
  ]
    .join('\n')
    .slice(0, maxOthers)
}

const maxOthers = 200_000

function triedLines(html: string): readonly string[] {
  return linesWithin(parseHtml(html)('body').toArray())
    .slice(0, 5_000)
    .filter((line) => !deadline.test(line))
}

const deadline =
  /(?<!\p{L})(?:deadline|apply by|closing date|closes|due (?:date|by)|valid until|expires|bewerbungsfrist|bewerbungsschluss|anmeldeschluss|einsendeschluss|frist|date limite|clôture|fecha límite|plazo|scadenza|entro il|prazo|data limite|sluitingsdatum|son başvuru|son tarih|срок подачи|до какого|الموعد النهائي|آخر موعد)(?!\p{L})|締切|応募期限|마감|截止/iu

/** Pages of coming events, and of offers that end. */
function isCalendar(url: string): boolean {
  return /\/(?:calendar|kalender|agenda|events?|termine|veranstaltungen|opportunities|vacancies|calls?)(?:[/.]|$)/i.test(
    pathOf(url),
  )
}

/** A date that a sitemap gives to all its addresses: perhaps the day on which it was made. */
export function uniformLastmods(site: Site): readonly DatedItem[] {
  const [first] = site.sitemap.urls.filter(({ loc }) => isSameSite(loc, site.origin))
  return (first === undefined ? [] : [first]).flatMap(({ loc, lastmod }) => {
    const date = lastmod === undefined ? undefined : readDate(lastmod)
    return date === undefined || date > site.now + dayMs
      ? []
      : [{ url: loc, date, source: 'lastmod of all addresses in the sitemap' }]
  })
}

function fromSitemap(site: Site): DatedItem[] {
  // A page at another site says nothing of this one.
  const own = site.sitemap.urls.filter(({ loc }) => isSameSite(loc, site.origin))
  const items = own.flatMap(({ loc, lastmod }) => {
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
      // A customer's review may be older than all that the site says.
      ...page.jsonLd.nodes
        .filter(({ types }) => !types.some((type) => byOthers.test(type)))
        .flatMap(({ properties }) => [textOf(properties.datePublished), textOf(properties.dateModified)]),
      ...page.elements
        .filter(({ name, node, isHidden }) => name === 'time' && !isHidden && !isOfReview(node))
        .map(({ node }) => attributeOf(node, 'datetime')),
    ]
    return dates.slice(0, 500).flatMap((text) => {
      const date = readDate(text)
      return date === undefined ? [] : [{ url: page.url, date, source: 'date on the page' }]
    })
  })
  return [...articles, ...others]
}

/** Whether a date belongs to a customer's review. It does not say when the site published something. */
function isOfReview(time: Element): boolean {
  return around(time)
    .slice(0, 5)
    .some(({ attribs }) =>
      /(?:^|[\s_-])(?:reviews?|testimonials?|rezension(?:en)?|bewertung(?:en)?|avis|reseñas?|recension[ei])(?:$|[\s_-])/i.test(
        (attribs.class ?? '').slice(0, 300),
      ),
    )
}

/** What customers and readers wrote, and what they are asked. */
const byOthers = /^(?:\w{0,20}Review|Comment|AggregateRating|Rating|Question|Answer|Quotation)$/

function fromFeeds(site: Site): DatedItem[] {
  return repliesFor(site.capture, 'feed').flatMap((feed) =>
    feedDates(feed).map((date) => ({ url: feed.finalUrl, date, source: 'entry in the feed' })),
  )
}

/** Whether a reply is RSS, Atom or a JSON Feed, by the beginning of its body. */
export function isFeed({ status, body }: SiteReply): boolean {
  if (status !== 200 || looksLikeHtml(body)) return false
  return (
    /<(?:rss|feed|rdf:RDF)[\s>]/i.test(body.slice(0, 2_000)) ||
    /"https:\/\/jsonfeed\.org\/version\//.test(body.slice(0, 2_000))
  )
}

/**
 * Dates of the feed's entries. They are searched in the text without building a tree, so a document that is
 * deeply nested or never closed costs no more than its length.
 */
export function feedDates(feed: SiteReply): number[] {
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
