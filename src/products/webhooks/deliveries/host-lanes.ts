import { LRUCache } from 'lru-cache'
import type { Claimed } from './claim.ts'

/** How many deliveries are sent at the same time. */
interface Places {
  readonly perHost: number
  readonly atOnce: number
  /** An attempt that takes longer makes its host a slow one for a while. */
  readonly slowMs: number
}

/** A host that answers one time at once and another time never must not get the places of quick ones each time. */
const rememberedMs = 600_000

/**
 * The claimed deliveries of this process, in one lane for each receiver's host. A host that answers slowly keeps its
 * own lane busy, and the places of all others stay free. Slow hosts have places of their own: a hundred of them that
 * never answer would otherwise take all places for as long as an attempt may last, again and again.
 */
export class HostLanes {
  readonly #places: Places
  readonly #run: (claimed: Claimed) => Promise<void>
  readonly #lanes = new Map<string, Lane>()
  readonly #known = new LRUCache<string, 'quick' | 'slow'>({ max: 10_000, ttl: rememberedMs })
  #running = 0
  #runningSlow = 0
  #claimed = 0

  /** @param run sends one delivery; it never rejects. */
  constructor(places: Places, run: (claimed: Claimed) => Promise<void>) {
    this.#places = places
    this.#run = run
  }

  /** Deliveries to hosts that are not slow, which wait or are being sent. */
  get claimed(): number {
    return this.#claimed - this.#claimedSlow()
  }

  /** Hosts with at least so many deliveries that wait or are being sent; all slow hosts, while these have enough. */
  hostsWith(count: number): string[] {
    const full = [...this.#lanes].flatMap(([host, { waiting, running }]) =>
      waiting.length + running >= count ? [host] : [],
    )
    if (this.#claimedSlow() < this.#places.atOnce) return full
    return [...new Set([...full, ...[...this.#known.keys()].filter((host) => this.#isSlow(host))])]
  }

  add(claimed: readonly Claimed[]): void {
    for (const one of claimed) {
      const lane = this.#lanes.get(one.host) ?? { waiting: [], running: 0 }
      this.#lanes.set(one.host, lane)
      lane.waiting.push(one)
    }
    this.#claimed += claimed.length
    this.#fill()
  }

  /** Removes the deliveries that are not being sent yet. */
  takeWaiting(): Claimed[] {
    const taken = [...this.#lanes.values()].flatMap(({ waiting }) => waiting.splice(0))
    this.#claimed -= taken.length
    return taken
  }

  #claimedSlow(): number {
    let count = 0
    for (const [host, lane] of this.#lanes) {
      if (this.#isSlow(host)) count += lane.waiting.length + lane.running
    }
    return count
  }

  #isSlow(host: string): boolean {
    return this.#known.peek(host) === 'slow'
  }

  #fill(): void {
    for (const [host, lane] of this.#lanes) {
      // A host that has not answered yet may hold its places for any time.
      const most = this.#known.peek(host) === undefined ? 1 : this.#places.perHost
      while (this.#hasPlace(host) && lane.running < most) {
        const next = lane.waiting.shift()
        if (next === undefined) break
        void this.#start(host, lane, next)
      }
    }
  }

  #hasPlace(host: string): boolean {
    const { atOnce } = this.#places
    return this.#isSlow(host) ? this.#runningSlow < atOnce / 2 : this.#running < atOnce
  }

  async #start(host: string, lane: Lane, claimed: Claimed): Promise<void> {
    const { slowMs, atOnce } = this.#places
    let isInSlowPlace = this.#isSlow(host)
    const count = (change: 1 | -1) => {
      if (isInSlowPlace) this.#runningSlow += change
      else this.#running += change
    }
    lane.running += 1
    count(1)
    const timer = setTimeout(() => {
      this.#known.set(host, 'slow')
      // Without a limit, hosts that were not known as slow before could open connections without end.
      if (isInSlowPlace || this.#runningSlow >= atOnce) return
      count(-1)
      isInSlowPlace = true
      count(1)
      this.#fill()
    }, slowMs).unref()
    try {
      await this.#run(claimed)
    } finally {
      clearTimeout(timer)
      if (!this.#isSlow(host)) this.#known.set(host, 'quick')
      lane.running -= 1
      count(-1)
      this.#claimed -= 1
      // There are thousands of hosts, and an idle one must not keep memory. Behind all others it also waits its turn.
      this.#lanes.delete(host)
      if (lane.waiting.length > 0 || lane.running > 0) this.#lanes.set(host, lane)
      this.#fill()
    }
  }
}

interface Lane {
  readonly waiting: Claimed[]
  running: number
}
