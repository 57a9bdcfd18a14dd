import { RateLimiterMemory } from 'rate-limiter-flexible'
import { GatewayError } from '../../core/errors.ts'

/**
 * Bounds the time that one client address has the thread that finds prices. A call gets its price before it is
 * paid, so without a bound a caller without a wallet could keep the thread busy for ever.
 */
export class WorkBudget {
  readonly #limiter: RateLimiterMemory
  readonly #msPerMinute: number

  constructor(msPerMinute: number) {
    this.#msPerMinute = msPerMinute
    this.#limiter = new RateLimiterMemory({ points: msPerMinute, duration: 60 })
  }

  /** @throws GatewayError RATE_LIMIT when the client has used its time of this minute. */
  async require(client: string): Promise<void> {
    const used = await this.#limiter.get(client)
    if (!used || used.consumedPoints < this.#msPerMinute) return
    const seconds = Math.max(1, Math.ceil(used.msBeforeNext / 1_000))
    throw new GatewayError(
      'RATE_LIMIT',
      {
        retry_after_seconds: seconds,
        limit: `${this.#msPerMinute} ms a minute to read large request bodies`,
      },
      {
        headers: { 'retry-after': String(seconds), connection: 'close' },
        hint: 'Smaller bodies are not limited in this way.',
      },
    )
  }

  async spend(client: string, ms: number): Promise<void> {
    await this.#limiter.penalty(client, Math.ceil(ms))
  }
}
