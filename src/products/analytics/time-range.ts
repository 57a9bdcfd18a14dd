/** How far back a summary looks (specification 4.9). */
export const timeRanges = ['7d', '30d', '90d', 'all'] as const
export type TimeRange = (typeof timeRanges)[number]

const daysOf: Readonly<Record<TimeRange, number | undefined>> = {
  '7d': 7,
  '30d': 30,
  '90d': 90,
  all: undefined,
}

const dayMs = 86_400_000

/**
 * The first day of a range that ends today: `7d` is today and the six days before, in whole UTC days. So a summary
 * covers the same days from midnight to midnight, and two days can be compared.
 * @param now Unix milliseconds.
 */
export function firstDay(range: TimeRange, now: number): Date | undefined {
  const days = daysOf[range]
  return days === undefined ? undefined : new Date(now - (days - 1) * dayMs)
}
