import type { Allowance } from '../../../core/catalog/limits.ts'

/**
 * Days and months in UTC, which usage is counted by. All gateways must name a period the same, whatever their
 * time zone: otherwise each would give out the free units again.
 */
export type Per = Allowance['per']

/**
 * @param now milliseconds since the epoch.
 * @returns `2026-11-21` or `2026-11`.
 */
export function periodOf(per: Per, now: number): string {
  return spanOf(per, now).name
}

const lengths = { day: 10, month: 7 } as const

/** The end of the period that `now` is in: the first millisecond after it. */
export function periodEnd(per: Per, now: number): number {
  return spanOf(per, now).end
}

/** The first millisecond of the period that `now` is in. */
export function periodStart(per: Per, now: number): number {
  return spanOf(per, now).start
}

interface Span {
  readonly name: string
  readonly start: number
  readonly end: number
}

/**
 * Every call asks for the same two periods, and formatting a date takes longer than counting. No measurement
 * kept.
 */
const lastSpans: Record<Per, Span | undefined> = { day: undefined, month: undefined }

function spanOf(per: Per, now: number): Span {
  const last = lastSpans[per]
  if (last && now >= last.start && now < last.end) return last
  const at = new Date(now)
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
  const span = {
    name: at.toISOString().slice(0, lengths[per]),
    start: Date.UTC(year, month, per === 'day' ? day : 1),
    end: per === 'day' ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1),
  }
  lastSpans[per] = span
  return span
}

/**
 * The oldest periods whose counters are kept: a day for three days after its end, a month for thirteen
 * months. The names of periods sort by time.
 */
export function oldestKept(now: number): Readonly<Record<Per, string>> {
  const at = new Date(now)
  return {
    day: periodOf('day', now - 3 * dayMs),
    month: periodOf('month', Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - 13)),
  }
}

/** Whether a counter of this period may be deleted. */
export function isForgotten(period: string, oldest: Readonly<Record<Per, string>>): boolean {
  return period < oldest[perOf(period)]
}

/** The expiry of an unused counter: at least its period and the time that `oldestKept` gives it. */
export function keptSeconds(period: string): number {
  return perOf(period) === 'day' ? 4 * 86_400 : 14 * 31 * 86_400
}

function perOf(period: string): Per {
  return period.length === lengths.day ? 'day' : 'month'
}

const dayMs = 86_400_000
