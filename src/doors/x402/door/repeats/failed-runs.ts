import { LRUCache } from 'lru-cache'
import type { Admission, DoorOutcome, RunFailure } from '../../../../core/admission.ts'
import type { GatewayError } from '../../../../core/errors.ts'
import type { Log } from '../../../../core/log.ts'
import type { Reply } from '../../../../core/reply.ts'
import type { Books } from '../../../../platform/store/books.ts'
import type { PaymentRow } from '../../../../platform/store/rows/payments.ts'
import {
  countRun,
  otherFailureMs,
  ownFailureMs,
  runningMs,
  takeOff,
  takeRun,
} from '../../../ledger/unpaid/released-runs.ts'
import { tooManyFailures, unavailable } from '../payment-errors.ts'

/**
 * Bounds the runs that a payer gets for nothing. A failed call is not charged, and a wallet with the price of
 * one call can sign any number of payments, so without this bound it could have an upstream called without
 * end. Failures of the caller's own making weigh four times those of the upstream and of our own.
 */
export interface FailedRuns {
  /** The 429 for a payer who has to wait, as far as this gateway remembers; asks nobody. */
  refusal(payer: Payer): GatewayError | undefined
  /** How many runs that fail by the caller's making count at a time. The claim of a payment takes one. */
  readonly maxRuns: number
  /**
   * The run of a payment that was just claimed.
   * @param isCounted whether it counts as a failed one from its beginning.
   */
  begin(payer: Payer, isCounted: boolean): TakenRun
  /** Remembers that a claim was refused because of failed runs. @returns the 429 for its payer. */
  letWait(payer: Payer, waitMs: number): GatewayError
  /**
   * Takes a run without a claim.
   * @returns undefined when the payer has to wait: `refusal` then says how long.
   * @throws GatewayError PAYMENTS_UNAVAILABLE.
   */
  take(payer: Payer): Promise<TakenRun | undefined>
}

/** A run that may begin. */
interface TakenRun {
  /** Passes an outcome of the door on, and counts how the run of an admitted call ends. */
  follow(outcome: Promise<DoorOutcome>): Promise<DoorOutcome>
}

type Payer = Pick<PaymentRow, 'chainId' | 'payer'>

interface FailedRunsOptions {
  readonly books: Books
  /** How many runs that fail by the caller's making count at a time. */
  readonly maxRuns: number
  readonly log: Log
}

export function createFailedRuns({ books, maxRuns, log }: FailedRunsOptions): FailedRuns {
  /** Until when a payer waits, in milliseconds of the clock. */
  const waiting = new LRUCache<string, number>({ max: 10_000 })
  const keyOf = ({ chainId, payer }: Payer) => `${chainId} ${payer}`

  const begin = (payer: Payer, isCounted: boolean) =>
    new FollowedRun({ books, maxRuns, log }, payer, isCounted)
  const letWait = (payer: Payer, waitMs: number) => {
    waiting.set(keyOf(payer), books.clock.now() + waitMs)
    return tooManyFailures(waitMs)
  }

  return {
    maxRuns,
    begin,
    letWait,
    refusal(payer) {
      const leftMs = (waiting.get(keyOf(payer)) ?? 0) - books.clock.now()
      // A clock that was set back must not make a payer wait for longer.
      return leftMs > 0 && leftMs <= 2 * ownFailureMs ? tooManyFailures(leftMs) : undefined
    },
    async take(payer) {
      const allowance = await takeRun(books, payer, maxRuns).catch((cause: unknown) => {
        throw unavailable(cause)
      })
      if (allowance.kind === 'refused') {
        letWait(payer, allowance.waitMs)
        return undefined
      }
      return begin(payer, allowance.kind === 'counted')
    },
  }
}

class FollowedRun implements TakenRun {
  readonly #options: FailedRunsOptions
  readonly #payer: Payer
  /** Whether it was counted before it began. */
  readonly #isCounted: boolean

  constructor(options: FailedRunsOptions, payer: Payer, isCounted: boolean) {
    this.#options = options
    this.#payer = payer
    this.#isCounted = isCounted
  }

  async follow(opening: Promise<DoorOutcome>): Promise<DoorOutcome> {
    let outcome: DoorOutcome
    try {
      outcome = await opening
    } catch (error) {
      await this.#end()
      throw error
    }
    if (outcome.kind === 'admitted') {
      return { kind: 'admitted', admission: new CountedAdmission(outcome.admission, this) }
    }
    await this.#end()
    return outcome
  }

  async #end(): Promise<void> {
    if (this.#isCounted) await this.#takeOff(runningMs)
  }

  async pay(): Promise<void> {
    if (this.#isCounted) await this.#takeOff(2 * runningMs)
  }

  async fail(failure: RunFailure | undefined): Promise<void> {
    const { books, maxRuns } = this.#options
    const countMs = failure === undefined ? otherFailureMs : ownFailureMs
    const missingMs = this.#isCounted ? countMs - runningMs : countMs
    if (missingMs > 0) await this.#note(countRun(books, this.#payer, missingMs, maxRuns))
  }

  #takeOff(milliseconds: number): Promise<void> {
    return this.#note(takeOff(this.#options.books, this.#payer, milliseconds))
  }

  /** The call has its outcome by now, whatever becomes of the count. */
  async #note(written: Promise<void>): Promise<void> {
    try {
      await written
    } catch (error) {
      this.#options.log.warn({ err: error }, 'the failed runs of a payer could not be counted')
    }
  }
}

/** An admission whose end is counted. */
class CountedAdmission implements Admission {
  readonly owed: string | undefined
  readonly payment: Admission['payment']
  readonly #admission: Admission
  readonly #run: FollowedRun

  constructor(admission: Admission, run: FollowedRun) {
    this.owed = admission.owed
    this.payment = admission.payment
    this.#admission = admission
    this.#run = run
  }

  async settle(reply: Reply): Promise<Reply> {
    try {
      return await this.#admission.settle(reply)
    } finally {
      await this.#run.pay()
    }
  }

  async release(failure?: RunFailure): Promise<Readonly<Record<string, string>>> {
    try {
      return await this.#admission.release(failure)
    } finally {
      await this.#run.fail(failure)
    }
  }
}
