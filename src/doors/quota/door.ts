import type { Admission } from '../../core/admission.ts'
import type { Allowance, Rate } from '../../core/catalog/limits.ts'
import type { Clock } from '../../core/clock.ts'
import { comeBack, GatewayError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import { QuotaAdmission } from './admission.ts'
import { Commits } from './commits.ts'
import { type Counter, type Counters, QuotasUnavailable } from './counters/counters.ts'
import { LargeRefusals } from './large-refusals.ts'
import type { LateUses } from './late-uses.ts'
import { type LimitWindow, limitHeaders } from './limit-headers.ts'
import type { LimitOutcome, Limits } from './limits.ts'
import type { RateState, Rates } from './rates/rates.ts'
import { countersOf, isUnlimited, type Use, windowsOf } from './use.ts'

/**
 * The door for callers who do not pay for the call: a client with a free quota, or the holder of a key. A
 * unit is taken before the work and given back when the work fails: if it were taken after the work, a
 * hundred calls at once could use the one unit that is left. All limits of a call are taken together or not
 * at all. From an allowance in units the maximum of the call is reserved, and the unused part is given back
 * once the reply was delivered.
 */
export interface QuotaDoor {
  /**
   * Takes what the call uses. A call without any limit waits for no count.
   * @throws GatewayError RATE_LIMIT when a limit is reached; QUOTAS_UNAVAILABLE when units cannot be counted,
   * because an uncounted quota would be unlimited.
   */
  open(use: Use): Promise<Admission>
  /**
   * Reads the limits that such a call would meet. Takes nothing.
   * @throws GatewayError QUOTAS_UNAVAILABLE like `open`.
   */
  look(use: Use): Promise<readonly Standing[]>
  /** Resolves when all delivered calls are counted and their unused units are given back, as far as possible now. */
  idle(): Promise<void>
}

/** The state of a limit before a call. */
export interface Standing {
  readonly name: LimitWindow['name']
  readonly unit: Allowance['unit']
  /** The units that a call reserves. */
  readonly units: number
  readonly limit: number
  /** Undefined while a rate cannot be counted; then calls pass. */
  readonly used: number | undefined
  /** The end of the window, in milliseconds since the Unix epoch; undefined when it has not begun. */
  readonly resetsAtMs: number | undefined
}

/** Counts a limit that refused a call. */
export type CountLimit = (door: 'free' | 'key', limit: LimitWindow['name']) => void

interface QuotaDoorOptions {
  readonly limits: Limits
  readonly counters: Pick<Counters, 'give' | 'used'>
  readonly lateUses: Pick<LateUses, 'take' | 'give' | 'flush'>
  readonly rates: Pick<Rates, 'look'>
  readonly countLimit?: CountLimit
  readonly clock: Clock
  readonly log: Log
}

export function createQuotaDoor(options: QuotaDoorOptions): QuotaDoor {
  const { limits, counters, lateUses, rates, countLimit, clock, log } = options
  const commits = new Commits(counters, lateUses, log)
  const largeRefusals = new LargeRefusals()
  return {
    async open(use) {
      const { rate, rateOf } = use
      const now = clock.now()
      const wanted = countersOf(use, now)
      if (isUnlimited(use)) return countLater(use, wanted, now)
      let outcome: LimitOutcome
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
      if (outcome.rate?.allowed === false || taken?.kind === 'exhausted') {
        const full = windows.filter(({ remaining, units }) => remaining < units)
        for (const { name } of full) countLimit?.(doorOf(use), name)
        throw limitReached(windows, full, now)
      }
      return new QuotaAdmission({ use, taken: wanted, windows, now, counters, commits, largeRefusals })
    },
    look: (use) => readStandings(use, { counters, rates, clock }),
    async idle() {
      await commits.idle()
      await lateUses.flush()
    },
  }

  function countLater(use: Use, taken: readonly Counter[], now: number): Admission {
    const counted = lateUses.take(taken)
    // A unit that was given back before it was taken would stay taken.
    const give = async (back: readonly Counter[]) => void counted.then(() => lateUses.give(back))
    return new QuotaAdmission({ use, taken, windows: [], now, counters: { give }, commits, largeRefusals })
  }
}

async function readStandings(
  use: Use,
  { counters, rates, clock }: Pick<QuotaDoorOptions, 'counters' | 'rates' | 'clock'>,
): Promise<readonly Standing[]> {
  const { rate, subject } = use
  const standings: Standing[] = []
  if (rate) {
    const state = await rates.look(use.rateOf, rate)
    const resetsAtMs = state && state.resetMs > 0 ? clock.now() + state.resetMs : undefined
    const used = state && rate.calls - state.remaining
    standings.push({ name: 'rate', unit: 'calls', units: 1, limit: rate.calls, used, resetsAtMs })
  }
  const now = clock.now()
  const limited = countersOf({ ...use, countsUnlimited: false }, now)
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
}

function refuse(cause: unknown): never {
  if (!(cause instanceof QuotasUnavailable)) throw cause
  throw comeBack('QUOTAS_UNAVAILABLE', cause)
}

function rateWindow({ calls, seconds }: Rate, { remaining, resetMs }: RateState): LimitWindow {
  return { name: 'rate', unit: 'calls', units: 1, limit: calls, remaining, resetMs, seconds }
}

function doorOf({ subject }: Use): 'free' | 'key' {
  return subject.startsWith('client:') ? 'free' : 'key'
}

/** The 429 of the specification's part 7. */
function limitReached(
  windows: readonly LimitWindow[],
  full: readonly LimitWindow[],
  now: number,
): GatewayError {
  const waitMs = Math.max(...full.map(({ resetMs }) => resetMs), 0)
  const seconds = Math.max(Math.ceil(waitMs / 1000), 1)
  const limit = full.map(limitText).join(' and ')
  const headers = { ...limitHeaders(windows), 'retry-after': String(seconds) }
  // Rounded up to the second, so that the time is never too early.
  const resetsAt = new Date(Math.ceil((now + waitMs) / 1000) * 1000).toISOString()
  const hint = `The limit resets at ${resetsAt}.`
  return new GatewayError('RATE_LIMIT', { retry_after_seconds: seconds, limit }, { headers, hint })
}

/**
 * Says how many units are left where some are, and too few: otherwise the caller could not see why it was
 * refused.
 */
function limitText({ name, unit, units, limit, remaining, seconds }: LimitWindow): string {
  const counted = unit === 'calls' ? String(limit) : `${limit} ${unit}`
  const short = remaining > 0 ? `, of which ${remaining} are left and a call needs ${units}` : ''
  return `${counted} in ${windowNames[name] ?? `${seconds} s`}${short}`
}

const windowNames: Partial<Record<LimitWindow['name'], string>> = {
  day: 'a day (UTC)',
  month: 'a month (UTC)',
}
