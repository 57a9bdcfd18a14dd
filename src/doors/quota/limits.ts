import type { Rate } from '../../core/catalog/limits.ts'
import { type Counter, type Counters, QuotasUnavailable, type TakeResult } from './counters/counters.ts'
import type { RateState, Rates } from './rates.ts'

/**
 * All that limits a call, taken together or not at all: a rate that was counted for a call whose quota is used
 * up would have its client wait for nothing, and a unit that was taken from a client who calls too fast would be lost.
 */
export interface Limits {
  /** @throws QuotasUnavailable when units cannot be counted; a rate that cannot be counted lets the call pass. */
  take(rate: RateUse | undefined, counters: readonly Counter[]): Promise<Outcome>
}

interface RateUse {
  /** What is counted together. */
  readonly of: string
  readonly rate: Rate
}

export interface Outcome {
  /** Undefined where there is no rate. */
  readonly rate: RateState | undefined
  /** Undefined where there are no counters, or the rate has refused the call. */
  readonly taken: TakeResult | undefined
}

/** One after the other, the rate first, as it is the cheaper question; it is given back where the counters refuse. */
export function createLimits(counters: Pick<Counters, 'take'>, rates: Pick<Rates, 'take' | 'give'>): Limits {
  return {
    async take(use, wanted) {
      const rate = use && (await rates.take(use.of, use.rate))
      if ((rate && !rate.allowed) || wanted.length === 0) return { rate, taken: undefined }
      try {
        const taken = await counters.take(wanted)
        if (taken.kind === 'taken' || !use || !rate) return { rate, taken }
        await rates.give(use.of, use.rate)
        return { rate: { ...rate, remaining: rate.remaining + 1 }, taken }
      } catch (error) {
        if (use && error instanceof QuotasUnavailable) await rates.give(use.of, use.rate)
        throw error
      }
    },
  }
}
