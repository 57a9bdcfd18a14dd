import type { IncomingMessage, ServerResponse } from 'node:http'
import { ClientQueue } from './client-queue.ts'

/** In one period, or one turn of the event loop, so many milliseconds begin requests. The rest is for what goes on. */
const budgetMs = 1
const periodMs = 2
/** While connections are being accepted: Node accepts one a turn, so each caller that arrives waits for many turns. */
const budgetOfArrivalsMs = 0.4

/**
 * Begins requests, few in one turn of the event loop, and those of different clients by turns.
 *
 * Hundreds of connections may have a request ready in the same turn. Node would begin all of them before anything else
 * runs: half a millisecond each, so a caller with one request waited for half a second. Here a turn begins requests for
 * a millisecond, and a client with one request waits for one request of each other client, not for all of theirs.
 * Behind a balancer that `TRUST_PROXY` does not name, all callers are one client and are served in their order.
 */
export class Entrance {
  readonly #waiting = new ClientQueue<Waiting>()
  #next: NodeJS.Immediate | undefined
  #since = 0
  #spentMs = 0
  #arrivedAt = Number.NEGATIVE_INFINITY

  /** A connection was accepted. */
  arrived(): void {
    this.#arrivedAt = performance.now()
  }

  /**
   * Begins the request now or in one of the next turns. It is never begun when its connection closes before, or when
   * a fault in its body was answered meanwhile (`broken-requests.ts`).
   */
  enter(req: IncomingMessage, res: ServerResponse, begin: () => void): void {
    if (this.#waiting.isEmpty && this.#hasBudget()) this.#spentMs += timeOf(begin)
    else this.add(req, res, begin)
  }

  /** Begins the request in one of the next turns. */
  add(req: IncomingMessage, res: ServerResponse, begin: () => void): void {
    const client = clientOf(req)
    this.#waiting.add(client, { client, res, begin })
    this.#next ??= setImmediate(this.#takeTurn)
  }

  readonly #takeTurn = (): void => {
    if (performance.now() - this.#arrivedAt >= periodMs) this.#spentMs = 0
    while (this.#hasBudget() && !this.#waiting.isEmpty) {
      for (const { client, res, begin } of this.#waiting.take(1)) {
        if (res.destroyed || res.headersSent) continue
        const ms = timeOf(begin)
        this.#spentMs += ms
        this.#waiting.charge(client, ms)
      }
    }
    this.#next = this.#waiting.isEmpty ? undefined : setImmediate(this.#takeTurn)
  }

  #hasBudget(): boolean {
    const now = performance.now()
    if (now - this.#since >= periodMs) {
      this.#since = now
      this.#spentMs = 0
    }
    return this.#spentMs < (now - this.#arrivedAt < periodMs ? budgetOfArrivalsMs : budgetMs)
  }
}

interface Waiting {
  readonly client: string
  readonly res: ServerResponse
  readonly begin: () => void
}

function timeOf(begin: () => void): number {
  const startedAt = performance.now()
  begin()
  return performance.now() - startedAt
}

/** The address behind the trusted proxies, as Express finds it; without Express that of the connection. */
function clientOf(req: IncomingMessage): string {
  const client = 'ip' in req ? req.ip : req.socket.remoteAddress
  return typeof client === 'string' ? client : ''
}
