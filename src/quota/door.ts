import type { Admission } from '../core/admission.ts'
import type { Reply } from '../core/call.ts'
import type { Allowance, Rate } from '../core/catalog.ts'
import type { Clock } from '../core/clock.ts'
import { GatewayError } from '../core/errors.ts'
import { type Counter, type Counters, QuotasUnavailable } from './counters.ts'
import { limitHeaders, type Window } from './limit-headers.ts'
import { periodEnd, periodOf, periodStart } from './period.ts'
import type { Rates } from './rates.ts'

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

const retrySeconds = 5

export function createQuotaDoor({
  counters,
  rates,
  clock,
}: {
  readonly counters: Counters
  readonly rates: Rates
  readonly clock: Clock
}): QuotaDoor {
  return {
    async open(use) {
      const { rate } = use
      const windows: Window[] = []
      if (rate) {
        const state = await rates.take(use.rateOf, rate)
        const { remaining, resetMs } = state
        windows.push({ name: 'rate', limit: rate.calls, remaining, resetMs, seconds: rate.seconds })
        if (!state.allowed) throw exhausted(windows, `${rate.calls} in ${rate.seconds} s`)
      }
      const now = clock.now()
      const wanted = countersOf(use, now)
      if (wanted.length > 0) {
        const taken = await take(wanted, use)
        windows.push(...windowsOf(wanted, taken.used, now))
        if (taken.kind === 'exhausted') {
          if (rate) await rates.give(use.rateOf, rate)
          const full = use.allowances.filter(
            (_, index) => windows.at(index - use.allowances.length)?.remaining === 0,
          )
          throw exhausted(windows, full.map(({ calls, per }) => `${calls}/${per}`).join(' and '))
        }
      }
      return admission(wanted, windows)
    },
  }

  async function take(wanted: readonly Counter[], { rate, rateOf }: Use) {
    try {
      return await counters.take(wanted)
    } catch (cause) {
      if (!(cause instanceof QuotasUnavailable)) throw cause
      if (rate) await rates.give(rateOf, rate)
      throw new GatewayError(
        'QUOTAS_UNAVAILABLE',
        { retry_after_seconds: retrySeconds },
        { cause, headers: { 'retry-after': String(retrySeconds) } },
      )
    }
  }

  function admission(taken: readonly Counter[], windows: readonly Window[]): Admission {
    const headers = limitHeaders(windows)
    return {
      owed: undefined,
      payment: undefined,
      settle: async (reply: Reply) => ({ ...reply, headers: { ...reply.headers, ...headers } }),
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

/** What is limited first, in the order it is told of. */
function countersOf({ subject, operation, allowances, isMetered }: Use, now: number): Counter[] {
  const limited = allowances.map(({ calls, per }) => ({ per, limit: calls }))
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

/** The 429 of the specification's part 7. @param limit which limits are reached, in words. */
function exhausted(windows: readonly Window[], limit: string): GatewayError {
  const full = windows.filter(({ remaining }) => remaining === 0)
  const waitMs = Math.max(...full.map(({ resetMs }) => resetMs), 0)
  const seconds = Math.max(Math.ceil(waitMs / 1000), 1)
  const headers = { ...limitHeaders(windows), 'retry-after': String(seconds) }
  return new GatewayError('RATE_LIMIT', { retry_after_seconds: seconds, limit }, { headers })
}
