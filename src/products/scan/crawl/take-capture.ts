import type { Clock } from '../../../core/clock.ts'
import type { Fetcher } from '../../../platform/net/fetch.ts'
import { FetchError } from '../../../platform/net/fetch-error.ts'
import { absolute, isSameSite, siteDomain } from '../site/addresses.ts'
import { siteFolder } from '../site/below-home.ts'
import type { Capture, Depth, Exchange, Purpose, SiteReply } from '../site/capture.ts'
import { isHtml } from '../site/files/headers.ts'
import { noFiles } from '../site/html/scripted/included-parts.ts'
import { feedFetch, partFetch, scriptFetch, styleFetch } from './agent-fetches.ts'
import { captureBudgets, keep } from './capture-budget.ts'
import { linkFetches, namedFetches, pictureFetches, siteFetches, surroundingFetches } from './capture-plan.ts'
import { CaptureRun } from './capture-run.ts'
import { openSite } from './open-site.ts'
import { fetchPages } from './pages/fetch-pages.ts'
import { placesOf } from './pages/folder-links.ts'
import { fetchLateParts, readLinks } from './pages/read-links.ts'
import { speedFetch, statusFetch } from './planned-fetch.ts'
import { pageMeant, type Read, readHere } from './readings.ts'
import { readSitemapAddresses } from './sitemap-addresses.ts'

/**
 * Fetches the pages and files that a scan of this depth needs. It ends within the deadline whatever the site
 * does: the capture records the rest as skipped, and the checks report it as not measured.
 * @param onProgress gets the share that is done; it only grows, and ends at 1.
 * @throws ScanFailure when the page itself cannot be fetched: it is unreachable, or robots.txt forbids it.
 */
export async function takeCapture(
  parts: {
    fetcher: Fetcher
    clock: Clock
    /** The name by which robots.txt files address us: `tollgate`. */
    productToken: string
    /** Reads what was fetched; in this thread unless set. */
    read?: Read
  },
  request: { url: string; hasScheme: boolean; depth: Depth },
  onProgress: (share: number) => void,
  signal: AbortSignal,
  deadlineMs = captureBudgets[request.depth].deadlineMs,
): Promise<Capture> {
  const takenAt = parts.clock.now()
  const { depth, url } = request
  const time = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)])
  const run = new CaptureRun({ ...parts, budget: captureBudgets[depth], requestedUrl: url, signal: time })
  const domain = siteDomain(new URL(url).hostname)

  const home = await openSite(run, request, signal)
  onProgress(0.1)
  if (depth === 'full') {
    // Its speed is measured while no other request to the site is open.
    await run.fetchAll([speedFetch(home.finalUrl)])
    await run.fetchAll([speedFetch(home.finalUrl)])
  }
  onProgress(0.15)
  await fetchSite({ run, depth, domain, home, read: parts.read ?? readHere, signal, onProgress })
  const alpn = depth === 'full' ? await applicationProtocol(parts.fetcher, home.finalUrl, time) : undefined
  onProgress(1)
  const { exchanges } = run
  return { depth, url, domain, takenAt, ...(alpn === undefined ? {} : { alpn }), exchanges }
}

interface SiteFetching {
  readonly run: CaptureRun
  readonly depth: Depth
  readonly domain: string
  readonly home: SiteReply
  readonly read: Read
  readonly signal: AbortSignal
  readonly onProgress: (share: number) => void
}

/** Fetches everything but the home page: files for crawlers and agents first, then pages, links and pictures. */
async function fetchSite({ run, depth, domain, home, read, signal, onProgress }: SiteFetching) {
  const budget = captureBudgets[depth]
  const between = (from: number, to: number) => (share: number) => onProgress(from + (to - from) * share)
  const hasPage = depth !== 'light' && home.status === 200 && isHtml(home)
  const reading = hasPage ? await read('home', { reply: home, files: noFiles }, signal) : undefined
  const { references } = reading ?? {}

  const { sitemaps: inRobots = [], agentmaps = [] } = run.robotsOf(home.finalUrl)?.robots ?? {}
  const declared = inRobots.slice(0, budget.sitemaps)
  // Where robots.txt names those of another site alone, the site may have one that it does not name.
  const isForeign = declared.every((url) => !isSameSite(url, home.finalUrl))
  const sitemaps =
    declared.length > 0 && !isForeign
      ? declared
      : [
          ...declared,
          ...new Set([...linkedSitemaps(home).slice(0, budget.sitemaps), ...usualSitemaps(home.finalUrl)]),
        ]
  const surroundings = surroundingFetches(depth, { domain, home, sitemaps, agentmaps, references })
  // Pages say more than files, so the files leave requests for the pages and one redirect of each.
  const reserve = budget.pages * 2
  const planned = await run.fetchAll(surroundings, between(0.15, 0.5), reserve)
  // A site may answer every address with a page.
  const isFound = planned.some(
    (exchange) => isSuccess(exchange, 'sitemap') && /<(?:\w+:)?(?:urlset|sitemapindex)/.test(exchange.body),
  )
  const tried = new Set<string>(sitemaps)
  // Where robots.txt names a wrong address, the sitemap may stand at the usual one.
  const others = declared.length > 0 ? usualSitemaps(home.finalUrl) : otherSitemaps(home.finalUrl)
  const untried = isFound ? [] : others.filter((url) => !tried.has(url))
  const more = untried.map((url) => ({ purpose: 'sitemap' as const, url, keepBytes: keep.sitemap }))
  const first = [...planned, ...(await run.fetchAll(more, () => {}, reserve))]

  const indexedSitemaps = filesOfIndexes(first).slice(0, budget.sitemapsOfIndex)
  const llms = first.find((exchange): exchange is SiteReply => isSuccess(exchange, 'llms'))
  const markdown = first.find((exchange): exchange is SiteReply => isSuccess(exchange, 'home-markdown'))
  const namedByFiles = namedFetches(depth, { indexedSitemaps, llms, markdown, exchanges: first })
  const named = await run.fetchAll(namedByFiles, between(0.5, 0.6), reserve)
  if (depth === 'light') return
  const links = await readLinks({ run, read, signal }, home, reading)
  const places = await placesOf(run, home, links)

  const { productToken, robotsSources: robots } = run
  const files = [...first, ...named].filter((exchange) => isSuccess(exchange, 'sitemap'))
  const meant = links.map((link) => pageMeant(link, places))
  const sources = { depth, home: home.finalUrl, links: meant, sitemaps: files, productToken, robots }
  const { sitemapUrls, ...sample } = await read('sample', sources, signal)
  const site = { home: home.finalUrl, sitemapUrls, markdown: references?.markdown }
  if (depth === 'basic') {
    const pages = [...sample.named, ...sample.rest]
    await run.fetchAll(siteFetches(depth, { ...site, read: [], pages }), between(0.6, 1))
    return
  }
  const found = await fetchPages({ run, read, depth, home: home.finalUrl, places, signal }, sample)
  onProgress(0.75)
  // Many a blog names its feed on its own pages alone.
  const feeds = references?.feed === undefined && found.feed !== undefined ? [feedFetch(found.feed)] : []
  const trials = siteFetches(depth, { ...site, read: found.pages, pages: [] })
  const fetched = new Set(run.exchanges.map(({ url }) => url))
  const isNew = (url: string) => !fetched.has(url)
  const scripts = [...new Set([...(reading?.scripts ?? []), ...found.scripts])].filter(isNew)
  const parts = [
    ...scripts.map(scriptFetch),
    ...found.styles.filter(isNew).map(styleFetch),
    ...found.parts.filter(isNew).map(partFetch),
  ]
  const canonicals = found.canonicals
    .filter((url) => !run.isKnown(url))
    .slice(0, maxCanonicals)
    .map((url) => statusFetch('canonical', url))
  await run.fetchAll([...canonicals, ...feeds, ...trials, ...parts], between(0.75, 0.85))
  await fetchLateParts({ run, read, signal }, scripts)
  const linked = new Set([...links.map(({ url }) => url), ...found.links])
  const isKnown = (url: string) => run.isKnown(url)
  const pictures = pictureFetches(references?.shownPictures ?? [], found.pictures, budget.pictures)
  const forPictures = Math.min(picturesBesideLinks, pictures.filter(({ url }) => !isKnown(url)).length)
  const requestsLeft = Math.max(0, run.requestsLeft - forPictures)
  const limits = { maxLinks: budget.links, requestsLeft, isKnown, folder: places.folder }
  await run.fetchAll(linkFetches([...linked], limits), between(0.85, 0.95))
  await run.fetchAll(pictures, between(0.95, 1))
}

/** A template writes them all in one way, so a few show whether they are there. */
const maxCanonicals = 3

/** Requests that the links of a large site leave for pictures. */
const picturesBesideLinks = 10

/** At the root of the host, and in the folder of a site that has only that. */
function usualSitemaps(home: string): string[] {
  const places = [siteFolder(home), new URL('/', home).href]
  return [...new Set(places)].map((folder) => `${folder}sitemap.xml`)
}

/** Names that website systems give to the index of their sitemaps, where neither robots.txt nor the page names one. */
function otherSitemaps(home: string): string[] {
  return ['sitemap-index.xml', 'sitemap_index.xml', 'wp-sitemap.xml'].map(
    (name) => `${siteFolder(home)}${name}`,
  )
}

/** `<link rel="sitemap">` in the head of the page. */
function linkedSitemaps({ body, finalUrl }: SiteReply): string[] {
  const links = body.slice(0, maxHead).match(/<link\s[^>]{1,500}>/gi) ?? []
  return links.flatMap((link) => {
    const [, href] = /\shref\s{0,3}=\s{0,3}["']?([^"'\s>]{1,300})/i.exec(link) ?? []
    const isSitemap = /\srel\s{0,3}=\s{0,3}["']?sitemap["'\s/>]/i.test(link)
    const url = isSitemap && href !== undefined ? absolute(href, finalUrl) : undefined
    return url !== undefined && isSameSite(url, finalUrl) ? [url] : []
  })
}

/** Builds write hundreds of kilobytes of styles into it, above its links. */
const maxHead = 500_000

function isSuccess(exchange: Exchange, purpose: Purpose): exchange is SiteReply {
  return exchange.purpose === purpose && exchange.outcome === 'replied' && exchange.status === 200
}

/**
 * The sitemap files that indexes name. Only one level is read, so an index that names itself causes no loop.
 */
function filesOfIndexes(exchanges: readonly Exchange[]): string[] {
  const known = new Set(exchanges.map(({ url }) => url))
  const files = exchanges.flatMap((exchange) => {
    // Most files are no index, and this test is cheap.
    if (!isSuccess(exchange, 'sitemap') || !exchange.body.includes('<sitemapindex')) return []
    const { isIndex, urls } = readSitemapAddresses(exchange.body)
    return isIndex ? urls.slice(0, maxFiles).flatMap(({ loc }) => absolute(loc, exchange.finalUrl) ?? []) : []
  })
  return [...new Set(files)].filter((url) => !known.has(url))
}

const maxFiles = 100

/** @returns undefined when the server could not be asked; the checks report that as not measured. */
async function applicationProtocol(
  fetcher: Fetcher,
  url: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!url.startsWith('https:') || signal.aborted) return undefined
  try {
    // A server that negotiates no protocol speaks HTTP/1.1.
    return (await fetcher.negotiate(url, { signal })) ?? 'http/1.1'
  } catch (error) {
    if (error instanceof FetchError) return undefined
    throw error
  }
}
