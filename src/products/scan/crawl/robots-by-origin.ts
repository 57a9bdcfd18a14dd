import type { Exchange } from '../site/capture.ts'
import { type Robots, readRobots } from '../site/files/robots.ts'

export interface OriginRobots {
  readonly origin: string
  /** The outcome of the request for robots.txt. */
  readonly exchange: Exchange
  readonly robots: Robots
}

/** Plain data, which can travel to another thread. */
export type RobotsSource = Pick<OriginRobots, 'origin' | 'exchange'>

/**
 * The robots.txt files of all hosts that a scan has met. Fetching obeys them, and so does the choice of pages
 * in another thread. Both parse the same sources here, so both come to the same verdicts.
 */
export class RobotsByOrigin {
  readonly #byOrigin = new Map<string, OriginRobots>()

  constructor(sources: readonly RobotsSource[] = []) {
    for (const { origin, exchange } of sources) this.add(origin, exchange)
  }

  get sources(): RobotsSource[] {
    return [...this.#byOrigin.values()].map(({ origin, exchange }) => ({ origin, exchange }))
  }

  add(origin: string, exchange: Exchange): void {
    this.#byOrigin.set(origin, { origin, exchange, robots: readRobots(exchange, origin) })
  }

  /** Adds a file that another host redirected to. What was read for the origin itself stays. */
  addOnce(origin: string, exchange: Exchange): void {
    if (!this.#byOrigin.has(origin)) this.add(origin, exchange)
  }

  /**
   * The file that rules an address; undefined when it was not read. The file of `https://` also rules
   * `http://`, unless it was unreachable.
   */
  of(url: string): OriginRobots | undefined {
    const { origin, protocol, host } = new URL(url)
    const own = this.#byOrigin.get(origin)
    if (own || protocol === 'https:') return own
    const secure = this.#byOrigin.get(`https://${host}`)
    return secure?.robots.state === 'unreachable' ? undefined : secure
  }

  /** Undefined when the host's robots.txt was not read. */
  isAllowed(productToken: string, url: string): boolean | undefined {
    const rules = this.of(url)
    if (rules === undefined) return undefined
    const { pathname, search } = new URL(url)
    return rules.robots.isAllowed(productToken, `${rules.origin}${pathname}${search}`)
  }
}
