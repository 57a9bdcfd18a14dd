import type { Log } from '../../../core/log.ts'
import type { Books } from '../../../platform/store/books.ts'
import type { Held } from '../../ledger/payments.ts'
import {
  concludedHandovers,
  endHandover,
  type HandoverOutcome,
  handOver,
} from '../../ledger/settling/handovers.ts'
import type { Settlement } from '../wire/facilitator.ts'
import { readOutcome } from './outcome.ts'

interface HandoversOptions {
  readonly books: Books
  readonly chainId: number
  /** Longest wait for an outcome. */
  readonly timeoutMs: number
  readonly log: Log
}

interface Waiting {
  readonly held: Held
  readonly outcome: PromiseWithResolvers<HandoverOutcome | undefined>
}

/** Between two looks at the outcomes of all payments that wait. */
const lookEveryMs = 50
/** A store that is down is not asked twenty times a second. */
const pauseAfterErrorMs = 1_000

/**
 * Has payments settled by the gateway that holds an account, and waits for the outcomes. The payment stays this
 * gateway's: whatever the other one does, or if it dies, the outcome is settled, failed or unknown, and the caller
 * goes on as after a settlement of its own.
 */
export class Handovers {
  readonly #options: HandoversOptions
  readonly #waiting = new Map<string, Waiting>()
  #looking: NodeJS.Timeout | undefined

  constructor(options: HandoversOptions) {
    this.#options = options
  }

  /** How many payments wait for another gateway. */
  get size(): number {
    return this.#waiting.size
  }

  /**
   * Never rejects: what is not known in time is `unknown`.
   * @param account in lower-case hex.
   */
  async settle(held: Held, account: string, attempt: 'first' | 'again'): Promise<Settlement> {
    const { books, chainId, timeoutMs, log } = this.#options
    log.info({ payment: held.id, account }, 'a payment is handed to the gateway that holds its account')
    const outcome = Promise.withResolvers<HandoverOutcome | undefined>()
    const giveUp = setTimeout(() => outcome.resolve(undefined), timeoutMs)
    try {
      await handOver(books, held, { chainId, account, isAgain: attempt === 'again' })
      this.#waiting.set(keyOf(held), { held, outcome })
      this.#watch()
      return readOutcome(await outcome.promise)
    } catch (cause) {
      return { outcome: 'unknown', cause }
    } finally {
      clearTimeout(giveUp)
      this.#waiting.delete(keyOf(held))
      void endHandover(books, held).catch((error: unknown) => {
        log.warn({ err: error, payment: held.id }, 'a handed-over payment could not be taken back')
      })
    }
  }

  #watch(waitMs = lookEveryMs): void {
    this.#looking ??= setTimeout(async () => {
      const isRead = await this.#look()
      this.#looking = undefined
      if (this.#waiting.size > 0) this.#watch(isRead ? lookEveryMs : pauseAfterErrorMs)
    }, waitMs)
  }

  /** @returns whether the store replied. */
  async #look(): Promise<boolean> {
    const { books, log } = this.#options
    try {
      const waiting = [...this.#waiting.values()].map(({ held }) => held)
      for (const concluded of await concludedHandovers(books, waiting)) {
        this.#waiting.get(keyOf(concluded))?.outcome.resolve(concluded)
      }
      return true
    } catch (error) {
      // The payments go on waiting, and the next look repeats the question.
      log.warn({ err: error }, 'the outcomes of handed-over payments could not be read')
      return false
    }
  }
}

function keyOf({ id, attempt }: Held): string {
  return `${id}:${attempt}`
}
