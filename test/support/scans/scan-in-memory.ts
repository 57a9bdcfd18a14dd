import type { Fetched, Fetcher } from '../../../src/platform/net/fetch.ts'
import { FetchError } from '../../../src/platform/net/fetch-error.ts'
import { takeCapture } from '../../../src/products/scan/crawl/take-capture.ts'
import type { Capture, Depth } from '../../../src/products/scan/site/capture.ts'
import { type Analyzed, analyze } from '../../../src/products/scan/worker/analyze.ts'
import type { SavedSite } from '../servers/saved-site.ts'
import type { SitePage } from '../servers/site-server.ts'
import { defaultNow } from './captured.ts'

/**
 * Scans a saved site without a network: the replies go straight from the site to the scan. Hundreds of scans
 * of changed sites take seconds, where the real connections of `startSite` would take minutes.
 */
export async function scanInMemory(site: SavedSite, depth: Depth): Promise<Analyzed> {
  return analyze(await captureInMemory(site, depth), defaultNow)
}

export async function captureInMemory(site: SavedSite, depth: Depth): Promise<Capture> {
  const parts = { fetcher: fetcherOf(site), clock: { now: () => defaultNow }, productToken: 'tollgate' }
  const request = { url: `https://${site.names[0]}/`, hasScheme: true, depth }
  return await takeCapture(parts, request, () => {}, new AbortController().signal)
}

/** Answers as the server of saved sites does. Other hosts do not exist. */
function fetcherOf(site: SavedSite): Fetcher {
  return {
    async fetch(url, options = {}) {
      const target = new URL(url)
      const { method = 'GET', headers = {}, userAgent = 'tollgate/1.0', maxBytes = 10_000_000 } = options
      if (!site.names.includes(target.host))
        throw new FetchError('dns', target.href, 'The host has no address.')
      const answer = site.answer({
        scheme: target.protocol === 'http:' ? 'http' : 'https',
        method,
        host: target.host,
        path: `${target.pathname}${target.search}`,
        userAgent,
        headers,
      })
      if (typeof answer === 'string')
        throw new FetchError('timeout', target.href, 'The server took too long to begin its answer.')
      return fetched(target.href, answer, method === 'HEAD' ? 0 : maxBytes)
    },
    negotiate: async () => 'h2',
    close: async () => {},
  }
}

function fetched(
  url: string,
  { status = 200, headers = {}, body = '' }: SitePage,
  maxBytes: number,
): Fetched {
  const whole = typeof body === 'string' ? Buffer.from(body) : body
  const isCompressed = /accept-encoding/i.test(String(headers.vary ?? ''))
  const sent = { ...headers, ...(isCompressed && { 'content-encoding': 'gzip' }) }
  return {
    url,
    status,
    headers: Object.fromEntries(
      Object.entries(sent).map(([name, value]) => [name.toLowerCase(), [value].flat()]),
    ),
    redirects: [],
    body: whole.subarray(0, maxBytes),
    isCut: maxBytes > 0 && whole.byteLength > maxBytes,
    bytes: Math.min(whole.byteLength, maxBytes),
    wireBytes: whole.byteLength,
    firstByteMs: 120,
  }
}
