import { addressKey, decodeEscapes, pathOf } from './addresses.ts'
import { repliesFor } from './capture.ts'
import { datesIn, dayMs, readDate } from './dates.ts'
import { metaOf } from './html/elements.ts'
import { nodesOf, textOf } from './html/json-ld.ts'
import { countWords } from './html/words.ts'
import { isPathOfKind } from './kinds/page-kinds.ts'
import { isLibrary } from './profile.ts'
import type { JsonLdNode, Page, Site } from './site.ts'

/** A page with a single article: a post, a news item, a guide. */
export interface Article {
  readonly page: Page
  /** The JSON-LD node that describes it. */
  readonly node: JsonLdNode | undefined
  /** By its markup, in Unix milliseconds; so is the next one. */
  readonly published: number | undefined
  readonly modified: number | undefined
  /** What its markup gives for a date and is none: "2026-13-45", "{{ date }}". */
  readonly noDate: string | undefined
}

/**
 * The articles among the pages that were read. All checks ask here; otherwise one report could count "5 of 7"
 * and "5 of 6" articles.
 */
export function articlesOf(site: Site): readonly Article[] {
  const posts = feedAddresses(site)
  // The manual of a library calls its chapters articles.
  const isManual = site.home !== undefined && isLibrary(site.home)
  return site.pages.flatMap((page) => {
    if (page === site.home || isListing(page.url) || isBlogItself(page.url) || isOwnPage(page.url)) return []
    const nodes = nodesOf(page, 'Article').filter(({ properties }) => textOf(properties.headline) !== '')
    const headlines = new Set(nodes.map(({ properties }) => textOf(properties.headline)))
    const [node] = headlines.size === 1 ? nodes : []
    const isAddressed = isBelowBlog(page.url) && !(isManual && /\/articles?\//i.test(pathOf(page.url)))
    const isDeclared =
      hasPosting(page) ||
      (metaOf(page, 'og:type') === 'article' &&
        (isAddressed ||
          (metaOf(page, 'article:published_time') !== '' && (isNamed(page, posts) || showsArticle(page)))))
    const isPost = (isAddressed || isNamed(page, posts)) && headlines.size === 0 && !hasHeadings(page)
    if (!node && !isDeclared && !isPost) return []
    // A teaser for each of several texts, or none of them: the page is their list.
    if (!isDeclared && isListOfTeasers(page)) return []
    const published = textOf(node?.properties.datePublished) || metaOf(page, 'article:published_time')
    const modified = textOf(node?.properties.dateModified) || metaOf(page, 'article:modified_time')
    const noDate = [published, modified].find(isNoDate)
    return [{ page, node, published: readDate(published), modified: readDate(modified), noDate }]
  })
}

/** One that microdata describe as a post with a headline. Lists of posts have several. */
function hasPosting({ elements }: Page): boolean {
  const named = (name: string, pattern: RegExp) =>
    elements.filter(({ node }) => pattern.test((node.attribs[name] ?? '').slice(0, 300))).length
  return (
    named('itemtype', /schema\.org\/(?:BlogPosting|NewsArticle|Article)\s*$/) === 1 &&
    named('itemprop', /(?:^|\s)headline(?:\s|$)/) === 1 &&
    named('itemprop', /(?:^|\s)articleBody(?:\s|$)/) === 1
  )
}

/**
 * Themes of Hugo declare every page an article with a date. A text that is one shows it to readers, too: the day on which
 * it appeared, or who wrote it.
 */
function showsArticle(page: Page): boolean {
  const published = readDate(metaOf(page, 'article:published_time'))
  return (
    page.elements.some(
      ({ name, node, isHidden, region }) =>
        !isHidden &&
        region !== 'footer' &&
        region !== 'nav' &&
        (name === 'time' ||
          /(?:^|[\s_-])(?:byline|author|posted-on|published|post-date|entry-date)(?:$|[\s_-])/i.test(
            (node.attribs.class ?? '').slice(0, 300),
          )),
    ) ||
    page.lines.slice(0, 200).some((line) => line.length <= 200 && byline.test(line)) ||
    (published !== undefined &&
      page.lines
        .slice(0, 300)
        .some(
          (line) =>
            line.length <= 120 && datesIn(line, 3).some((date) => Math.abs(date - published) <= dayMs),
        ))
  )
}

/** Other forms of ISO 8601 than those that are read here, such as a year alone, are dates as well. */
function isNoDate(text: string): boolean {
  const [day] = /^\d{4}-\d{2}-\d{2}/.exec(text) ?? []
  if (day !== undefined) return readDate(day) === undefined
  return text !== '' && readDate(text) === undefined && !/^\d{4}(?:$|\d{4}|-W?\d{2,3}(?!\d))/.test(text)
}

/** The site's own feed lists the page, or its theme marks the date on which it was published. */
function isNamed(page: Page, posts: ReadonlySet<string>): boolean {
  return (
    posts.has(addressKey(page.url)) ||
    page.elements.some(
      ({ name, node, isHidden }) => name === 'time' && !isHidden && node.attribs.pubdate !== undefined,
    )
  )
}

function feedAddresses({ capture }: Site): ReadonlySet<string> {
  const bodies = repliesFor(capture, 'feed').flatMap(({ status, body }) => (status === 200 ? [body] : []))
  const entries = bodies.flatMap((body) => body.split(/<(?:item|entry)[\s>]/i).slice(1, 201))
  return new Set(
    entries.flatMap((entry) => {
      const [, text, href] =
        /<link>\s{0,20}(?:<!\[CDATA\[)?([^<\]]{8,500})|<link[^>]{0,200}href="([^"]{8,500})"/i.exec(
          entry.slice(0, 5_000),
        ) ?? []
      const url = URL.parse((text ?? href ?? '').trim())
      return url === null ? [] : [addressKey(url.href)]
    }),
  )
}

/** The address ends where the posts begin: `/blog/`, `/en/news.html`. */
function isBlogItself(url: string): boolean {
  const last = pathOf(url)
    .split('/')
    .findLast((part) => part !== '')
  return last !== undefined && isPathOfKind(`https://x/${last}`, 'blog') && !/[-_]/.test(decodeEscapes(last))
}

/** Three headings or more lead to pages of their own, and hardly a word stands outside their announcements. */
function isListOfTeasers({ mainPart: { sections } }: Page): boolean {
  const own = sections.filter(({ isTeaser }) => !isTeaser).reduce((sum, { words }) => sum + words, 0)
  return sections.filter(({ isTeaser }) => isTeaser).length >= 3 && own < 120
}

/**
 * Whether a page tells a story that somebody signed: a long text, with a line "By Ana Ruiz". Its markup need not call it
 * an article. Where a person in it wants an appointment, the site offers none.
 */
export function isBylined(page: Page): boolean {
  return (
    countWords(page.mainText.slice(0, 20_000)) >= 300 &&
    page.lines.slice(0, 500).some((line) => line.length <= 200 && byline.test(line))
  )
}

const byline = /^(?:By|Por|Von|Par|Di|Door|Text:|Texto:) \p{Lu}[\p{L}'’.-]+ (?:(?:de|von|van|di) )?\p{Lu}/u

/** Below a part such as `blog`, and not the list itself: `/blog/post`, not `/en/news.html`. */
function isBelowBlog(url: string): boolean {
  const parts = pathOf(url)
    .replace(/\/(?:index(?:\.\w{2,5})?)?$/, '')
    .split('/')
    .filter((part) => part !== '')
  const place = parts.findIndex((part) => isPathOfKind(`https://x/${part}`, 'blog'))
  return place !== -1 && place < parts.length - 1
}

/** Themes mark every page as an article, also the one about the company. A longer address is that of a text about such a thing. */
function isOwnPage(url: string): boolean {
  const last =
    pathOf(url)
      .split('/')
      .findLast((part) => part !== '') ?? ''
  const isShort = decodeEscapes(last).split(/[-_]/).length <= 2
  return (
    isShort &&
    (['about', 'contact'] as const).some((kind) => isPathOfKind(`https://x/${last}`, kind)) &&
    !isBelowBlog(url)
  )
}

/** Lists of articles, whose addresses lie below a blog as those of articles do. */
function isListing(url: string): boolean {
  return /\/(?:tags?|categor(?:y|ies)|topics?|authors?|page|archives?|search)(?:\/|$)|\/(?:blog|news|articles?|posts?)\/index\.\w{2,5}$/i.test(
    pathOf(url),
  )
}

/** A list of articles often has a main heading for each. */
function hasHeadings(page: Page): boolean {
  return page.headings.filter(({ level }) => level === 1).length > 1
}
