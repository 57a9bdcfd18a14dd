import type { Evidence } from '../../findings/check.ts'
import type { Page } from '../../site/site.ts'
import { daysNamed } from './days-and-times.ts'
import { hoursInGrids } from './grid-hours.ts'
import { openingHoursIn } from './opening-hours.ts'

export interface StatedHours {
  /** As schema.org writes them; empty where no page states any, one could not be read whole, or two contradict. */
  readonly hours: readonly string[]
  /** Some were read, and not all of them. */
  readonly isLeftOut: boolean
  /** Two statements that contradict each other, with their pages. */
  readonly conflict: readonly Evidence[] | undefined
}

/**
 * The opening hours of a site. Those of a contact part come first. Where two statements give one day different times,
 * only the owner knows which is true, and neither is taken: wrong hours send people to a closed door.
 */
export function statedHours(pages: readonly Page[]): StatedHours {
  const stated = pages.map((page) => ({ page, hours: hoursOn(page).inText }))
  const read = stated.flatMap(({ page, hours }) => (typeof hours === 'object' ? [{ page, hours }] : []))
  const conflict = conflictIn(read)
  if (conflict !== undefined) return { hours: [], conflict, isLeftOut: false }
  const inContact = pages.map((page) => hoursOn(page).inContact)
  const all = [...inContact, ...stated.map(({ hours }) => hours)]
  const isLeftOut = all.includes('partly')
  const hours = isLeftOut ? [] : all.find((one) => typeof one === 'object')
  return { hours: hours ?? [], isLeftOut, conflict: undefined }
}

interface ReadHours {
  readonly inText: ReturnType<typeof openingHoursIn>
  readonly inContact: ReturnType<typeof openingHoursIn>
}

/** A check and several blocks read the hours of a page. */
function hoursOn(page: Page): ReadHours {
  const seen = known.get(page)
  if (seen !== undefined) return seen
  const hours = {
    inText: openingHoursIn(page.text) ?? hoursInGrids(page),
    inContact: openingHoursIn(page.contactText),
  }
  known.set(page, hours)
  return hours
}

const known = new WeakMap<Page, ReadHours>()

interface PageHours {
  readonly page: Page
  readonly hours: readonly string[]
}

interface Statement {
  readonly page: Page
  readonly hours: string
  readonly times: ReadonlyMap<string, string>
}

/** A page that closes at noon names two spans for a day; they do not overlap. Two that do are two opinions. */
function conflictIn(read: readonly PageHours[]): readonly Evidence[] | undefined {
  const statements = read.flatMap(({ page, hours: all }) =>
    all.map((hours): Statement => ({ page, hours, times: timesOf(hours) })),
  )
  for (const [place, one] of statements.entries()) {
    const other = statements.slice(place + 1).find((next) => contradicts(one, next))
    if (other !== undefined)
      return [one, other].map(({ page, hours }) => ({
        url: page.url,
        // Of one page the two that contradict are enough, and all others would stand in both.
        value: [...new Set([hours, ...(one.page === other.page ? [] : hoursOf(read, page))])].join('; '),
      }))
  }
  return undefined
}

/** All of the page: one line alone would look as if the page said no more. */
function hoursOf(read: readonly PageHours[], page: Page): readonly string[] {
  return read.filter((one) => one.page === page).flatMap(({ hours }) => hours)
}

function contradicts(one: Statement, other: Statement): boolean {
  return [...one.times].some(([day, span]) => {
    const next = other.times.get(day)
    return next !== undefined && next !== span && overlap(span, next)
  })
}

/** "08:00-12:00" and "11:00-15:00". Times are of equal length, so text compares as time does. */
function overlap(one: string, other: string): boolean {
  const [from = '', to = ''] = one.split('-')
  const [start = '', end = ''] = other.split('-')
  return from < end && start < to
}

/** The span of each day that "Mo-We,Fr 08:00-18:00" names. */
function timesOf(hours: string): ReadonlyMap<string, string> {
  const [days = '', span = ''] = hours.split(' ')
  return new Map(daysNamed(days).map((day) => [day, span]))
}
