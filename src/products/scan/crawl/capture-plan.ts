import { createHash } from 'node:crypto'
import { isAction, isSameSite } from '../site/addresses.ts'
import { insideFolder, isBeside } from '../site/below-home.ts'
import type { Depth, Exchange, SiteReply } from '../site/capture.ts'
import { mediaTypeOf } from '../site/files/headers.ts'
import { markdownLinks } from '../site/files/markdown-links.ts'
import { agentFetches } from './agent-fetches.ts'
import { keep } from './capture-budget.ts'
import { firstSkill } from './named-addresses.ts'
import type { PageReferences } from './pages/page-references.ts'
import { inTurn, spread } from './pages/sample-pages.ts'
import { htmlHeaders, type PlannedFetch, pageFetch, statusFetch } from './planned-fetch.ts'

/**
 * Plans what a scan of each depth fetches, in this order. These functions read replies and name addresses;
 * they fetch nothing.
 */

/** Planned as soon as the home page is known. */
export function surroundingFetches(
  depth: Depth,
  site: {
    domain: string
    home: SiteReply
    sitemaps: readonly string[]
    /** As robots.txt names them. */
    agentmaps: readonly string[]
    references: PageReferences | undefined
  },
): PlannedFetch[] {
  const { origin } = new URL(site.home.finalUrl)
  const light: PlannedFetch[] = [
    { purpose: 'llms', url: `${origin}/llms.txt`, keepBytes: keep.document },
    ...site.sitemaps.map((url): PlannedFetch => ({ purpose: 'sitemap', url, keepBytes: keep.sitemap })),
  ]
  if (depth === 'light') return light
  const basic = [...light, ...comparingFetches(site.domain, site.home, site.references)]
  return depth === 'basic'
    ? basic
    : [...basic, ...agentFetches(origin, site.home, site.references, site.agentmaps)]
}

/** The home page as a browser gets it, its canonical address, and a page that cannot exist. */
function comparingFetches(
  domain: string,
  home: SiteReply,
  references: PageReferences | undefined,
): PlannedFetch[] {
  const canonical = references?.canonical
  return [
    {
      purpose: 'home-browser',
      url: home.finalUrl,
      keepBytes: keep.page,
      headers: browserHeaders,
      userAgent: browser,
    },
    {
      purpose: 'missing',
      url: missingUrl(domain, home.finalUrl),
      keepBytes: keep.head,
      headers: htmlHeaders,
    },
    ...(canonical !== undefined && canonical !== home.finalUrl && isSameSite(canonical, home.finalUrl)
      ? [statusFetch('canonical', canonical)]
      : []),
  ]
}

/** Chrome on Windows, the most common browser. */
const browser =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

const browserHeaders = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8',
  'accept-language': 'en-US,en;q=0.9',
  'upgrade-insecure-requests': '1',
}

/** Derived from the domain, so that two scans ask for the same page. */
function missingUrl(domain: string, base: string): string {
  const hash = createHash('sha256').update(domain).digest('hex').slice(0, 16)
  return new URL(`/no-such-page-${hash}`, base).href
}

/** What the first replies name: files of a sitemap index, a skill, links of llms.txt and of the page's Markdown. */
export function namedFetches(
  depth: Depth,
  replies: {
    indexedSitemaps: readonly string[]
    llms: SiteReply | undefined
    /** The page as Markdown. */
    markdown: SiteReply | undefined
    exchanges: readonly Exchange[]
  },
): PlannedFetch[] {
  const files = replies.indexedSitemaps.map(
    (url): PlannedFetch => ({ purpose: 'sitemap', url, keepBytes: keep.sitemap }),
  )
  if (depth !== 'full') return files
  const skill = firstSkill(replies.exchanges)
  return [
    ...files,
    ...(skill === undefined ? [] : [{ purpose: 'skill' as const, url: skill, keepBytes: keep.document }]),
    ...spread(linksIn(replies.llms), maxLlmsLinks).map((url) => statusFetch('llms-link', url)),
    ...spread(linksOfMarkdown(replies.markdown), maxMarkdownLinks).map((url) =>
      statusFetch('markdown-link', url),
    ),
  ]
}

const maxLlmsLinks = 20
const maxMarkdownLinks = 8

function linksIn(file: SiteReply | undefined): string[] {
  return file?.status === 200 ? markdownLinks(file.body, file.finalUrl).filter((url) => !isAction(url)) : []
}

/** Links of the page's Markdown. A server that ignores the wish for Markdown sends HTML, which has none. */
function linksOfMarkdown(reply: SiteReply | undefined): string[] {
  return reply && mediaTypeOf(reply) === 'text/markdown' ? linksIn(reply) : []
}

/** Pages of the site, then addresses of the sitemap, then Markdown copies of pages. */
export function siteFetches(
  depth: Depth,
  sample: {
    home: string
    pages: readonly string[]
    sitemapUrls: readonly string[]
    /** Pages that were read before. */
    read: readonly string[]
    markdown: string | undefined
  },
): PlannedFetch[] {
  if (depth === 'light') return []
  const fetches = [
    ...sample.pages.map((url) => pageFetch('page', url)),
    ...sample.sitemapUrls.map(
      (url): PlannedFetch => ({
        purpose: 'sitemap-url',
        url,
        keepBytes: keep.head,
        headers: htmlHeaders,
        isReusable: true,
      }),
    ),
  ]
  if (depth === 'basic') return fetches
  const twins = [
    sample.markdown ?? markdownTwinOf(sample.home),
    ...[...sample.read, ...sample.pages]
      .slice(0, 2)
      .flatMap((page) => [markdownTwinOf(page), ...besideHtml(page)]),
  ]
  return [
    ...fetches,
    ...twins.map((url): PlannedFetch => ({ purpose: 'markdown-twin', url, keepBytes: keep.document })),
  ]
}

/** As llms.txt proposes: `.md` after the address, or `index.html.md` when the address names no file. */
function markdownTwinOf(page: string): string {
  const url = new URL(page)
  url.search = ''
  url.pathname += url.pathname.endsWith('/') ? 'index.html.md' : '.md'
  return url.href
}

/** `about.md` of `about.html`, where generators of documentation write the copy. */
function besideHtml(page: string): string[] {
  const url = new URL(page)
  if (!/\.html?$/.test(url.pathname)) return []
  url.search = ''
  url.pathname = url.pathname.replace(/\.html?$/, '.md')
  return [url.href]
}

/**
 * A sample of the linked pages, as many as the limit and the requests left allow. Of a link that leads out of the folder of
 * the site, the address within it is asked for as well: `/crowns.html` may be meant for the root of a host.
 */
export function linkFetches(
  linked: readonly string[],
  limits: {
    maxLinks: number
    requestsLeft: number
    isKnown: (url: string) => boolean
    /** As `ownFolder` tells. */
    folder: string | undefined
  },
): PlannedFetch[] {
  const { folder, isKnown, requestsLeft } = limits
  const fetches = linked.map((url) => [
    statusFetch('link', url),
    ...(folder !== undefined && isBeside(url, folder)
      ? [statusFetch('folder-link', insideFolder(url, folder))]
      : []),
  ])
  const known = new Set(fetches.flatMap((some) => some.map(({ url }) => url)).filter(isKnown))
  let sample = spread(fetches, limits.maxLinks)
  while (sample.flat().filter(({ url }) => !known.has(url)).length > requestsLeft) {
    sample = spread(fetches, sample.length - 1)
  }
  return sample.flat()
}

/**
 * Pictures that pages show: the first of the home page, the first of the others, and so on. The home page may show as many
 * as are asked for in all, and a folder may be wrong on another page, or right on that alone.
 */
export function pictureFetches(
  ofHome: readonly string[],
  ofOthers: readonly string[],
  maxPictures: number,
): PlannedFetch[] {
  return inTurn([ofHome, ofOthers])
    .slice(0, maxPictures)
    .map((url) => statusFetch('shown-picture', url))
}
