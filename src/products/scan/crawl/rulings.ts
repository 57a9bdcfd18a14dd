import type { Exchange } from '../site/capture.ts'
import { type Robots, readRobots } from '../site/files/robots.ts'

/**
 * The robots.txt of all hosts that a scan has met. Fetching obeys them, and so does the choice of pages in
 * another thread, where a file of half a megabyte of rules may take its time: what goes there are the answers,
 * and both sides read them here.
 */
export interface Ruling {
  readonly origin: string
  readonly exchange: Exchange
  readonly robots: Robots
}

/** A ruling as it travels. */
export type RulingSource = Pick<Ruling, 'origin' | 'exchange'>

export class Rulings {
  readonly #byOrigin = new Map<string, Ruling>()

  constructor(sources: readonly RulingSource[] = []) {
    for (const { origin, exchange } of sources) this.add(origin, exchange)
  }

  get sources(): RulingSource[] {
    return [...this.#byOrigin.values()].map(({ origin, exchange }) => ({ origin, exchange }))
  }

  add(origin: string, exchange: Exchange): void {
    this.#byOrigin.set(origin, { origin, exchange, robots: readRobots(exchange, origin) })
  }

  /** What was read for the origin itself stays. */
  addOnce(origin: string, exchange: Exchange): void {
    if (!this.#byOrigin.has(origin)) this.add(origin, exchange)
  }

  /** The one that rules an address; undefined when it was not read. That of https:// speaks for http:// too. */
  of(url: string): Ruling | undefined {
    const { origin, protocol, host } = new URL(url)
    const own = this.#byOrigin.get(origin)
    if (own || protocol === 'https:') return own
    const secure = this.#byOrigin.get(`https://${host}`)
    return secure?.robots.state === 'unreachable' ? undefined : secure
  }

  /** Undefined: nobody asked the host yet. */
  isAllowed(productToken: string, url: string): boolean | undefined {
    const ruling = this.of(url)
    if (ruling === undefined) return undefined
    const { pathname, search } = new URL(url)
    return ruling.robots.isAllowed(productToken, `${ruling.origin}${pathname}${search}`)
  }
}
