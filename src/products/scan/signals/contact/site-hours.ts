import { pagesOfKind } from '../../site/linked-pages.ts'
import type { JsonLdNode, Page, Site } from '../../site/site.ts'
import { ownEntities } from '../own-entities.ts'
import { contactSources } from './contact-sources.ts'
import { hoursInWords, spansByDay } from './hours-by-day.ts'
import { daysOfWeek, openingHoursIn } from './opening-hours.ts'
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
  /** The pages name a time of a day that the markup names without it. */
  readonly isDifferent: boolean
}

/**
 * Compares the hours that the markup of the home page gives the business with those that customers read. Only days that
 * both name are compared.
 * @returns undefined where one of the two has none, or could not be read whole
 */
export function comparedHours(site: Site): ComparedHours | undefined {
  const { home } = site
  if (home === undefined) return undefined
  const marked = ownEntities(site)
    .filter(({ page }) => page === home)
    .map(({ node }) => markedHours(node))
    .find((one) => one !== undefined)
  if (marked === undefined) return undefined
  const { shown } = siteHours(site, home)
  if (shown.hours.length === 0) return undefined
  const inMarkup = spansByDay(marked)
  // The lunch of a page may not have been read, so a span that only the markup has is no difference.
  const isDifferent = [...spansByDay(shown.hours)].some(([day, spans]) => {
    const others = inMarkup.get(day)
    return others !== undefined && [...spans].some((span) => !others.has(span))
  })
  return {
    url: home.url,
    marked: hoursInWords(marked),
    shown: hoursInWords(shown.hours),
    isDifferent,
  }
}

/** The hours of a node; undefined where it has none, has some for a season, or has some that cannot be read. */
function markedHours({ properties }: JsonLdNode): readonly string[] | undefined {
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

/** `Mo,Tu 08:00-12:00` of an OpeningHoursSpecification; days alone where it closes when it opens. */
function specifiedHours(value: unknown): readonly string[] | undefined {
  if (typeof value !== 'object' || value === null || 'validFrom' in value || 'validThrough' in value)
    return undefined
  const { dayOfWeek, opens, closes } = { dayOfWeek: undefined, opens: undefined, closes: undefined, ...value }
  const days = [dayOfWeek].flat().map(dayOf)
  const [from, to] = [timeOf(opens), timeOf(closes)]
  if (days.length === 0 || days.includes(undefined) || from === undefined || to === undefined)
    return undefined
  const named = [...new Set(days)].join(',')
  return [from === to ? named : `${named} ${from}-${to}`]
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
