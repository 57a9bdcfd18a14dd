import pLimit from 'p-limit'
import type { Fetched, Fetcher, FetchOptions } from '../../net/fetch.ts'
import { FetchError } from '../../net/fetch-error.ts'
import type { Answered, Exchange, Purpose, Skipped } from './capture.ts'
import { type CaptureBudget, keep } from './capture-budget.ts'
import { decodeBody, isText, unpack } from './decode-body.ts'
import { followRedirects, mostRedirects, type Permission, type Trail } from './follow-redirects.ts'
import { type Ruling, type RulingSource, Rulings } from './rulings.ts'

/** Something a scan wants to see. */
export interface Wish {
  readonly purpose: Purpose
  readonly url: string
  /** Decoded bytes of the body that are kept; 0: only status and head matter. */
  readonly keepBytes: number
  readonly headers?: Readonly<Record<string, string>>
  readonly userAgent?: string
  /** Read to its end although little is kept, so that the connection can be used again. */
  readonly readsThrough?: boolean
  /** Asked with HEAD first; a server that will not answer that is asked again with GET. */
  readonly isHeadEnough?: boolean
  /** A redirect is the answer. */
  readonly staysPut?: boolean
  /** What an earlier purpose saw at the same address serves as well. */
  readonly isReusable?: boolean
}

/**
 * The fetching of one scan: what is wished for is fetched within the budget, the deadline and what each
 * host's robots.txt permits, and stands in the exchanges in the order it was wished for. Nothing depends on
 * which answer comes first, or the same website would get another score on a slower day.
 */
export class CaptureRun {
  readonly exchanges: Exchange[] = []
  /** As robots.txt knows us. */
  readonly productToken: string
  readonly #fetcher: Fetcher
  readonly #budget: CaptureBudget
  readonly #signal: AbortSignal
  readonly #rulings = new Rulings()
  // The fetcher lets few requests at a time to one host; this one is for all hosts together.
  readonly #inTurn = pLimit(8)
  #requestsLeft: number
  #bytesLeft: number
  #hostsLeft: number

  constructor(parts: {
    fetcher: Fetcher
    productToken: string
    budget: CaptureBudget
    /** Aborted when the time is over. */
    signal: AbortSignal
  }) {
    this.#fetcher = parts.fetcher
    this.productToken = parts.productToken
    this.#budget = parts.budget
    this.#signal = parts.signal
    this.#requestsLeft = parts.budget.requests
    this.#bytesLeft = parts.budget.keptBytes
    this.#hostsLeft = parts.budget.hosts
  }

  get requestsLeft(): number {
    return this.#requestsLeft
  }

  /** The robots.txt that rules an address; undefined when it was not read. */
  robotsOf(url: string): Ruling | undefined {
    return this.#rulings.of(url)
  }

  get rulings(): RulingSource[] {
    return this.#rulings.sources
  }

  /** Undefined: nobody asked yet. */
  isAllowed(url: string): boolean | undefined {
    return this.#rulings.isAllowed(this.productToken, url)
  }

  /** @param onSettled gets the share of these wishes that is done. */
  async ask(wishes: readonly Wish[], onSettled: (share: number) => void = () => {}): Promise<Exchange[]> {
    const places = wishes.map((wish) => this.#place(wish))
    let waiting = places.filter(({ end }) => end === undefined)
    let settled = places.length - waiting.length
    // A redirect may lead to a host whose robots.txt nobody has read yet; then it goes on in another round,
    // so that the hosts are opened in the order of the wishes and not of the answers.
    while (waiting.length > 0) {
      await this.#openHosts(waiting.map(({ trail }) => trail.at))
      await Promise.all(
        waiting.map((place) =>
          this.#inTurn(async () => {
            await this.#go(place)
            if (place.end === undefined) return
            settled += 1
            onSettled(settled / places.length)
          }),
        ),
      )
      waiting = waiting.filter(({ end }) => end === undefined)
    }
    const exchanges = places.map((place) => this.#keep(place))
    this.exchanges.push(...exchanges)
    return exchanges
  }

  /** Whether the status at this address was seen, so that to wish for it costs no request. */
  isKnown(url: string): boolean {
    return this.#seen({ url, keepBytes: keep.nothing }) !== undefined
  }

  #place(wish: Wish): Place {
    const trail = { at: wish.url, redirects: [], waitedMs: 0 }
    const seen = wish.isReusable ? this.#seen(wish) : undefined
    if (seen) return { wish, trail, end: reuse(seen, wish) }
    if (this.#requestsLeft === 0) return { wish, trail, end: skip(wish, 'budget') }
    this.#requestsLeft -= 1
    return { wish, trail }
  }

  /** What was answered at this address before, with as much of its body as is wanted now. */
  #seen({ url, keepBytes }: Pick<Wish, 'url' | 'keepBytes'>): Answered | undefined {
    const serving: readonly Purpose[] =
      keepBytes > keep.nothing ? ['home', 'page'] : ['home', 'page', 'sitemap-url', 'llms-link']
    return this.exchanges.find(
      (exchange): exchange is Answered =>
        exchange.url === url && exchange.outcome === 'answered' && serving.includes(exchange.purpose),
    )
  }

  /** Reads the robots.txt of every host that was not met before, as far as hosts and requests are left. */
  async #openHosts(urls: readonly string[]): Promise<void> {
    const strangers = new Set(
      urls.filter((url) => this.robotsOf(url) === undefined).map((url) => new URL(url).origin),
    )
    const places: Place[] = []
    for (const origin of strangers) {
      if (this.#hostsLeft === 0 || this.#requestsLeft === 0) break
      this.#hostsLeft -= 1
      this.#requestsLeft -= 1
      const url = `${origin}/robots.txt`
      places.push({
        wish: { purpose: 'robots', url, keepBytes: keep.robots },
        trail: { at: url, redirects: [], waitedMs: 0 },
      })
    }
    await Promise.all(places.map((place) => this.#inTurn(() => this.#go(place))))
    for (const place of places) {
      const exchange = this.#keep(place)
      this.exchanges.push(exchange)
      this.#rulings.add(new URL(exchange.url).origin, exchange)
      // Redirected to another host's robots.txt, it is that host's own: it need not be read again.
      const final = exchange.outcome === 'answered' ? new URL(exchange.finalUrl) : undefined
      if (final?.pathname === '/robots.txt') this.#rulings.addOnce(final.origin, exchange)
    }
  }

  /** Takes a wish as far as it goes: to its end, or to a host that was not met before. */
  async #go(place: Place): Promise<void> {
    const { wish, trail } = place
    if (this.#signal.aborted) {
      place.end = skip(wish, 'deadline')
      return
    }
    try {
      const step = await followRedirects(
        trail,
        (url) => this.#hop(wish, url),
        (url) => this.#permit(wish, url),
        wish.staysPut ? 0 : mostRedirects,
      )
      if (step.kind === 'answer') place.end = step
      else if (step.kind === 'forbidden') place.end = skip(wish, 'robots')
      else if (this.#hostsLeft === 0 || this.#requestsLeft === 0) place.end = skip(wish, 'budget')
    } catch (error) {
      if (!(error instanceof FetchError)) throw error
      const { reason, message } = error
      place.end = this.#signal.aborted
        ? skip(wish, 'deadline')
        : { purpose: wish.purpose, url: wish.url, outcome: 'failed', reason, message }
    }
  }

  #permit(wish: Wish, url: string): Permission {
    // The fetcher itself refuses what is no web address; there is no robots.txt to ask for.
    if (wish.purpose === 'robots' || !/^https?:/.test(url)) return 'allowed'
    const isAllowed = this.isAllowed(url)
    if (isAllowed === undefined) return 'stranger'
    return isAllowed ? 'allowed' : 'forbidden'
  }

  async #hop(wish: Wish, url: string): Promise<Fetched> {
    const options: FetchOptions = {
      maxRedirects: 0,
      maxBytes: bytesToRead(wish),
      onTooLarge: 'cut',
      deadlineMs: this.#budget.requestDeadlineMs,
      signal: this.#signal,
      headers: wish.headers ?? { accept: '*/*' },
      ...(wish.userAgent === undefined ? {} : { userAgent: wish.userAgent }),
    }
    if (!wish.isHeadEnough) return this.#fetcher.fetch(url, options)
    const answer = await this.#fetcher.fetch(url, { ...options, method: 'HEAD' })
    // Servers that know no HEAD answer it with all kinds of errors; only GET tells a dead link from those.
    return answer.status >= 400 ? this.#fetcher.fetch(url, options) : answer
  }

  /** What is kept of an answer; called in the order of the wishes, which is the order bodies are cut in. */
  #keep({ wish, trail, end }: Place): Exchange {
    if (end === undefined) throw new Error(`nothing became of ${wish.purpose} ${wish.url}`)
    if ('outcome' in end) return end
    const { answer } = end
    const contentType = answer.headers['content-type']?.[0] ?? ''
    const whole = wish.purpose === 'sitemap' ? unpack(answer.body, wish.keepBytes) : answer.body
    const read = whole.subarray(0, wish.keepBytes)
    const kept = isText(contentType) || wish.purpose === 'sitemap' ? read.subarray(0, this.#bytesLeft) : empty
    this.#bytesLeft -= kept.byteLength
    return {
      purpose: wish.purpose,
      url: wish.url,
      outcome: 'answered',
      finalUrl: trail.at,
      redirects: trail.redirects,
      status: answer.status,
      headers: answer.headers,
      body: decodeBody(kept, contentType),
      isCut: answer.isCut || kept.byteLength < whole.byteLength,
      bytes: read.byteLength,
      firstByteMs: trail.waitedMs,
    }
  }
}

/** A wish on its way. */
interface Place {
  readonly wish: Wish
  readonly trail: Trail
  end?: Exchange | { readonly kind: 'answer'; readonly answer: Fetched }
}

const empty = new Uint8Array()

function bytesToRead({ keepBytes, readsThrough }: Wish): number {
  if (readsThrough) return keep.page
  return Math.max(keepBytes, 1)
}

function skip({ purpose, url }: Wish, reason: Skipped['reason']): Skipped {
  return { purpose, url, outcome: 'skipped', reason }
}

function reuse(seen: Answered, { purpose, keepBytes }: Wish): Answered {
  const body = seen.body.slice(0, keepBytes)
  return { ...seen, purpose, body, isCut: seen.isCut || body.length < seen.body.length }
}
