import type { Clock } from '../../../core/clock.ts'
import type { Fetcher } from '../../../platform/net/fetch.ts'
import { FetchError } from '../../../platform/net/fetch-error.ts'
import { absolute, siteDomain } from '../site/addresses.ts'
import type { Answered, Capture, Depth, Exchange, Purpose } from '../site/capture.ts'
import { isHtml } from '../site/files/headers.ts'
import { captureBudgets } from './capture-budget.ts'
import {
  linkWishes,
  namedWishes,
  pageWish,
  siteWishes,
  speedWish,
  surroundingWishes,
} from './capture-plan.ts'
import { CaptureRun } from './capture-run.ts'
import { openSite } from './open-site.ts'
import { type Read, readHere } from './readings.ts'
import { readSitemapAddresses } from './sitemap-addresses.ts'

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
    /** Where what was fetched is read; in this thread unless set. */
    read?: Read
  },
  request: { url: string; hasScheme: boolean; depth: Depth },
  onProgress: (share: number) => void,
  signal: AbortSignal,
  deadlineMs = captureBudgets[request.depth].deadlineMs,
): Promise<Capture> {
  const takenAt = parts.clock.now()
  const { depth } = request
  const { productToken, read = readHere } = parts
  const budget = captureBudgets[depth]
  const time = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)])
  const run = new CaptureRun({ ...parts, budget, asked: request.url, signal: time })
  const progress = (from: number, to: number) => (share: number) => onProgress(from + (to - from) * share)

  const home = await openSite(run, request, signal)
  onProgress(0.1)
  if (depth === 'full') {
    // Its speed is measured while nothing else is asked of the site.
    await run.ask([speedWish(home.finalUrl)])
    await run.ask([speedWish(home.finalUrl)])
  }
  onProgress(0.15)

  const hasPage = depth !== 'light' && home.status === 200 && isHtml(home)
  const { references, links = [] } = hasPage ? await read('home', home, signal) : {}
  const declared = (run.robotsOf(home.finalUrl)?.robots.sitemaps ?? []).slice(0, budget.sitemaps)
  const sitemaps = declared.length > 0 ? declared : [new URL('/sitemap.xml', home.finalUrl).href]
  const domain = siteDomain(new URL(request.url).hostname)
  const surroundings = surroundingWishes(depth, { domain, home, sitemaps, references })
  // What the pages say weighs more than any file, so the files leave room for them and a redirect of each.
  const leave = budget.pages * 2
  const first = await run.ask(surroundings, progress(0.15, 0.5), leave)

  const indexed = filesOfIndexes(first).slice(0, budget.sitemapsOfIndex)
  const llms = first.find((exchange): exchange is Answered => isAnswer(exchange, 'llms'))
  const namedByFiles = namedWishes(depth, { indexed, llms, exchanges: first })
  const named = await run.ask(namedByFiles, progress(0.5, 0.6), leave)

  if (depth !== 'light') {
    const { finalUrl } = home
    const files = [...first, ...named].filter((exchange) => isAnswer(exchange, 'sitemap'))
    const sources = { depth, home: finalUrl, links, sitemaps: files, productToken, rulings: run.rulings }
    const { sitemapUrls, ...sample } = await read('sample', sources, signal)
    const site = { home: finalUrl, sitemapUrls, markdown: references?.markdown }
    if (depth === 'basic') {
      const wishes = siteWishes(depth, { ...site, read: [], pages: [...sample.named, ...sample.rest] })
      await run.ask(wishes, progress(0.6, 1))
    } else {
      const pageWishes = sample.named.map((url) => pageWish('page', url))
      const answers = pagesToRead(await run.ask(pageWishes, progress(0.6, 0.7)))
      const { rulings } = run
      // An article is often linked from the list of articles alone.
      const further = await read(
        'further',
        { depth, home: finalUrl, answers, sample, productToken, rulings },
        signal,
      )
      const wishes = siteWishes(depth, { ...site, read: sample.named, pages: further.pages })
      await run.ask(wishes, progress(0.7, 0.85))
      const linked = new Set([...links.map(({ url }) => url), ...further.links])
      const limits = {
        most: budget.links,
        requestsLeft: run.requestsLeft,
        isKnown: (url: string) => run.isKnown(url),
      }
      await run.ask(linkWishes([...linked], limits), progress(0.85, 1))
    }
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

function isAnswer(exchange: Exchange, purpose: Purpose): exchange is Answered {
  return exchange.purpose === purpose && exchange.outcome === 'answered' && exchange.status === 200
}

/** The sitemap files that an index names. Only the first level is read, so an index of itself ends here. */
function filesOfIndexes(exchanges: readonly Exchange[]): string[] {
  const known = new Set(exchanges.map(({ url }) => url))
  const files = exchanges.flatMap((exchange) => {
    // Most are no index, which is quickly seen.
    if (!isAnswer(exchange, 'sitemap') || !exchange.body.includes('<sitemapindex')) return []
    const { isIndex, urls } = readSitemapAddresses(exchange.body)
    return isIndex ? urls.slice(0, maxFiles).flatMap(({ loc }) => absolute(loc, exchange.finalUrl) ?? []) : []
  })
  return [...new Set(files)].filter((url) => !known.has(url))
}

const maxFiles = 100

const maxCharactersOfPage = 512 * 1024
const maxCharactersToRead = 3 * 1024 * 1024

/** The sampled pages, as many as are read in a second or so, without those that are no usual pages by their size. */
function pagesToRead(exchanges: readonly Exchange[]): Answered[] {
  let room = maxCharactersToRead
  return exchanges.filter((exchange): exchange is Answered => {
    if (!isAnswer(exchange, 'page') || !isHtml(exchange)) return false
    if (exchange.body.length > Math.min(room, maxCharactersOfPage)) return false
    room -= exchange.body.length
    return true
  })
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
