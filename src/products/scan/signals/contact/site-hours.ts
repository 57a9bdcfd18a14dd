import type { Evidence } from '../../findings/check.ts'
import { pagesOfKind } from '../../site/linked-pages.ts'
import type { JsonLdNode, Page, Site } from '../../site/site.ts'
import { ownEntities } from '../own-entities.ts'
import { contactSources } from './contact-sources.ts'
import { daysOfWeek } from './days-and-times.ts'
import { hoursInGrids } from './grid-hours.ts'
import { hoursInWords, spansByDay } from './hours-by-day.ts'
import { openingHoursIn } from './opening-hours.ts'
import { type StatedHours, statedHours } from './stated-hours.ts'

interface SiteHours {
  /** What customers read. */
  readonly shown: StatedHours
  /** What the legal notice alone says: it is seldom read again, and may have the hours of years ago. */
  readonly ofNotice: readonly string[]
}

/** The opening hours that the pages of a site state. */
export function siteHours(site: Site, home: Page): SiteHours {
  const pages = contactSources(site, home).map(({ page }) => page)
  const notices = new Set(pagesOfKind(site, 'imprint'))
  for (const page of [home, ...pagesOfKind(site, 'contact')]) notices.delete(page)
  return {
    shown: statedHours(pages.filter((page) => !notices.has(page))),
    ofNotice: statedHours(pages.filter((page) => notices.has(page))).hours,
  }
}

export interface ComparedHours {
  /** The home page, whose markup was read. */
  readonly url: string
  /** "Mon–Fri 08:00–12:00, 14:00–18:00" */
  readonly marked: string
  readonly shown: string
  /** Both name the same days, and a span of one of them begins or ends at another time. */
  readonly isDifferent: boolean
  /** The pages that say so, where another page says the same as the markup. */
  readonly exceptions: readonly string[]
}

/**
 * Compares the hours that the markup of the home page gives the business with those that customers read. Only hours of the
 * same days are compared.
 * @returns undefined where one of the two has none, or could not be read whole
 */
export function comparedHours(site: Site): ComparedHours | undefined {
  const { home } = site
  if (home === undefined) return undefined
  const [marked, ...moreMarked] = ownEntities(site)
    .filter(({ page }) => page === home)
    .flatMap(({ node }) => {
      const hours = markedHours(node)
      return hours === undefined ? [] : [hours]
    })
  // Two places of one business are open at different times.
  if (marked === undefined || moreMarked.length > 0) return undefined
  const { shown } = siteHours(site, home)
  if (shown.conflict !== undefined) return exceptionIn(shown.conflict, marked, site)
  if (shown.hours.length === 0) return undefined
  const [inMarkup, onPage] = [spansByDay(marked), spansByDay(shown.hours)]
  const days = daysOfWeek.filter((day) => inMarkup.has(day) || onPage.has(day))
  const states = statesOf(marked, shown.hours)
  // A table of all days is about the door, whatever other hours a text may name.
  const isOfGrid = String(hoursInGrids(home)) === String(shown.hours)
  // Those of a telephone, a kitchen or a course name other days, or have most of them in another way.
  const areDaysEqual = days.every((day) => inMarkup.has(day) && onPage.has(day))
  const others = states.filter((state) => state === 'other').length
  const isMoved = states.includes('moved') && (others === 0 || (areDaysEqual && others * 2 < states.length))
  return {
    url: home.url,
    marked: hoursInWords(marked),
    shown: hoursInWords(shown.hours),
    isDifferent: isMoved || (isOfGrid && states.some((state) => state !== 'same')),
    exceptions: [],
  }
}

/** Of two pages that contradict each other, the one that the markup contradicts as well, and all that say the same. */
function exceptionIn(
  conflict: readonly Evidence[],
  marked: readonly string[],
  { home, pages }: Site,
): ComparedHours | undefined {
  // The first line is the one that contradicts.
  const stated = conflict.map((one) => ({ url: one.url, hours: one.value.split('; ').slice(0, 1) }))
  const isAll = (hours: readonly string[], state: 'same' | 'moved') =>
    statesOf(marked, hours).every((one) => one === state)
  const other = stated.find(
    ({ url, hours }) =>
      isAll(hours, 'moved') && pages.some((page) => page.url === url && isOfDoor(String(hours), page)),
  )
  if (home === undefined || other === undefined || !stated.some(({ hours }) => isAll(hours, 'same')))
    return undefined
  const [inMarkup, shown] = [hoursInWords(marked), hoursInWords(other.hours)]
  const alike = pages.filter((page) => page.url !== other.url && isOfDoor(String(other.hours), page))
  const exceptions = [other.url, ...alike.map(({ url }) => url)]
  return { url: home.url, marked: inMarkup, shown, isDifferent: true, exceptions }
}

/** Whether a line, or the one above it, says that the door is open then: "call from Monday to Saturday, 7:45 to 18:00" does not. */
function isOfDoor(hours: string, { lines }: Page): boolean {
  return lines.slice(0, 2_000).some((line, at) => {
    if (line.length > 1_000 || !/\d/.test(line) || !open.test(`${lines[at - 1] ?? ''} ${line}`)) return false
    const read = openingHoursIn(line)
    return typeof read === 'object' && read.includes(hours)
  })
}

const open =
  /(?<!\p{L})(?:open(?:ing)?|geöffnet|öffnungszeiten|sprechzeiten|ouverte?s?|horaires|abiert[oa]s?|horarios?|apert[oia]|orari|abert[oa]s?|geopend|openingstijden|açığız|açık|открыт\p{L}*|часы работы)(?!\p{L})/iu

/** Of each day that one of the two names. */
function statesOf(one: readonly string[], other: readonly string[]): ReturnType<typeof stateOf>[] {
  const [spans, others] = [spansByDay(one), spansByDay(other)]
  return daysOfWeek
    .filter((day) => spans.has(day) || others.has(day))
    .map((day) => stateOf(spans.get(day), others.get(day)))
}

/**
 * Compares the spans of a day. Hours of a telephone, a kitchen or a course stand on pages as opening hours do, so only one
 * span that begins or ends as the other does, and lies mostly within it, is the same one with another time.
 */
function stateOf(
  one: ReadonlySet<string> = none,
  other: ReadonlySet<string> = none,
): 'same' | 'moved' | 'other' {
  const [spans, others] = [[...one].toSorted(), [...other].toSorted()]
  if (spans.length !== others.length || spans.length === 0) return 'other'
  const states = spans.map((span, at) => stateOfSpans(minutesOf(span), minutesOf(others[at] ?? '')))
  if (states.includes('other')) return 'other'
  return states.includes('moved') ? 'moved' : 'same'
}

const none: ReadonlySet<string> = new Set()

type Minutes = readonly [from: number, to: number]

function stateOfSpans([from, to]: Minutes, [start, end]: Minutes): 'same' | 'moved' | 'other' {
  const [early, late] = [Math.abs(from - start), Math.abs(to - end)]
  // "23:59" is the end of the day, too.
  if (early <= 1 && late <= 1) return 'same'
  const shared = Math.min(to, end) - Math.max(from, start)
  const longest = Math.max(to - from, end - start)
  return (early <= 1 || late <= 1) && shared >= longest * 0.6 ? 'moved' : 'other'
}

/** Of `08:00-12:00`, in minutes of the day. */
function minutesOf(span: string): Minutes {
  const [from = 0, to = 0] = span.split('-').map((time) => {
    const [hours = 0, minutes = 0] = time.split(':').map(Number)
    return hours * 60 + minutes
  })
  return [from, to]
}

/** The hours of a node; undefined where it has none, has some for a season, or has some that cannot be read. */
export function markedHours({ properties }: JsonLdNode): readonly string[] | undefined {
  const lines = [properties.openingHours].flat().filter((one) => typeof one === 'string')
  const read = lines.length === 0 ? [] : openingHoursIn(lines.join('\n'))
  const specified = [properties.openingHoursSpecification]
    .flat()
    .filter((one) => one !== undefined)
    .slice(0, 50)
    .map(specifiedHours)
  if (typeof read !== 'object' || specified.includes(undefined)) return undefined
  const all = [...read, ...specified.flatMap((one) => one ?? [])]
  return all.length === 0 ? undefined : all
}

/** `Mo,Tu 08:00-12:00` of an OpeningHoursSpecification; undefined where it closes when it opens. */
function specifiedHours(value: unknown): readonly string[] | undefined {
  if (typeof value !== 'object' || value === null || 'validFrom' in value || 'validThrough' in value)
    return undefined
  const { dayOfWeek, opens, closes } = { dayOfWeek: undefined, opens: undefined, closes: undefined, ...value }
  const days = [dayOfWeek].flat().map(dayOf)
  const [from, end] = [timeOf(opens), timeOf(closes)]
  const to = end === '00:00' && from !== '00:00' ? '24:00' : end
  if (days.length === 0 || days.includes(undefined) || from === undefined || to === undefined)
    return undefined
  const named = [...new Set(days)].join(',')
  // All day, or closed: both are written so.
  return from === to ? undefined : [`${named} ${from}-${to}`]
}

/** `Mo` of "Monday" and "https://schema.org/Monday". */
function dayOf(value: unknown): string | undefined {
  const [, name = ''] = typeof value === 'string' ? (/([A-Z][a-z])[a-z]{1,7}$/.exec(value.trim()) ?? []) : []
  return daysOfWeek.find((day) => day === name)
}

function timeOf(value: unknown): string | undefined {
  const [, hour = '', minute] =
    typeof value === 'string' ? (/^(\d{1,2}):(\d{2})(?::\d{2})?$/.exec(value.trim()) ?? []) : []
  return minute === undefined ? undefined : `${hour.padStart(2, '0')}:${minute}`
}
