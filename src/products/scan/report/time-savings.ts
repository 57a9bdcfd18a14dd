import type { Opportunity } from '../findings/results.ts'

/** Hours a month, least and most. */
export interface TimeSavings {
  readonly least: number
  readonly most: number
}

/** What a list of opportunities saves together; undefined when none of them names hours. */
export function timeSavings(opportunities: readonly Opportunity[]): TimeSavings | undefined {
  const ranges = opportunities.flatMap(rangeOf)
  if (ranges.length === 0) return undefined
  return {
    least: Math.round(ranges.reduce((total, { least }) => total + least, 0)),
    most: Math.round(ranges.reduce((total, { most }) => total + most, 0)),
  }
}

/** "12–24 hours a month", or "none found". */
export function tellTimeSavings(savings: TimeSavings | undefined): string {
  if (savings === undefined) return 'none found'
  const { least, most } = savings
  if (least === most) return most === 1 ? '1 hour a month' : `${most} hours a month`
  return `${least}–${most} hours a month`
}

/** Stands once wherever hours are told, so that nobody takes a table of ours for a finding. */
export const hoursAreEstimates =
  'The hours are estimates for a small business; they were not measured on this site.'

/** The range as its text gives it; an opportunity with a single figure has that as both ends. */
function rangeOf({ estimatedTimeSavingsRange, estimatedTimeSavingsHours }: Opportunity): TimeSavings[] {
  const [, least, most] =
    /(\d+(?:\.\d+)?) ?(?:–|-|to) ?(\d+(?:\.\d+)?)/.exec(estimatedTimeSavingsRange ?? '') ?? []
  if (least !== undefined && most !== undefined) return [{ least: Number(least), most: Number(most) }]
  if (estimatedTimeSavingsHours === undefined) return []
  return [{ least: estimatedTimeSavingsHours, most: estimatedTimeSavingsHours }]
}
