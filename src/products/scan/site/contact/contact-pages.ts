import { pathOf } from '../addresses.ts'
import { articlesOf } from '../articles.ts'
import { pagesOfKind } from '../linked-pages.ts'
import type { Page, Site } from '../site.ts'

/** A contact fact as it is written, with the page that has it. */
export interface ContactFact {
  readonly url: string
  readonly value: string
}

/**
 * The contact facts of the site itself, those of the home page first. A fact counts where a site writes how it can be
 * reached: on the home page, on pages about it, for contact or bookings, in an imprint, or on two pages or more; else on
 * any page that is no article and no archive. The
 * telephone number of the hall where a conference met in 2019 stands on one page of its archive; an owner told to
 * publish that as the own number would mislead all who call it.
 */
export function ownFacts(site: Site, read: (page: Page) => readonly string[]): readonly ContactFact[] {
  const articles = new Set(articlesOf(site).map(({ page }) => page))
  const facts = site.pages
    .filter((page) => page === site.home || !(isArchive(page.url, site.now) || articles.has(page)))
    .flatMap((page) => read(page).map((value) => ({ url: page.url, value, isOwn: isOwn(site, page) })))
  const counts = new Map<string, Set<string>>()
  for (const { url, value } of facts) counts.set(value, (counts.get(value) ?? new Set()).add(url))
  const own = facts.filter((fact) => fact.isOwn || (counts.get(fact.value)?.size ?? 0) > 1)
  return own.length > 0 ? own : facts
}

function isOwn(site: Site, page: Page): boolean {
  return page === site.home || site.pages.length <= fewPages || ownPages(site).has(page)
}

/** On a site of two or three pages none of them is about somebody else. */
const fewPages = 3

const known = new WeakMap<Site, ReadonlySet<Page>>()

function ownPages(site: Site): ReadonlySet<Page> {
  const seen = known.get(site)
  if (seen !== undefined) return seen
  const pages = new Set(
    (
      ['contact', 'about', 'imprint', 'booking', 'privacy', 'terms', 'careers', 'pricing', 'help'] as const
    ).flatMap((kind) => pagesOfKind(site, kind)),
  )
  known.set(site, pages)
  return pages
}

/** "7 pages", or "3 pages, those of past years left out": what stands in an archive was true of one year. */
export function currentPages({ pages, now }: Site): string {
  const current = pages.filter((page, at) => at === 0 || !isArchive(page.url, now)).length
  const number = `${current} ${current === 1 ? 'page' : 'pages'}`
  return current === pages.length ? number : `${number}, those of past years left out`
}

/** A part of the path is a year before the last one, or a day of it (`/news/20210101/`): what stands there was true then. */
export function isArchive(url: string, now: number): boolean {
  const year = /\/((?:19|20)\d{2})(?:\/|$)/.exec(pathOf(url))?.[1] ?? yearOfDay(url)
  return year !== undefined && Number(year) < new Date(now).getUTCFullYear() - 1
}

/** The year of the day that a path names: 2021 of `/news/20210101/` and `/2021-01-01-closed`; undefined where it names none. */
export function yearOfDay(url: string): string | undefined {
  return dayInPath.exec(pathOf(url))?.[1]
}

const dayInPath = /\/((?:19|20)\d{2})([-_]?)(?:0[1-9]|1[0-2])\2(?:0[1-9]|[12]\d|3[01])(?:[-_./]|$)/
