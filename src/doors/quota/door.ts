import type { Admission } from '../../core/admission.ts'
import type { Allowance, Rate } from '../../core/catalog/limits.ts'
import type { Clock } from '../../core/clock.ts'
import { comeBack, GatewayError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import type { Reply } from '../../core/reply.ts'
import { createCommits } from './commits.ts'
import { type Counter, type Counters, QuotasUnavailable } from './counters/counters.ts'
import { limitHeaders, type Window } from './limit-headers.ts'
import type { Limits, Outcome } from './limits.ts'
import type { RateState, Rates } from './rates.ts'
import { countersAfter, countersOf, type Use, windowsOf } from './use.ts'

/**
 * The door for callers who do not pay by the call: the free quota of a client, or what the tier of a key has.
 * A unit is taken before the work and given back when the work fails, so that of a hundred calls at once with
 * one unit left one is served; and all limits of a call are taken together or none. Of an allowance in units the
 * most that a call may use is taken, and what it did not use is given back once its reply is delivered.
 */
export interface QuotaDoor {
  /**
   * @throws GatewayError RATE_LIMIT when a limit is reached; QUOTAS_UNAVAILABLE when units cannot be counted,
   *   because a quota that nobody counts is given away without end.
   */
  open(use: Use): Promise<Admission>
  /** How the limits stand that such a call would meet; nothing is taken. @throws QUOTAS_UNAVAILABLE like `open`. */
  look(use: Use): Promise<readonly Standing[]>
  /** Resolves when what delivered calls did not use has been given back. */
  idle(): Promise<void>
}

/** A limit, and what has been used of it. */
export interface Standing {
  readonly name: Window['name']
  readonly unit: Allowance['unit']
  /** How many a call must find left. */
  readonly units: number
  readonly limit: number
  /** Undefined while it cannot be counted: such a call passes. */
  readonly used: number | undefined
  /** When it begins anew, in milliseconds since the Unix epoch; undefined when it has not begun. */
  readonly resetsAtMs: number | undefined
}

export function createQuotaDoor({
  limits,
  counters,
  rates,
  clock,
  log,
}: {
  readonly limits: Limits
  readonly counters: Pick<Counters, 'take' | 'give' | 'used'>
  readonly rates: Pick<Rates, 'look'>
  readonly clock: Clock
  readonly log: Log
}): QuotaDoor {
  const commits = createCommits(counters, log)

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
        ...(taken ? windowsOf(use, taken.used, now) : []),
      ]
      if (outcome.rate?.allowed === false) throw exhausted(windows)
      if (taken?.kind === 'exhausted') throw exhausted(windows)
      return admission(use, wanted, windows, now)
    },

    async look(use) {
      const { rate, subject } = use
      const standings: Standing[] = []
      if (rate) {
        const state = await rates.look(use.rateOf, rate)
        const resetsAtMs = state && state.resetMs > 0 ? clock.now() + state.resetMs : undefined
        const used = state && rate.calls - state.remaining
        standings.push({ name: 'rate', unit: 'calls', units: 1, limit: rate.calls, used, resetsAtMs })
      }
      const now = clock.now()
      const limited = countersOf({ ...use, isMetered: false }, now)
      if (limited.length === 0) return standings
      const periods = limited.map(({ period }) => period)
      const usages = await counters.used(subject, periods).catch(refuse)
      const used = limited.map(
        ({ operation, period }) =>
          usages.find((one) => one.operation === operation && one.period === period)?.used ?? 0,
      )
      const quotas = windowsOf(use, used, now).map(({ name, unit, units, limit, resetMs }, index) => ({
        name,
        unit,
        units,
        limit,
        used: used[index],
        resetsAtMs: now + resetMs,
      }))
      return [...standings, ...quotas]
    },

    idle: commits.idle,
  }

  function admission(
    use: Use,
    taken: readonly Counter[],
    windows: readonly Window[],
    now: number,
  ): Admission {
    const { meter } = use

    /** A reply that takes its time goes out with what is left while its units are set aside. */
    async function windowsAfter({ delivered, stream, tunnel }: Reply): Promise<readonly Window[]> {
      if (!meter || !delivered) return windows
      const used = commits.commit(delivered, {
        meter,
        held: taken.filter(isHeld),
        after: (units) => countersAfter(use, units, now),
      })
      if (stream || tunnel) return windows
      const units = await used
      if (units === undefined) return windows
      return windows.map((one) => (one.unit === 'calls' ? one : withRest(one, one.units - units)))
    }

    return {
      owed: undefined,
      payment: undefined,
      async settle(reply) {
        const headers = limitHeaders(meter ? await windowsAfter(reply) : windows)
        // A shared cache would serve to everybody what was counted for one.
        return { ...reply, headers: { ...unshared, ...reply.headers, ...headers } }
      },
      async release(failure) {
        // The work was begun, and a caller who leaves each time would have it done for ever: the call counts.
        // What it might have used does not, because nothing of it was delivered.
        const back = failure === 'caller_left' ? taken.filter(isHeld) : taken
        if (back.length > 0) await counters.give(back)
        return limitHeaders(
          windows.map((window) =>
            window.name === 'rate' || (failure === 'caller_left' && window.unit === 'calls')
              ? window
              : withRest(window, window.units),
          ),
        )
      },
    }

    function isHeld({ operation }: Counter): boolean {
      return operation !== use.operation
    }
  }
}

function withRest(window: Window, rest: number): Window {
  return { ...window, remaining: window.remaining + Math.max(rest, 0) }
}

const unshared = { 'cache-control': 'private, no-store' }

function refuse(cause: unknown): never {
  if (!(cause instanceof QuotasUnavailable)) throw cause
  throw comeBack('QUOTAS_UNAVAILABLE', cause)
}

function rateWindow({ calls, seconds }: Rate, { remaining, resetMs }: RateState): Window {
  return { name: 'rate', unit: 'calls', units: 1, limit: calls, remaining, resetMs, seconds }
}

/** The 429 of the specification's part 7. */
function exhausted(windows: readonly Window[]): GatewayError {
  const full = windows.filter(({ remaining, units }) => remaining < units)
  const waitMs = Math.max(...full.map(({ resetMs }) => resetMs), 0)
  const seconds = Math.max(Math.ceil(waitMs / 1000), 1)
  const limit = full.map(limitText).join(' and ')
  const headers = { ...limitHeaders(windows), 'retry-after': String(seconds) }
  return new GatewayError('RATE_LIMIT', { retry_after_seconds: seconds, limit }, { headers })
}

/** Where some are left, and too few, a caller would otherwise not see what it was refused for. */
function limitText({ name, unit, units, limit, remaining, seconds }: Window): string {
  const counted = unit === 'calls' ? String(limit) : `${limit} ${unit}`
  const short = remaining > 0 ? `, of which ${remaining} are left and a call needs ${units}` : ''
  return `${counted} in ${spans[name] ?? `${seconds} s`}${short}`
}

const spans: Partial<Record<Window['name'], string>> = { day: 'a day (UTC)', month: 'a month (UTC)' }
