import { createFetcher } from '../../../src/platform/net/fetch.ts'
import { takeCapture } from '../../../src/products/scan/crawl/take-capture.ts'
import { type Analyzed, analyze } from '../../../src/products/scan/worker/analyze.ts'
import { startSite } from '../servers/site-server.ts'

/**
 * Scans a gateway at full depth under its own name, over HTTPS, as a scan of a stranger's site goes. The server in
 * front of it has the certificate and redirects plain HTTP, as an operator's has.
 * @param url where the gateway listens.
 * @param bases its configured addresses; the first is scanned.
 * @param pages of the operator at that address, by path.
 */
export async function scanOwnPages(
  url: string,
  bases: readonly [string, ...string[]],
  pages: Readonly<Record<string, string>> = {},
): Promise<Analyzed> {
  const [base] = bases
  const hosts = bases.map((one) => new URL(one).host)
  const site = await startSite(hosts, async ({ scheme, method, host, path, headers }) => {
    if (scheme === 'http') return { status: 301, headers: { location: `https://${host}${path}` } }
    const page = pages[path]
    if (page !== undefined) return { status: 200, headers: { 'content-type': 'text/html' }, body: page }
    const asked = Object.entries(headers).flatMap(([name, value]) =>
      forwarded.has(name) && value !== undefined ? [[name, String(value)]] : [],
    )
    const reply = await fetch(`${url}${path}`, {
      method,
      headers: Object.fromEntries(asked),
      redirect: 'manual',
    })
    // HTTP/2 has no headers of a connection.
    const kept = [...reply.headers].filter(([name]) => !ofConnection.has(name))
    return {
      status: reply.status,
      headers: { ...Object.fromEntries(kept), vary: 'Accept, Accept-Encoding' },
      body: new Uint8Array(await reply.arrayBuffer()),
    }
  })
  const fetcher = createFetcher({ userAgent: 'tollgate/1.0', allowed: site.allowed, ca: site.ca })
  try {
    const now = Date.now()
    const parts = { fetcher, clock: { now: () => now }, productToken: 'tollgate' }
    const request = { url: `${base}/`, hasScheme: true, depth: 'full' as const }
    const capture = await takeCapture(parts, request, () => {}, new AbortController().signal)
    return analyze(capture, now)
  } finally {
    await fetcher.close()
    await site.close()
  }
}

const forwarded = new Set(['accept', 'user-agent', 'if-none-match', 'if-modified-since', 'content-type'])
const ofConnection = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length'])
