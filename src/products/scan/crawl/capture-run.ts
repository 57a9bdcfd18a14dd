import type { Fetched, Fetcher } from '../../../platform/net/fetch.ts'
import { FetchError } from '../../../platform/net/fetch-error.ts'
import { isAction } from '../site/addresses.ts'
import type { Exchange, Purpose, SiteReply, SkippedRequest } from '../site/capture.ts'
import { type CaptureBudget, keep } from './capture-budget.ts'
import { followRedirect, maxRedirects, type Trail } from './follow-redirects.ts'
import { KeptBodies } from './kept-bodies.ts'
import type { PlannedFetch } from './planned-fetch.ts'
import { RequestAllowance } from './request-allowance.ts'
import { type OriginRobots, RobotsByOrigin, type RobotsSource } from './robots-by-origin.ts'

/**
 * The fetching of one scan, within its budget, its deadline and what each host's robots.txt permits.
 * Exchanges are in the order of the plan. Nothing depends on which reply arrives first, or the same website
 * would get another score on a slower day.
 */
export class CaptureRun {
  readonly exchanges: Exchange[] = []
  /** The name by which robots.txt files address us. */
  readonly productToken: string
  readonly #fetcher: Fetcher
  readonly #budget: CaptureBudget
  readonly #signal: AbortSignal
  readonly #robots = new RobotsByOrigin()
  readonly #allowance: RequestAllowance
  readonly #bodies: KeptBodies
  #hostsLeft: number

  constructor(parts: {
    fetcher: Fetcher
    productToken: string
    budget: CaptureBudget
    /** The address that the caller asked to scan. */
    requestedUrl: string
    /** Aborted when the time is over. */
    signal: AbortSignal
  }) {
    this.#fetcher = parts.fetcher
    this.productToken = parts.productToken
    this.#budget = parts.budget
    this.#signal = parts.signal
    this.#allowance = new RequestAllowance(parts.budget, parts.requestedUrl)
    this.#bodies = new KeptBodies(parts.budget)
    this.#hostsLeft = parts.budget.hosts
  }

  get requestsLeft(): number {
    return this.#allowance.left
  }

  get robotsSources(): RobotsSource[] {
    return this.#robots.sources
  }

  /** The robots.txt that rules an address; undefined when it was not read. */
  robotsOf(url: string): OriginRobots | undefined {
    return this.#robots.of(url)
  }

  /** Sets where the page is. Other sites get few requests from now on. */
  setHome(url: string): void {
    this.#allowance.setHome(url)
  }

  /** Whether the status of this address is known, so that fetching it costs no request. */
  isKnown(url: string): boolean {
    return this.#earlierReply({ url, keepBytes: keep.nothing }) !== undefined
  }

  /** @returns the exchange and the address of its last request, after the redirects. */
  async fetchOne(planned: PlannedFetch): Promise<{ exchange: Exchange; lastUrl: string }> {
    const visit = this.#begin(planned)
    await this.#settle([visit], 0, () => {})
    const exchange = this.#keep(visit)
    this.exchanges.push(exchange)
    return { exchange, lastUrl: visit.trail.at }
  }

  /**
   * Fetches a few at a time, in the order of the plan. The first ones follow their redirects to the end
   * before the next ones begin, so a late address that redirects again and again takes no request from an
   * early one.
   * @param onSettled gets the share of these fetches that is done.
   * @param reserve requests that are left for later fetches.
   */
  async fetchAll(
    plan: readonly PlannedFetch[],
    onSettled: (share: number) => void = () => {},
    reserve = 0,
  ): Promise<Exchange[]> {
    const exchanges: Exchange[] = []
    while (exchanges.length < plan.length) {
      const done = exchanges.length
      // Fewer when few requests are left: two fetches that arrive are worth more than eight that stop half
      // way.
      const count = Math.min(maxAtOnce, Math.max(1, Math.floor((this.requestsLeft - reserve) / usualHops)))
      const visits = plan.slice(done, done + count).map((planned) => this.#begin(planned))
      await this.#settle(visits, reserve, () =>
        onSettled((done + visits.length - visits.filter(isOpen).length) / plan.length),
      )
      for (const visit of visits) exchanges.push(this.#keep(visit))
      this.exchanges.push(...exchanges.slice(done))
    }
    return exchanges
  }

  #begin(planned: PlannedFetch): Visit {
    const earlier = planned.isReusable ? this.#earlierReply(planned) : undefined
    const end: VisitEnd | undefined = earlier && { kind: 'exchange', exchange: reuse(earlier, planned) }
    return { planned, trail: startOf(planned), end }
  }

  /** An earlier reply at this address, if it kept as much of the body as is needed now. */
  #earlierReply({ url, keepBytes }: Pick<PlannedFetch, 'url' | 'keepBytes'>): SiteReply | undefined {
    const purposes: readonly Purpose[] =
      keepBytes > keep.nothing
        ? ['home', 'page']
        : ['home', 'page', 'sitemap-url', 'folder-link', 'llms-link', 'markdown-link', 'picture', 'asset']
    return this.exchanges.find(
      (exchange): exchange is SiteReply =>
        exchange.url === url && exchange.outcome === 'replied' && purposes.includes(exchange.purpose),
    )
  }

  /**
   * Makes the requests of some visits, one round of hops after the other. Before each round, all visits are
   * permitted or refused in the order of the plan, not of the replies. A redirect may lead to a host whose
   * robots.txt was not read yet, so that is read first.
   */
  async #settle(visits: readonly Visit[], reserve: number, onSettled: () => void): Promise<void> {
    let open = visits.filter(isOpen)
    while (open.length > 0) {
      await this.#readRobots(open, reserve)
      for (const visit of open) visit.end = this.#refuse(visit, reserve)
      await Promise.all(
        open.filter(isOpen).map(async (visit) => {
          await this.#request(visit)
          onSettled()
        }),
      )
      open = open.filter(isOpen)
    }
    onSettled()
  }

  /** Reads the robots.txt of every new host, as far as hosts and requests are left. */
  async #readRobots(open: readonly Visit[], reserve: number): Promise<void> {
    const visits = new Map<string, Visit>()
    for (const { planned, trail } of open) {
      const { origin } = new URL(trail.at)
      const isRead = this.robotsOf(trail.at) !== undefined || visits.has(origin)
      if (planned.purpose === 'robots' || !isWeb(trail.at) || isRead) continue
      // Two requests, because robots.txt alone is of no use.
      const room = { url: trail.at, reserve, assumedHome: trail.at }
      if (this.#hostsLeft === 0 || !this.#allowance.hasRoom(2, room)) continue
      this.#hostsLeft -= 1
      const robots: PlannedFetch = {
        purpose: 'robots',
        url: `${origin}/robots.txt`,
        keepBytes: keep.robots,
      }
      visits.set(origin, { planned: robots, trail: startOf(robots), end: undefined })
    }
    await this.#settle([...visits.values()], reserve, () => {})
    for (const [origin, visit] of visits) {
      const exchange = this.#keep(visit)
      this.exchanges.push(exchange)
      this.#robots.add(origin, exchange)
      // A redirect to another host's robots.txt has read that host's file, too.
      const final = exchange.outcome === 'replied' ? new URL(exchange.finalUrl) : undefined
      if (final?.pathname === '/robots.txt') this.#robots.addOnce(final.origin, exchange)
    }
  }

  /** @returns the end of a visit whose next request may not go out. Otherwise that request counts as made. */
  #refuse({ planned, trail }: Visit, reserve: number): VisitEnd | undefined {
    if (this.#signal.aborted) return skip(planned, 'deadline')
    // The fetcher refuses what is not a web address. Such an address has no robots.txt to read.
    if (!isWeb(trail.at)) return undefined
    // The page that the caller asks for is read whatever its address says.
    if (planned.purpose !== 'home' && isAction(trail.at)) return skip(planned, 'action')
    if (planned.purpose !== 'robots') {
      const rules = this.robotsOf(trail.at)
      // Hosts or requests ran out before robots.txt was read.
      if (rules === undefined || rules.exchange.outcome === 'skipped') return skip(planned, 'budget')
      if (!this.#robots.isAllowed(this.productToken, trail.at)) return skip(planned, 'robots')
    }
    const assumedHome = planned.purpose === 'home' ? trail.at : planned.url
    const isTaken = this.#allowance.take({ url: trail.at, reserve, assumedHome })
    return isTaken ? undefined : skip(planned, 'budget')
  }

  async #request(visit: Visit): Promise<void> {
    const { planned, trail } = visit
    try {
      const reply = await this.#fetcher.fetch(trail.at, {
        method: trail.method,
        maxRedirects: 0,
        maxBytes: planned.readsThrough ? keep.page : Math.max(planned.keepBytes, 1),
        onTooLarge: 'cut',
        deadlineMs: this.#budget.requestDeadlineMs,
        signal: this.#signal,
        headers: planned.headers ?? { accept: '*/*' },
        ...(planned.userAgent === undefined ? {} : { userAgent: planned.userAgent }),
      })
      if (!followRedirect(trail, reply, planned.staysPut ? 0 : maxRedirects))
        visit.end = { kind: 'reply', reply }
    } catch (error) {
      if (!(error instanceof FetchError)) throw error
      visit.end = this.#signal.aborted ? skip(planned, 'deadline') : fail(planned, error)
    }
  }

  #keep({ planned, trail, end }: Visit): Exchange {
    switch (end?.kind) {
      case 'reply':
        return this.#bodies.keep(planned, trail, end.reply)
      case 'exchange':
        return end.exchange
      case undefined:
        throw new Error(`${planned.purpose} ${planned.url} has no outcome`)
    }
  }
}

/** To all hosts together; the fetcher lets four of them to one host. */
const maxAtOnce = 8
/** Sites that redirect do so once or twice: to https, to www., to a slash. */
const usualHops = 3

/** A planned fetch on its way; open until it has an end. */
interface Visit {
  readonly planned: PlannedFetch
  readonly trail: Trail
  end: VisitEnd | undefined
}

type VisitEnd =
  | { readonly kind: 'reply'; readonly reply: Fetched }
  | { readonly kind: 'exchange'; readonly exchange: Exchange }

function startOf({ url, isHeadEnough }: PlannedFetch): Trail {
  return { at: url, method: isHeadEnough ? 'HEAD' : 'GET', redirects: [], waitedMs: 0 }
}

function isOpen({ end }: Visit): boolean {
  return end === undefined
}

function isWeb(url: string): boolean {
  return /^https?:/.test(url)
}

function skip({ purpose, url }: PlannedFetch, reason: SkippedRequest['reason']): VisitEnd {
  return { kind: 'exchange', exchange: { purpose, url, outcome: 'skipped', reason } }
}

function fail({ purpose, url }: PlannedFetch, { reason, message }: FetchError): VisitEnd {
  return { kind: 'exchange', exchange: { purpose, url, outcome: 'failed', reason, message } }
}

function reuse(earlier: SiteReply, { purpose, keepBytes }: PlannedFetch): SiteReply {
  const body = earlier.body.slice(0, keepBytes)
  return { ...earlier, purpose, body, isCut: earlier.isCut || body.length < earlier.body.length }
}
