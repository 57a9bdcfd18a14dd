import type { Opportunity } from '../findings/results.ts'

/** Hours a month. */
export interface TimeSavings {
  readonly minHours: number
  readonly maxHours: number
}

/** Adds up what the opportunities save; undefined when none of them names hours. */
export function timeSavings(opportunities: readonly Opportunity[]): TimeSavings | undefined {
  const ranges = opportunities.flatMap(rangeOf)
  if (ranges.length === 0) return undefined
  return {
    minHours: Math.round(ranges.reduce((total, { minHours }) => total + minHours, 0)),
    maxHours: Math.round(ranges.reduce((total, { maxHours }) => total + maxHours, 0)),
  }
}

/** "12–24 hours a month", or "none found". */
export function formatTimeSavings(savings: TimeSavings | undefined): string {
  if (savings === undefined) return 'none found'
  const { minHours, maxHours } = savings
  if (minHours === maxHours) return maxHours === 1 ? '1 hour a month' : `${maxHours} hours a month`
  return `${minHours}–${maxHours} hours a month`
}

/** Follows wherever hours are named, because they come from our table and not from the site. */
export const hoursBasis =
  'The hours are estimates for a small business; nothing of them was measured on this site. Each kind of work has a range in our table, which counts less for a small site and more for a large one.'

/** Reads the range from its text; a single figure serves as both ends. */
function rangeOf({ estimatedTimeSavingsRange, estimatedTimeSavingsHours }: Opportunity): TimeSavings[] {
  const [, minHours, maxHours] =
    /(\d+(?:\.\d+)?) ?(?:–|-|to) ?(\d+(?:\.\d+)?)/.exec(estimatedTimeSavingsRange ?? '') ?? []
  if (minHours !== undefined && maxHours !== undefined)
    return [{ minHours: Number(minHours), maxHours: Number(maxHours) }]
  if (estimatedTimeSavingsHours === undefined) return []
  return [{ minHours: estimatedTimeSavingsHours, maxHours: estimatedTimeSavingsHours }]
}

/** E-mail, page and command line name so many opportunities; the results have all. */
export const maxWork = 3
