import type { Clock } from '../../core/clock.ts'
import type { Fetcher } from '../../platform/net/fetch.ts'
import { scriptFetch } from '../scan/crawl/agent-fetches.ts'
import { captureBudgets } from '../scan/crawl/capture-budget.ts'
import { CaptureRun } from '../scan/crawl/capture-run.ts'
import { openSite } from '../scan/crawl/open-site.ts'
import { pagesToRead } from '../scan/crawl/pages/fetch-pages.ts'
import { about, contact, pricing, services } from '../scan/crawl/pages/page-topics.ts'
import { readLinks } from '../scan/crawl/pages/read-links.ts'
import { samplePages } from '../scan/crawl/pages/sample-pages.ts'
import { pageFetch } from '../scan/crawl/planned-fetch.ts'
import type { Read } from '../scan/crawl/readings.ts'
import { siteDomain } from '../scan/site/addresses.ts'
import type { Capture } from '../scan/site/capture.ts'
import { isHtml } from '../scan/site/files/headers.ts'
import { filesOf, noFiles } from '../scan/site/html/scripted/included-parts.ts'
import { isPathOfKind, noticeKinds } from '../scan/site/kinds/page-kinds.ts'

export interface ShortCaptureParts {
  readonly fetcher: Fetcher
  readonly clock: Clock
  /** The name by which robots.txt files address us. */
  readonly productToken: string
  /** Reads the home page in another thread. */
  readonly read: Read
}

/** About, prices, contact and services: the first of the pages that a scan reads. */
const maxPages = 4

/**
 * Fetches the home page and up to four pages that say what the business is, offers and costs. It is a light scan
 * without the files for crawlers, under the same limits and the same robots.txt rules.
 * @throws ScanFailure with a sentence when the page itself cannot be fetched.
 */
export async function takeShortCapture(
  { fetcher, clock, productToken, read }: ShortCaptureParts,
  request: { readonly url: string; readonly hasScheme: boolean },
  signal: AbortSignal,
  deadlineMs: number,
): Promise<Capture> {
  const takenAt = clock.now()
  const time = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)])
  const budget = { ...captureBudgets.light, requests: 18, pages: maxPages }
  const run = new CaptureRun({ fetcher, productToken, budget, requestedUrl: request.url, signal: time })
  const home = await openSite(run, request, signal)
  if (home.status === 200 && isHtml(home)) {
    const first = await read('home', { reply: home, files: noFiles }, signal)
    const links = await readLinks({ run, read, signal }, home, first)
    const sources = { home: home.finalUrl, links, sitemapUrls: [], isAllowed: () => true }
    const { named, rest } = samplePages(sources, wanted, maxPages)
    // Of a site in a language whose words for "prices" are not known, the entries of the menu are read.
    const inMenu = new Set(links.flatMap(({ url, isNavigation }) => (isNavigation ? [url] : [])))
    const others = rest.filter(
      (url) => inMenu.has(url) && !otherKinds.some((kind) => isPathOfKind(url, kind)),
    )
    const pages = [...named, ...others].slice(0, maxPages)
    const replies = pagesToRead(await run.fetchAll(pages.map((url) => pageFetch('page', url))))
    // A form is known to deliver nothing only where the scripts that may send it were read.
    const scripts = await read('formScripts', { replies: [home, ...replies], files: filesOf(run) }, signal)
    await run.fetchAll(scripts.map(scriptFetch))
  }
  const { exchanges } = run
  return {
    depth: 'light',
    url: request.url,
    domain: siteDomain(new URL(request.url).hostname),
    takenAt,
    exchanges,
  }
}

/** In the order of their use for a text: what it costs, what it offers, who it is, how to reach it. */
const wanted = [pricing, services, about, contact]

/** Pages that say nothing of what the business does. */
const otherKinds = [...noticeKinds, 'blog', 'careers', 'faq'] as const
