import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../core/clock.ts'
import type { Fetcher } from '../net/fetch.ts'
import { FetchError } from '../net/fetch-error.ts'
import { absolute } from './addresses.ts'
import type { Answered, Capture, Depth, Exchange, Purpose } from './capture.ts'
import { captureBudgets } from './capture-budget.ts'
import { linkWishes, namedWishes, siteWishes, speedWish, surroundingWishes } from './capture-plan.ts'
import { CaptureRun } from './capture-run.ts'
import { isHtml } from './headers.ts'
import { openSite } from './open-site.ts'
import { readPage } from './page.ts'
import { readReferences } from './page-references.ts'
import { basicTopics, fullTopics, samplePages, spread } from './sample-pages.ts'
import type { Link, Page } from './site.ts'
import { readSitemapAddresses, type SitemapAddress } from './sitemap-addresses.ts'

/**
 * Fetches what a scan of this depth looks at. It ends within the deadline whatever the site does: what was
 * not fetched by then stands in the capture as skipped, and the checks say that it was not measured.
 * @param onProgress gets the share that is done; it only grows, and ends at 1.
 * @throws ScanFailure when the page itself cannot be had: it is unreachable, or robots.txt asks us to stay away.
 */
export async function takeCapture(
  parts: {
    fetcher: Fetcher
    clock: Clock
    /** As robots.txt knows us: `tollgate`. */
    productToken: string
  },
  request: { url: string; hasScheme: boolean; depth: Depth },
  onProgress: (share: number) => void,
  signal: AbortSignal,
  deadlineMs: number,
): Promise<Capture> {
  const takenAt = parts.clock.now()
  const { depth } = request
  const budget = captureBudgets[depth]
  const time = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)])
  const run = new CaptureRun({ ...parts, budget, signal: time })
  const progress = (from: number, to: number) => (share: number) => onProgress(from + (to - from) * share)

  const home = await openSite(run, request, signal)
  onProgress(0.1)
  if (depth === 'full') {
    // Its speed is measured while nothing else is asked of the site.
    await run.ask([speedWish(home.finalUrl)])
    await run.ask([speedWish(home.finalUrl)])
  }
  onProgress(0.15)

  const homePage = pageOf(home)
  const references = homePage && readReferences(homePage)
  const declared = (run.robotsOf(home.finalUrl)?.robots.sitemaps ?? []).slice(0, budget.sitemaps)
  const sitemaps = declared.length > 0 ? declared : [new URL('/sitemap.xml', home.finalUrl).href]
  const domain = bareDomain(request.url)
  const surroundings = surroundingWishes(depth, { domain, home, sitemaps, references })
  const first = await run.ask(surroundings, progress(0.15, 0.5))

  const indexed = filesOfIndexes(first).slice(0, budget.sitemapsOfIndex)
  const llms = first.find((exchange): exchange is Answered => isAnswer(exchange, 'llms'))
  const named = await run.ask(namedWishes(depth, { indexed, llms, exchanges: first }), progress(0.5, 0.6))

  if (depth !== 'light') {
    const sitemapUrls = [...first, ...named].flatMap(pagesOfSitemap)
    const isAllowed = (url: string) => run.isAllowed(url) !== false
    const sources = { home: home.finalUrl, links: homePage?.links ?? [], sitemapUrls, isAllowed }
    const pages = samplePages(sources, depth === 'full' ? fullTopics : basicTopics, budget.pages)
    const sampled = spread(sitemapUrls, budget.sitemapUrls).flatMap(
      ({ loc }) => absolute(loc, home.finalUrl) ?? [],
    )
    const wishes = siteWishes(depth, {
      home: home.finalUrl,
      pages,
      sitemapUrls: sampled,
      markdown: references?.markdown,
    })
    const read = await run.ask(wishes, progress(0.6, 0.85))
    const links = [...(homePage?.links ?? []), ...(budget.links > 0 ? await linksOf(read) : [])]
    const limits = {
      most: budget.links,
      requestsLeft: run.requestsLeft,
      isKnown: (url: string) => run.isKnown(url),
    }
    await run.ask(linkWishes(home.finalUrl, links, limits), progress(0.85, 1))
  }

  const alpn = depth === 'full' ? await applicationProtocol(parts.fetcher, home.finalUrl, time) : undefined
  onProgress(1)
  return {
    depth,
    url: request.url,
    domain,
    takenAt,
    ...(alpn === undefined ? {} : { alpn }),
    exchanges: run.exchanges,
  }
}

function bareDomain(url: string): string {
  return new URL(url).hostname.replace(/^www\./, '')
}

function isAnswer(exchange: Exchange, purpose: Purpose): exchange is Answered {
  return exchange.purpose === purpose && exchange.outcome === 'answered' && exchange.status === 200
}

function pageOf(answer: Answered): Page | undefined {
  return answer.status === 200 && isHtml(answer) ? readPage(answer) : undefined
}

/** The sitemap files that an index names. Only the first level is read, so an index of itself ends here. */
function filesOfIndexes(exchanges: readonly Exchange[]): string[] {
  const known = new Set(exchanges.map(({ url }) => url))
  const files = exchanges.flatMap((exchange) => {
    if (!isAnswer(exchange, 'sitemap')) return []
    const { isIndex, urls } = readSitemapAddresses(exchange.body)
    return isIndex
      ? urls.slice(0, mostFiles).flatMap(({ loc }) => absolute(loc, exchange.finalUrl) ?? [])
      : []
  })
  return [...new Set(files)].filter((url) => !known.has(url))
}

const mostFiles = 100

function pagesOfSitemap(exchange: Exchange): readonly SitemapAddress[] {
  if (!isAnswer(exchange, 'sitemap')) return []
  const { isIndex, urls } = readSitemapAddresses(exchange.body)
  return isIndex ? [] : urls
}

const mostPagesForLinks = 6
const mostCharactersForLinks = 512 * 1024

/** The links of the first sampled pages. Others have their turn between two of them: parsing takes the thread. */
async function linksOf(exchanges: readonly Exchange[]): Promise<Link[]> {
  const links: Link[] = []
  const pages = exchanges.filter(
    (exchange): exchange is Answered => isAnswer(exchange, 'page') && isHtml(exchange),
  )
  for (const page of pages.slice(0, mostPagesForLinks)) {
    if (page.body.length > mostCharactersForLinks) continue
    await setImmediate()
    links.push(...readPage(page).links)
  }
  return links
}

/** @returns undefined when it could not be asked; the checks call it not measured. */
async function applicationProtocol(
  fetcher: Fetcher,
  url: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!url.startsWith('https:') || signal.aborted) return undefined
  try {
    // A server that chooses none speaks what HTTPS began with.
    return (await fetcher.negotiate(url, { signal })) ?? 'http/1.1'
  } catch (error) {
    if (error instanceof FetchError) return undefined
    throw error
  }
}
