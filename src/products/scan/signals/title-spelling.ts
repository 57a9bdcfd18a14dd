import { streetsIn } from '../site/contact/street-address.ts'
import type { Site } from '../site/site.ts'

/** A word of a title that lacks letters, or has too many, of the street that the pages name. */
export interface Misspelling {
  readonly written: string
  readonly right: string
}

/**
 * Finds the street of the business misspelled in the title of the home page: "Universtätsstraße" beside
 * "Universitätsstraße" in the addresses of the pages. What engines show first is seldom read again by its owner. Other words
 * are not compared, because an ending or a second language would look like a mistake.
 */
export function misspelledStreet(site: Site): Misspelling | undefined {
  const seen = known.get(site) ?? { slip: firstSlip(site) }
  known.set(site, seen)
  return seen.slip
}

/** Checks and blocks ask for it, one of them for each page, and all pages are searched to find it. */
const known = new WeakMap<Site, { readonly slip: Misspelling | undefined }>()

function firstSlip({ home, pages }: Site): Misspelling | undefined {
  if (home === undefined) return undefined
  const streets = new Set(pages.flatMap(({ contactText }) => streetsIn(contactText).flatMap(wordsOf)))
  return wordsOf({ written: home.title }).flatMap((written) => {
    if (streets.has(written)) return []
    const right = [...streets].find((word) => isSlip(written, word))
    return right === undefined ? [] : [{ written, right }]
  })[0]
}

/** A text of the site with the street as the pages spell it. */
export function spelled(text: string, slip: Misspelling | undefined): string {
  return slip === undefined ? text : text.replaceAll(slip.written, slip.right)
}

/** Shorter ones differ by accident. */
function wordsOf({ written }: { readonly written: string }): string[] {
  return written.match(/\p{L}{7,}/gu) ?? []
}

/** One is the other without one or two letters in the middle: "Universtät". */
function isSlip(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  const missing = long.length - short.length
  if (missing < 1 || missing > 2) return false
  const start = Array.from(short).findIndex((letter, place) => letter !== long[place])
  return start >= 3 && start <= short.length - 3 && short.slice(start) === long.slice(start + missing)
}
