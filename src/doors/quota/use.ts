import type { Allowance, Rate } from '../../core/catalog/limits.ts'
import { type Meter, meterUnits } from '../../core/catalog/prices.ts'
import type { Counter } from './counters/counters.ts'
import { type Per, periodEnd, periodOf, periodStart } from './counters/period.ts'
import type { Window } from './limit-headers.ts'

/**
 * What a call uses up, and the counters that follow from it. Calls count as one each. Of what is metered nobody
 * knows beforehand how much a call will use, so the most it may use is set aside: without that a hundred calls at
 * once would all begin on what is left for one.
 */
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
  /** How its units are counted; undefined where nothing but calls is. */
  readonly meter?: Meter | undefined
}

/**
 * What is counted of an operation, as its counter names it: calls by the id alone, anything else with its unit behind
 * a dot, which no id holds. A catalogue that changes from calls to tokens so begins a count of its own.
 */
function countedAs(operation: string, unit: Allowance['unit']): string {
  return unit === 'calls' ? operation : `${operation}.${unit}`
}

/** What `countedAs` has named. */
export function countedOf(name: string): { readonly operation: string; readonly unit: Allowance['unit'] } {
  const [operation = '', word] = name.split('.')
  return { operation, unit: meterUnits.find((unit) => unit === word) ?? 'calls' }
}

/** What is taken before the call. What is limited comes first, in the order of the allowances. */
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

/** What is counted once the call is over, because no limit needs to know it before: the units it has used. */
export function countersAfter(use: Use, units: number, now: number): Counter[] {
  return use.meter && units > 0 ? unlimited(use, use.meter.per, units, now) : []
}

function unlimited(
  { subject, operation, allowances, isMetered }: Use,
  unit: Allowance['unit'],
  units: number,
  now: number,
): Counter[] {
  if (!isMetered) return []
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

/** The limits of a call as they stand. @param used of each counter of `countersOf`, in its order. */
export function windowsOf({ allowances, meter }: Use, used: readonly number[], now: number): Window[] {
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

/** How many units of an allowance a call must find left. The catalogue has no allowance in units without a maximum. */
export function reserved(unit: Allowance['unit'], meter: Meter | undefined): number {
  if (unit === 'calls') return 1
  if (meter?.maxUnits === undefined)
    throw new Error(`${unit} are limited, and nothing says how many a call may use`)
  return meter.maxUnits
}
