import type { IncomingMessage, ServerResponse } from 'node:http'
import { TimedSteps } from '../../../platform/threads/timed-steps.ts'
import type { Arrivals } from './arrivals.ts'
import { ClientQueue } from './client-queue.ts'

/** A turn of the event loop begins requests for so many milliseconds. The rest is for what goes on. */
const msPerTurn = 1
/** While connections arrive, one request begins in so many milliseconds. */
const msApart = 5
/** After a long turn as many begin at once as would have begun in this time. */
const madeUpMs = 25

/**
 * Begins requests, few in one turn of the event loop, and those of different clients by turns.
 *
 * Hundreds of connections may have a request ready in the same turn. Node would begin all of them before anything else
 * runs: half a millisecond each, so a caller with one request waited for half a second. Here a turn begins requests for
 * a millisecond, and a client of which nothing waits or runs comes next (`client-queue.ts`), not behind all requests of others.
 * Behind a balancer that `TRUST_PROXY` does not name, all callers are one client and are served in their order.
 */
export class Entrance {
  readonly #waiting = new ClientQueue<Waiting>()
  readonly #steps = new TimedSteps(msPerTurn, () => this.#beginNext())
  /** When the last request began, or would have begun if they were `msApart`. */
  #begunAt = 0
  readonly #arrivals: Arrivals

  constructor(arrivals: Arrivals) {
    this.#arrivals = arrivals
  }

  /**
   * Begins the request now or in one of the next turns. It is never begun when its connection closes before, or when
   * a fault in its body was answered meanwhile (`broken-requests.ts`).
   */
  enter(req: IncomingMessage, res: ServerResponse, begin: () => void): void {
    if (this.#waiting.isEmpty && !this.#letsArrivalsPass() && this.#steps.hasTime()) this.#begin(begin)
    else this.add(req, res, begin)
  }

  /** Begins the request in one of the next turns. */
  add(req: IncomingMessage, res: ServerResponse, begin: () => void): void {
    const client = clientOf(req)
    this.#waiting.add(client, { client, res, begin })
    this.#steps.wake()
  }

  /** @returns how many wait. */
  #beginNext(): number {
    if (this.#letsArrivalsPass()) return this.#waiting.size
    for (const { client, res, begin } of this.#waiting.take(1)) {
      if (res.destroyed || res.headersSent) continue
      this.#waiting.begun(client)
      const startedAt = performance.now()
      res.once('close', () => this.#waiting.ended(client, performance.now() - startedAt))
      this.#waiting.charge(client, this.#begin(begin))
    }
    return this.#waiting.size
  }

  #letsArrivalsPass(): boolean {
    return this.#arrivals.areOn && performance.now() - this.#begunAt < msApart
  }

  /** @returns how long it took. */
  #begin(begin: () => void): number {
    const startedAt = performance.now()
    const earliest = this.#arrivals.areOn ? this.#begunAt + msApart : startedAt
    this.#begunAt = Math.max(earliest, startedAt - madeUpMs)
    begin()
    return performance.now() - startedAt
  }
}

interface Waiting {
  readonly client: string
  readonly res: ServerResponse
  readonly begin: () => void
}

/** The address behind the trusted proxies, as Express finds it; without Express that of the connection. */
function clientOf(req: IncomingMessage): string {
  const client = 'ip' in req ? req.ip : req.socket.remoteAddress
  return typeof client === 'string' ? client : ''
}
