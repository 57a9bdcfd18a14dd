import pTimeout from 'p-timeout'
import type { Clock } from '../../core/clock.ts'
import { comeBack } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'

/** How long what was read before may be used while the store does not reply. */
const maxStaleMs = 300_000
/** The first calls of an outage wait this long for a store that hangs. */
const patienceMs = 1_000
/** In an outage the store is asked this often. */
const retryMs = 1_000

interface Read<Value> {
  readonly value: Value
  /** Why the store does not reply, when an earlier read was used in its place. */
  readonly failure?: { readonly cause: unknown }
}

/**
 * Reads the store, and goes on with an earlier read while the store does not reply. In an outage no call waits for the
 * store: one read a second runs in the background and finds that the store is back.
 */
export class OutageReads {
  readonly #clock: Clock
  readonly #log: Log
  #outage: { readonly cause: unknown; retryAtMs: number } | undefined

  constructor(clock: Clock, log: Log) {
    this.#clock = clock
    this.#log = log
  }

  /**
   * @param read starts a read, or joins one.
   * @param known what may be used if there is no reply; without it the read decides.
   */
  async get<Value>(read: () => Promise<Value>, known: Value | undefined): Promise<Read<Value>> {
    if (known === undefined) return { value: await this.#watch(read()) }
    const outage = this.#outage
    if (!outage) {
      try {
        return { value: await this.#watch(pTimeout(read(), { milliseconds: patienceMs, fallback: noReply })) }
      } catch (cause) {
        return { value: known, failure: { cause } }
      }
    }
    if (this.#clock.now() >= outage.retryAtMs) {
      outage.retryAtMs = this.#clock.now() + retryMs
      this.#watch(read()).catch(() => {
        // `#watch` has noted it.
      })
    }
    return { value: known, failure: outage }
  }

  async #watch<Value>(reading: Promise<Value>): Promise<Value> {
    try {
      const value = await reading
      this.#outage = undefined
      return value
    } catch (cause) {
      if (!this.#outage)
        this.#log.warn({ err: cause }, 'keys cannot be read; those that were used lately stay in use')
      this.#outage = { cause, retryAtMs: this.#clock.now() + retryMs }
      throw cause
    }
  }
}

/** Whether something that was read at this time may still be used in an outage. */
export function isUsable(readAtMs: number, clock: Clock): boolean {
  const ageMs = clock.now() - readAtMs
  // If the clock is set back, a revoked key must not stay valid.
  return ageMs >= 0 && ageMs < maxStaleMs
}

function noReply(): never {
  throw comeBack('QUOTAS_UNAVAILABLE', new Error(`the store did not reply within ${patienceMs} ms`))
}
