import { LRUCache } from 'lru-cache'
import pTimeout from 'p-timeout'
import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import type { Fetcher } from '../../platform/net/fetch.ts'
import { LimitedThreads, TaskTooLarge } from '../../platform/threads/limited-threads.ts'
import type { Read, Readings, ReadingTask } from '../scan/crawl/readings.ts'
import { ScanFailure } from '../scan/findings/scan-failure.ts'
import type { SiteFacts } from '../text/site.ts'
import type { FactsTask } from './facts-thread.ts'

interface SiteReaderParts {
  readonly fetcher: () => Promise<Fetcher>
  readonly clock: Clock
  readonly productToken: string
  readonly log: Log
  /** For all requests to one site; 10 s unless set. */
  readonly deadlineMs?: number
}

export type FactsReading =
  | { readonly outcome: 'read'; readonly facts: SiteFacts }
  /** `problem` is a sentence. */
  | { readonly outcome: 'failed'; readonly address: string; readonly problem: string }

/** A site that did not answer may answer the next caller. */
const readMs = 15 * 60_000
const failedMs = 60_000
/** Of about 30 kB each. */
const maxSites = 200
/** For one page, and for the facts of all. */
const threadMs = 10_000

/**
 * Reads the websites that callers of paid texts name, and keeps what it read for a quarter of an hour: two texts about
 * one business cost its site one visit. Pages are parsed in a thread, as those of scans are.
 */
export class SiteReader {
  readonly #parts: SiteReaderParts
  readonly #threads: LimitedThreads
  readonly #closing = new AbortController()
  readonly #kept: LRUCache<string, Promise<FactsReading>>

  constructor(parts: SiteReaderParts) {
    this.#parts = parts
    const program = new URL('facts-thread.ts', import.meta.url)
    this.#threads = new LimitedThreads(
      { program, threads: 1, maxHeapMb: 192, work: 'reads websites for texts' },
      parts.log,
    )
    this.#kept = new LRUCache({ max: maxSites, ttl: readMs, ttlResolution: 0, perf: parts.clock })
  }

  /**
   * @param website a domain or an http(s) address.
   * @throws the signal's reason. What goes wrong with the site is part of the reading.
   */
  async read(website: string, signal: AbortSignal): Promise<FactsReading> {
    const request = toRequest(website)
    const key = `${request.hasScheme ? '' : '?'}${request.url}`
    let reading = this.#kept.get(key)
    if (reading === undefined) {
      const started = this.#read(request)
      reading = started
      this.#kept.set(key, started)
      // A caller who leaves does not end the reading for the others.
      started.then(
        ({ outcome }) => {
          if (outcome === 'failed') this.#kept.set(key, started, { ttl: failedMs })
        },
        () => this.#kept.delete(key),
      )
    }
    return await pTimeout(reading, { milliseconds: Number.POSITIVE_INFINITY, signal })
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the gateway stops'))
    await this.#threads.close()
  }

  async #read(request: SiteRequest): Promise<FactsReading> {
    const { signal } = this.#closing
    const { fetcher: load, clock, productToken, deadlineMs = 10_000 } = this.#parts
    const { hostname: address } = new URL(request.url)
    try {
      // As for the first scan: what fetches and decodes pages is loaded with the first site.
      const [fetcher, { takeShortCapture }] = await Promise.all([load(), import('./short-capture.ts')])
      const capture = await takeShortCapture(
        { fetcher, clock, productToken, read: this.#readInThread },
        request,
        signal,
        deadlineMs,
      )
      const task: FactsTask = { capture, now: clock.now() }
      const facts = await this.#threads.run<SiteFacts | undefined>(task, { limitMs: threadMs, signal })
      if (facts !== undefined) return { outcome: 'read', facts }
      const home = capture.exchanges.find(({ purpose }) => purpose === 'home')
      const answer =
        home?.outcome === 'replied' && home.status !== 200 ? `status ${home.status}` : 'no HTML page'
      return { outcome: 'failed', address, problem: `It answers our reader with ${answer}.` }
    } catch (error) {
      if (error instanceof ScanFailure)
        return { outcome: 'failed', address, problem: firstSentences(error.message) }
      if (error instanceof TaskTooLarge)
        return { outcome: 'failed', address, problem: 'Its pages are too large to be read.' }
      throw error
    }
  }

  readonly #readInThread: Read = async <Name extends keyof Readings>(
    name: Name,
    sources: Readings[Name]['sources'],
    signal: AbortSignal,
  ) => {
    const task: ReadingTask<Name> = { name, sources }
    return await this.#threads.run<Readings[Name]['result']>(task, {
      name: 'reading',
      limitMs: threadMs,
      signal,
    })
  }
}

interface SiteRequest {
  readonly url: string
  readonly hasScheme: boolean
}

function toRequest(website: string): SiteRequest {
  const text = website.trim()
  const hasScheme = /^https?:\/\//i.test(text)
  return { url: new URL(hasScheme ? text : `https://${text}`).href, hasScheme }
}

/** Without the advice to scan again. */
function firstSentences(message: string): string {
  return message.replace(
    /\s*(?:Check that the address|Scan the address|Repair it|If it is your site).*$/s,
    '',
  )
}
