import type { Fetched, Fetcher } from '../../../platform/net/fetch.ts'
import { FetchError } from '../../../platform/net/fetch-error.ts'
import type { Answered, Exchange, Purpose, Skipped } from '../site/capture.ts'
import { type CaptureBudget, keep } from './capture-budget.ts'
import { decodeBody, isText, unpack } from './decode-body.ts'
import { followRedirect, maxRedirects, type Trail } from './follow-redirects.ts'
import { RequestAllowance } from './request-allowance.ts'
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
  readonly #allowance: RequestAllowance
  readonly #ends = new WeakMap<Exchange, string>()
  #bytesLeft: number
  #sitemapBytesLeft: number
  #hostsLeft: number

  constructor(parts: {
    fetcher: Fetcher
    productToken: string
    budget: CaptureBudget
    /** The address that the scan was asked for. */
    asked: string
    /** Aborted when the time is over. */
    signal: AbortSignal
  }) {
    this.#fetcher = parts.fetcher
    this.productToken = parts.productToken
    this.#budget = parts.budget
    this.#signal = parts.signal
    this.#allowance = new RequestAllowance(parts.budget, parts.asked)
    this.#bytesLeft = parts.budget.keptBytes
    this.#sitemapBytesLeft = parts.budget.sitemapBytes
    this.#hostsLeft = parts.budget.hosts
  }

  get requestsLeft(): number {
    return this.#allowance.left
  }

  /** The robots.txt that rules an address; undefined when it was not read. */
  robotsOf(url: string): Ruling | undefined {
    return this.#rulings.of(url)
  }

  get rulings(): RulingSource[] {
    return this.#rulings.sources
  }

  /** Where an exchange of this run came to its end: behind its redirects, also when it got no answer there. */
  endOf(exchange: Exchange): string {
    return this.#ends.get(exchange) ?? exchange.url
  }

  /** Tells where the page is: other sites get few requests from now on. */
  findHome(url: string): void {
    this.#allowance.findHome(url)
  }

  /**
   * Some at a time, in the order of the wishes: the first ones follow their redirects to the end before the
   * next ones begin, so that whoever answers a late wish with a chain of redirects takes nothing from an
   * early one.
   * @param onSettled gets the share of these wishes that is done.
   * @param leave requests are kept for what is asked later.
   */
  async ask(
    wishes: readonly Wish[],
    onSettled: (share: number) => void = () => {},
    leave = 0,
  ): Promise<Exchange[]> {
    const exchanges: Exchange[] = []
    while (exchanges.length < wishes.length) {
      const done = exchanges.length
      // Fewer when few requests are left: eight that stop half way are worth less than two that arrive.
      const some = Math.min(maxAtOnce, Math.max(1, Math.floor((this.requestsLeft - leave) / usualHops)))
      const places = wishes.slice(done, done + some).map((wish) => this.#place(wish))
      await this.#settle(places, leave, () =>
        onSettled((done + places.length - places.filter(isWaiting).length) / wishes.length),
      )
      for (const place of places) exchanges.push(this.#keep(place))
      this.exchanges.push(...exchanges.slice(done))
    }
    return exchanges
  }

  /** Whether the status at this address was seen, so that to wish for it costs no request. */
  isKnown(url: string): boolean {
    return this.#seen({ url, keepBytes: keep.nothing }) !== undefined
  }

  #place(wish: Wish): Place {
    const seen = wish.isReusable ? this.#seen(wish) : undefined
    return { wish, trail: startOf(wish), end: seen && reuse(seen, wish) }
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

  /**
   * Hop by hop: who may go on is decided for all before anybody does, in the order of the wishes and not of the
   * answers. A redirect may lead to a host whose robots.txt nobody has read yet, so that comes before.
   */
  async #settle(places: readonly Place[], leave: number, onSettled: () => void): Promise<void> {
    let waiting = places.filter(isWaiting)
    while (waiting.length > 0) {
      await this.#openHosts(waiting, leave)
      for (const place of waiting) place.end = this.#hindrance(place, leave)
      await Promise.all(
        waiting.filter(isWaiting).map(async (place) => {
          await this.#go(place)
          onSettled()
        }),
      )
      waiting = waiting.filter(isWaiting)
    }
    onSettled()
  }

  /** Reads the robots.txt of every host that was not met before, as far as hosts and requests are left. */
  async #openHosts(waiting: readonly Place[], leave: number): Promise<void> {
    const places = new Map<string, Place>()
    for (const { wish, trail } of waiting) {
      const { origin } = new URL(trail.at)
      if (wish.purpose === 'robots' || !isWeb(trail.at) || this.robotsOf(trail.at) || places.has(origin))
        continue
      // robots.txt alone is of no use.
      const room = { url: trail.at, leave, towards: trail.at }
      if (this.#hostsLeft === 0 || !this.#allowance.hasRoom(2, room)) continue
      this.#hostsLeft -= 1
      const robots: Wish = { purpose: 'robots', url: `${origin}/robots.txt`, keepBytes: keep.robots }
      places.set(origin, { wish: robots, trail: startOf(robots), end: undefined })
    }
    await this.#settle([...places.values()], leave, () => {})
    for (const [origin, place] of places) {
      const exchange = this.#keep(place)
      this.exchanges.push(exchange)
      this.#rulings.add(origin, exchange)
      // Redirected to another host's robots.txt, it is that host's own: it need not be read again.
      const final = exchange.outcome === 'answered' ? new URL(exchange.finalUrl) : undefined
      if (final?.pathname === '/robots.txt') this.#rulings.addOnce(final.origin, exchange)
    }
  }

  /** Why the next request of a wish may not go out; otherwise it counts as made from here on. */
  #hindrance({ wish, trail }: Place, leave: number): Skipped | undefined {
    if (this.#signal.aborted) return skip(wish, 'deadline')
    // The fetcher itself refuses what is no web address; there is no robots.txt to ask for.
    if (!isWeb(trail.at)) return undefined
    if (wish.purpose !== 'robots') {
      const ruling = this.robotsOf(trail.at)
      // There was no room to read it, or not all of the way to it.
      if (ruling === undefined || ruling.exchange.outcome === 'skipped') return skip(wish, 'budget')
      if (!this.#rulings.isAllowed(this.productToken, trail.at)) return skip(wish, 'robots')
    }
    const towards = wish.purpose === 'home' ? trail.at : wish.url
    return this.#allowance.take({ url: trail.at, leave, towards }) ? undefined : skip(wish, 'budget')
  }

  /** Makes the next request of a wish. */
  async #go(place: Place): Promise<void> {
    const { wish, trail } = place
    try {
      const answer = await this.#fetcher.fetch(trail.at, {
        method: trail.method,
        maxRedirects: 0,
        maxBytes: bytesToRead(wish),
        onTooLarge: 'cut',
        deadlineMs: this.#budget.requestDeadlineMs,
        signal: this.#signal,
        headers: wish.headers ?? { accept: '*/*' },
        ...(wish.userAgent === undefined ? {} : { userAgent: wish.userAgent }),
      })
      if (!followRedirect(trail, answer, wish.staysPut ? 0 : maxRedirects))
        place.end = { kind: 'answer', answer }
    } catch (error) {
      if (!(error instanceof FetchError)) throw error
      const { reason, message } = error
      place.end = this.#signal.aborted
        ? skip(wish, 'deadline')
        : { purpose: wish.purpose, url: wish.url, outcome: 'failed', reason, message }
    }
  }

  /** What is kept of an answer; called in the order of the wishes, which is the order bodies are cut in. */
  #keep({ wish, trail, end }: Place): Exchange {
    if (end === undefined) throw new Error(`nothing became of ${wish.purpose} ${wish.url}`)
    if ('outcome' in end) {
      this.#ends.set(end, trail.at)
      return end
    }
    const { answer } = end
    const contentType = answer.headers['content-type']?.[0] ?? ''
    const isSitemap = wish.purpose === 'sitemap'
    const whole = isSitemap ? unpack(answer.body, wish.keepBytes) : answer.body
    const read = whole.subarray(0, wish.keepBytes)
    const room = isSitemap ? Math.min(this.#bytesLeft, this.#sitemapBytesLeft) : this.#bytesLeft
    const kept = isText(contentType) || isSitemap ? read.subarray(0, room) : empty
    this.#bytesLeft -= kept.byteLength
    if (isSitemap) this.#sitemapBytesLeft -= kept.byteLength
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

/** To all hosts together; the fetcher lets four of them to one host. */
const maxAtOnce = 8
/** Who redirects does so once or twice: to https, to www., to a slash. */
const usualHops = 3

/** A wish on its way. */
interface Place {
  readonly wish: Wish
  readonly trail: Trail
  end: Exchange | { readonly kind: 'answer'; readonly answer: Fetched } | undefined
}

function startOf({ url, isHeadEnough }: Wish): Trail {
  return { at: url, method: isHeadEnough ? 'HEAD' : 'GET', redirects: [], waitedMs: 0 }
}

function isWaiting({ end }: Place): boolean {
  return end === undefined
}

function isWeb(url: string): boolean {
  return /^https?:/.test(url)
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
