import type { Rate } from '../../core/catalog/limits.ts'
import { type Counter, type Counters, QuotasUnavailable, type TakeResult } from './counters/counters.ts'
import type { RateState, Rates } from './rates/rates.ts'

/**
 * Takes everything that limits a call, or nothing. If a call without quota counted against its rate, its
 * client would wait for nothing. If a call that comes too fast took a unit, that unit would be lost.
 */
export interface Limits {
  /** @throws QuotasUnavailable when units cannot be counted. A call whose rate cannot be counted passes. */
  take(rate: RateUse | undefined, counters: readonly Counter[]): Promise<LimitOutcome>
}

interface RateUse {
  /** What the rate counts together. */
  readonly of: string
  readonly rate: Rate
}

export interface LimitOutcome {
  /** Undefined where there is no rate. */
  readonly rate: RateState | undefined
  /** Undefined where there are no counters, or where the rate has refused the call. */
  readonly taken: TakeResult | undefined
}

/** Takes the rate first, because it costs less, and gives it back when the counters refuse. */
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
