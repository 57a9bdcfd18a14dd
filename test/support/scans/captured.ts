import type {
  Capture,
  Depth,
  Exchange,
  FailedRequest,
  Purpose,
  SiteReply,
  SkippedRequest,
} from '../../../src/products/scan/site/capture.ts'
import { readSite } from '../../../src/products/scan/site/read-site.ts'
import type { Site } from '../../../src/products/scan/site/site.ts'

/**
 * Makes a capture by hand, for tests of code that reads captures. Each entry is an address and its reply; the
 * first one is the home page unless its path or its purpose says otherwise.
 *
 *     captured({
 *       'https://site.example/': '<h1>Bikes</h1>',                        // 200, text/html
 *       'https://site.example/robots.txt': 'User-agent: *\nAllow: /',     // 200, text/plain, purpose robots
 *       'https://site.example/gone': { status: 404, purpose: 'link' },
 *       'https://site.example/slow': { failed: 'timeout', purpose: 'page' },
 *       'https://site.example/far': { skipped: 'budget', purpose: 'link' },
 *       'https://site.example/#browser': { purpose: 'home-browser', body: '…' },  // what follows # only tells entries apart
 *     }, { depth: 'full' })
 *
 * A list of entries stands for the same address several times. `site(…)` takes the same and reads it, at
 * 2026-11-21T12:00:00Z unless `now` says otherwise.
 */
export function captured(entries: Entries, options: Options = {}): Capture {
  const exchanges = Object.entries(entries).flatMap(([address, entry], place) =>
    (isList(entry) ? entry : [entry]).map((one) => exchangeOf(address.replace(/#.*$/, ''), one, place === 0)),
  )
  const home = exchanges.find(({ purpose }) => purpose === 'home') ?? exchanges[0]
  const read = options.hasCopies ? exchanges : exchanges.map(unlikeEarlier)
  const url = options.url ?? home?.url ?? 'https://site.example/'
  return {
    depth: options.depth ?? 'full',
    url,
    domain: new URL(url).hostname.replace(/^www\./, ''),
    takenAt: options.takenAt ?? defaultNow,
    ...(options.alpn !== undefined && { alpn: options.alpn }),
    exchanges: read,
  }
}

/** Answers of equal bytes are one page, so a page with the body of an earlier one gets its address in a comment. */
function unlikeEarlier(exchange: Exchange, place: number, all: readonly Exchange[]): Exchange {
  if (exchange.outcome !== 'replied' || exchange.purpose !== 'page' || exchange.body === '') return exchange
  const { body, finalUrl } = exchange
  const isCopy = all
    .slice(0, place)
    .some((one) => one.outcome === 'replied' && one.body === body && one.finalUrl !== finalUrl)
  return isCopy ? { ...exchange, body: `${body}<!-- ${new URL(exchange.url).pathname} -->` } : exchange
}

export function site(entries: Entries, options: Options & { readonly now?: number } = {}): Site {
  return readSite(captured(entries, options), options.now ?? defaultNow)
}

export const defaultNow = Date.parse('2026-11-21T12:00:00Z')

/** One reply, outside of any capture. */
export function reply(url: string, entry: string | ReplyEntry = {}): SiteReply {
  return replyOf(url, typeof entry === 'string' ? { body: entry } : entry, 'page')
}

export type Entries = Readonly<Record<string, Entry | readonly Entry[]>>
/** A string is a body. */
export type Entry = string | ReplyEntry | FailedEntry | SkippedEntry

export interface ReplyEntry {
  readonly purpose?: Purpose
  readonly status?: number
  /** Instead of the default content type only where it names one; names in any case. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string
  readonly finalUrl?: string
  readonly redirects?: SiteReply['redirects']
  readonly isCut?: boolean
  readonly bytes?: number
  readonly firstByteMs?: number
}

export interface FailedEntry {
  readonly purpose?: Purpose
  readonly failed: string
  readonly message?: string
}

export interface SkippedEntry {
  readonly purpose?: Purpose
  readonly skipped: SkippedRequest['reason']
}

export interface Options {
  readonly depth?: Depth
  /** What was asked for; the home page's address unless set. */
  readonly url?: string
  readonly takenAt?: number
  readonly alpn?: string
  /** Pages may have the very body of another one. */
  readonly hasCopies?: boolean
}

function isList(entry: Entry | readonly Entry[]): entry is readonly Entry[] {
  return Array.isArray(entry)
}

function exchangeOf(url: string, entry: Entry, isFirst: boolean): Exchange {
  if (typeof entry === 'string') return replyOf(url, { body: entry }, guessPurpose(url, isFirst))
  const purpose = entry.purpose ?? guessPurpose(url, isFirst)
  if ('failed' in entry) {
    const { failed, message = `The request failed: ${failed}.` } = entry
    return { outcome: 'failed', purpose, url, reason: failed, message } satisfies FailedRequest
  }
  if ('skipped' in entry) {
    return { outcome: 'skipped', purpose, url, reason: entry.skipped } satisfies SkippedRequest
  }
  return replyOf(url, entry, purpose)
}

function replyOf(url: string, entry: ReplyEntry, purpose: Purpose): SiteReply {
  const body = entry.body ?? ''
  const given = Object.entries(entry.headers ?? {}).map(([name, value]): [string, readonly string[]] => [
    name.toLowerCase(),
    typeof value === 'string' ? [value] : value,
  ])
  return {
    outcome: 'replied',
    purpose: entry.purpose ?? purpose,
    url,
    finalUrl: entry.finalUrl ?? url,
    redirects: entry.redirects ?? [],
    status: entry.status ?? 200,
    headers: { 'content-type': [guessType(url)], ...Object.fromEntries(given) },
    body,
    isCut: entry.isCut ?? false,
    bytes: entry.bytes ?? Buffer.byteLength(body),
    firstByteMs: entry.firstByteMs ?? 50,
  }
}

function guessPurpose(url: string, isFirst: boolean): Purpose {
  const { pathname } = new URL(url)
  if (pathname === '/robots.txt') return 'robots'
  if (pathname === '/llms.txt') return 'llms'
  if (pathname === '/llms-full.txt') return 'llms-full'
  if (/^\/[^/]*sitemap[^/]*\.(?:xml|txt)$/.test(pathname)) return 'sitemap'
  if (pathname.startsWith('/.well-known/')) return 'well-known'
  return isFirst || pathname === '/' ? 'home' : 'page'
}

function guessType(url: string): string {
  const { pathname } = new URL(url)
  if (pathname.endsWith('.txt')) return 'text/plain; charset=utf-8'
  if (pathname.endsWith('.xml')) return 'application/xml'
  if (pathname.endsWith('.json')) return 'application/json'
  if (pathname.endsWith('.md')) return 'text/markdown; charset=utf-8'
  return 'text/html; charset=utf-8'
}
