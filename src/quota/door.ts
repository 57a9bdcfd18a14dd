import type { Admission } from '../core/admission.ts'
import type { Reply } from '../core/call.ts'
import type { Rate } from '../core/catalog.ts'
import type { Allowance } from '../core/catalog-prices.ts'
import type { Clock } from '../core/clock.ts'
import { comeBack, GatewayError } from '../core/errors.ts'
import { type Counter, type Counters, QuotasUnavailable } from './counters.ts'
import { limitHeaders, type Window } from './limit-headers.ts'
import type { Limits, Outcome } from './limits.ts'
import { periodEnd, periodOf, periodStart } from './period.ts'
import type { RateState, Rates } from './rates.ts'

/**
 * The door for callers who do not pay by the call: the free quota of a client, or what the tier of a key has.
 * A unit is taken before the work and given back when the work fails, so that of a hundred calls at once with
 * one unit left one is served; and all limits of a call are taken together or none.
 */
export interface QuotaDoor {
  /**
   * @throws GatewayError RATE_LIMIT when a limit is reached; QUOTAS_UNAVAILABLE when units cannot be counted,
   *   because a quota that nobody counts is given away without end.
   */
  open(use: Use): Promise<Admission>
  /** How the limits stand that such a call would meet; nothing is taken. @throws QUOTAS_UNAVAILABLE like `open`. */
  look(use: Use): Promise<readonly Standing[]>
}

/** A limit, and what has been used of it. */
export interface Standing {
  readonly name: Window['name']
  readonly limit: number
  /** Undefined while it cannot be counted: such a call passes. */
  readonly used: number | undefined
  /** When it begins anew, in milliseconds since the Unix epoch; undefined when it has not begun. */
  readonly resetsAtMs: number | undefined
}

/** What a call uses up. */
export interface Use {
  /** Whose: `key:<id>`, `oidc:<subject>` or `client:<address>`. */
  readonly subject: string
  readonly operation: string
  readonly rate: Rate | undefined
  /** What the rate counts together. */
  readonly rateOf: string
  readonly allowances: readonly Allowance[]
  /** Whether days and months without a limit are counted as well, for whoever wants to know what was used. */
  readonly isMetered: boolean
}

export function createQuotaDoor({
  limits,
  counters,
  rates,
  clock,
}: {
  readonly limits: Limits
  readonly counters: Pick<Counters, 'give' | 'used'>
  readonly rates: Pick<Rates, 'look'>
  readonly clock: Clock
}): QuotaDoor {
  return {
    async open(use) {
      const { rate, rateOf } = use
      const now = clock.now()
      const wanted = countersOf(use, now)
      let outcome: Outcome
      try {
        outcome = await limits.take(rate && { of: rateOf, rate }, wanted)
      } catch (cause) {
        return refuse(cause)
      }
      const { taken } = outcome
      const windows = [
        ...(rate && outcome.rate ? [rateWindow(rate, outcome.rate)] : []),
        ...(taken ? windowsOf(wanted, taken.used, now) : []),
      ]
      if (outcome.rate?.allowed === false) throw exhausted(windows)
      if (taken?.kind === 'exhausted') throw exhausted(windows)
      return admission(wanted, windows)
    },

    async look(use) {
      const { rate, subject, operation } = use
      const standings: Standing[] = []
      if (rate) {
        const state = await rates.look(use.rateOf, rate)
        const resetsAtMs = state && state.resetMs > 0 ? clock.now() + state.resetMs : undefined
        const used = state && rate.calls - state.remaining
        standings.push({ name: 'rate', limit: rate.calls, used, resetsAtMs })
      }
      const now = clock.now()
      const limited = countersOf({ ...use, isMetered: false }, now)
      if (limited.length === 0) return standings
      const periods = limited.map(({ period }) => period)
      const usages = await counters.used(subject, periods).catch(refuse)
      const used = periods.map(
        (period) => usages.find((one) => one.operation === operation && one.period === period)?.used ?? 0,
      )
      const windows = windowsOf(limited, used, now)
      const quotas = windows.map(({ name, limit, resetMs }, index) => ({
        name,
        limit,
        used: used[index],
        resetsAtMs: now + resetMs,
      }))
      return [...standings, ...quotas]
    },
  }

  function admission(taken: readonly Counter[], windows: readonly Window[]): Admission {
    const headers = limitHeaders(windows)
    return {
      owed: undefined,
      payment: undefined,
      // A shared cache would serve to everybody what was counted for one.
      settle: async (reply: Reply) => ({ ...reply, headers: { ...unshared, ...reply.headers, ...headers } }),
      async release(failure) {
        // The work was begun, and a caller who leaves each time would have it done for ever.
        if (failure === 'caller_left' || taken.length === 0) return headers
        await counters.give(taken)
        return limitHeaders(
          windows.map((window) =>
            window.name === 'rate' ? window : { ...window, remaining: window.remaining + 1 },
          ),
        )
      },
    }
  }
}

const unshared = { 'cache-control': 'private, no-store' }

function refuse(cause: unknown): never {
  if (!(cause instanceof QuotasUnavailable)) throw cause
  throw comeBack('QUOTAS_UNAVAILABLE', cause)
}

/** What is limited first, in the order it is told of. */
function countersOf({ subject, operation, allowances, isMetered }: Use, now: number): Counter[] {
  const limited = allowances.map(({ limit, per }) => ({ per, limit }))
  const unlimited = (['day', 'month'] as const)
    .filter((per) => isMetered && allowances.every((allowance) => allowance.per !== per))
    .map((per) => ({ per, limit: Number.MAX_SAFE_INTEGER }))
  return [...limited, ...unlimited].map(({ per, limit }) => ({
    subject,
    operation,
    period: periodOf(per, now),
    limit,
  }))
}

function windowsOf(counters: readonly Counter[], used: readonly number[], now: number): Window[] {
  return counters.flatMap(({ period, limit }, index) => {
    if (limit === Number.MAX_SAFE_INTEGER) return []
    const per = period.length === 10 ? 'day' : 'month'
    const end = periodEnd(per, now)
    return {
      name: per,
      limit,
      remaining: Math.max(limit - (used[index] ?? 0), 0),
      resetMs: end - now,
      seconds: (end - periodStart(per, now)) / 1000,
    }
  })
}

function rateWindow({ calls, seconds }: Rate, { remaining, resetMs }: RateState): Window {
  return { name: 'rate', limit: calls, remaining, resetMs, seconds }
}

/** The 429 of the specification's part 7. */
function exhausted(windows: readonly Window[]): GatewayError {
  const full = windows.filter(({ remaining }) => remaining === 0)
  const waitMs = Math.max(...full.map(({ resetMs }) => resetMs), 0)
  const seconds = Math.max(Math.ceil(waitMs / 1000), 1)
  const limit = full.map((one) => `${one.limit} in ${spans[one.name] ?? `${one.seconds} s`}`).join(' and ')
  const headers = { ...limitHeaders(windows), 'retry-after': String(seconds) }
  return new GatewayError('RATE_LIMIT', { retry_after_seconds: seconds, limit }, { headers })
}

const spans: Partial<Record<Window['name'], string>> = { day: 'a day (UTC)', month: 'a month (UTC)' }
