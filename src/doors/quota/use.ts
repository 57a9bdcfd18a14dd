import type { Allowance, Rate } from '../../core/catalog/limits.ts'
import { type Meter, meterUnits } from '../../core/catalog/prices.ts'
import type { Counter } from './counters/counters.ts'
import { type Per, periodEnd, periodOf, periodStart } from './counters/period.ts'
import type { LimitWindow } from './limit-headers.ts'

/**
 * What a call uses of its quotas, and the counters that follow from it. A call counts as one. How much a
 * metered call uses is known only at its end, so its maximum is reserved before: without that, a hundred
 * calls at once would all start on the units that are left for one.
 */
export interface Use {
  /** The caller: `key:<id>`, `oidc:<subject>` or `client:<address>`. */
  readonly subject: string
  readonly operation: string
  readonly rate: Rate | undefined
  /** What the rate counts together. */
  readonly rateOf: string
  readonly allowances: readonly Allowance[]
  /** Whether days and months without a limit are counted too, so that the caller can read its usage. */
  readonly countsUnlimited: boolean
  /** How units are counted; undefined where only calls are. */
  readonly meter?: Meter | undefined
  /** The length of the request's body for an upstream, as far as it is known; by default none. */
  readonly requestBytes?: () => number
}

/**
 * Names a counter of an operation: the id alone for calls, the id with the unit behind a dot for anything
 * else. No id contains a dot. So a catalog that changes from calls to tokens starts a new count.
 */
function countedAs(operation: string, unit: Allowance['unit']): string {
  return unit === 'calls' ? operation : `${operation}.${unit}`
}

/** Reads a name that `countedAs` made. */
export function countedOf(name: string): { readonly operation: string; readonly unit: Allowance['unit'] } {
  const [operation = '', word] = name.split('.')
  return { operation, unit: meterUnits.find((unit) => unit === word) ?? 'calls' }
}

/**
 * The counters to take from before the call. Those with a limit come first, in the order of the allowances.
 */
export function countersOf(use: Use, now: number): Counter[] {
  const { subject, operation, allowances, meter } = use
  const limited = allowances.map(({ limit, unit, per }) => ({
    subject,
    operation: countedAs(operation, unit),
    period: periodOf(per, now),
    limit,
    units: reserved(unit, meter),
  }))
  return [...limited, ...unlimited(use, 'calls', 1, now)]
}

/** Whether nothing limits the call: its use is counted for its caller to read, and no count can refuse it. */
export function isUnlimited({ rate, allowances }: Use): boolean {
  return rate === undefined && allowances.length === 0
}

/** The counters to add the used units to after the call. They have no limit, so they can wait until then. */
export function countersAfter(use: Use, units: number, now: number): Counter[] {
  return use.meter && units > 0 ? unlimited(use, use.meter.per, units, now) : []
}

function unlimited(
  { subject, operation, allowances, countsUnlimited }: Use,
  unit: Allowance['unit'],
  units: number,
  now: number,
): Counter[] {
  if (!countsUnlimited) return []
  return periods
    .filter((per) => !allowances.some((allowance) => allowance.per === per && allowance.unit === unit))
    .map((per) => ({
      subject,
      operation: countedAs(operation, unit),
      period: periodOf(per, now),
      limit: Number.MAX_SAFE_INTEGER,
      units,
    }))
}

const periods: readonly Per[] = ['day', 'month']

/**
 * The limits of a call as they stand.
 * @param used the used units of each counter of `countersOf`, in its order.
 */
export function windowsOf({ allowances, meter }: Use, used: readonly number[], now: number): LimitWindow[] {
  return allowances.map(({ limit, unit, per }, index) => {
    const end = periodEnd(per, now)
    return {
      name: per,
      unit,
      units: reserved(unit, meter),
      limit,
      remaining: Math.max(limit - (used[index] ?? 0), 0),
      resetMs: end - now,
      seconds: (end - periodStart(per, now)) / 1000,
    }
  })
}

/**
 * The units of an allowance that a call reserves.
 * @throws Error for an allowance in units without a maximum, which the catalog refuses.
 */
export function reserved(unit: Allowance['unit'], meter: Meter | undefined): number {
  if (unit === 'calls') return 1
  if (meter?.maxUnits === undefined)
    throw new Error(`${unit} are limited, but the price has no max_units for a call`)
  return meter.maxUnits
}
