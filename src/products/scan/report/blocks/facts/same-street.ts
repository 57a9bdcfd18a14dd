import { withoutAccents } from '../../../signals/brand-name.ts'
import { spelledAddress } from '../../../site/contact/spelled-address.ts'
import type { Page } from '../../../site/site.ts'

/**
 * Returns a function that gives each street the first writing of it that was given before, or its own. "6 avenue d’Alsace"
 * is a part of "Tour Prisma, 6 avenue d’Alsace". A hostile footer holds thousands of streets, so a part is looked for only
 * in the first 300: a business has fewer houses. Behind them both writings count as streets, and then no address is taken.
 */
export function firstWritings(): (street: string) => string {
  const first: Street[] = []
  const known = new Map<string, string>()
  return (written) => {
    const street = readStreet(written)
    const same = first.find((one) => isSameStreet(one, street))?.written ?? known.get(street.whole)
    if (same !== undefined) return same
    known.set(street.whole, written)
    if (first.length < maxStreets) first.push(street)
    return written
  }
}

const maxStreets = 300

interface Street {
  readonly written: string
  /** For comparison: "schachenstr9" of "Schachenstraße 9". */
  readonly whole: string
  readonly parts: readonly string[]
  readonly hasNumber: boolean
  readonly isHan: boolean
}

function readStreet(written: string): Street {
  const parts = written.split(/,\s?/).map(spelled)
  return {
    written,
    whole: spelled(written),
    parts,
    hasNumber: parts.some((part) => /\d/.test(part)),
    isHan: /\p{Script=Han}/u.test(written),
  }
}

function spelled(street: string): string {
  return spelledAddress(street).replaceAll(' ', '')
}

function isSameStreet(one: Street, other: Street): boolean {
  if (one.whole === other.whole) return true
  // "東京都港区芝一丁目5番1号" is "芝一丁目5番1号" with its town.
  if (one.isHan && (one.whole.endsWith(other.whole) || other.whole.endsWith(one.whole))) return true
  return one.parts.length <= other.parts.length ? isWithin(one, other) : isWithin(other, one)
}

function isWithin(fewer: Street, more: Street): boolean {
  return fewer.hasNumber && fewer.parts.every((part) => more.parts.includes(part))
}

/**
 * The spellings of a street that differ from it in one or two letters of one long word, such as "Handverkaregatan 37" and
 * "Hantverkaregatan 37", with the pages that have them; the street itself comes first. The number has to be the same, and so
 * has the first letter: "Northern Road" is no slip for "Southern Road".
 */
export function spellingsOn(street: string, pages: readonly Pick<Page, 'url' | 'text'>[]): Spelling[] {
  const words = street.split(' ')
  const urls = new Map<string, Set<string>>([[street, new Set()]])
  if (!/\d/.test(street) || words.length > 8) return []
  for (const [place, word] of words.entries()) {
    if (!/^\p{L}{6,40}$/u.test(word)) continue
    const other = String.raw`${word.charAt(0)}\p{L}{${word.length - 3},${word.length + 1}}`
    const pattern = words
      .map((one, at) => (at === place ? other : one.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
      .join(' ')
    const like = new RegExp(String.raw`(?<![\p{L}\d])${pattern}(?![\p{L}\d])`, 'gu')
    for (const { url, text } of pages)
      for (const [found] of text.slice(0, maxCharacters).matchAll(like))
        if (found === street || isSlip(word, found.split(' ')[place] ?? ''))
          urls.set(found, (urls.get(found) ?? new Set()).add(url))
  }
  return [...urls].map(([written, on]) => ({ written, urls: [...on] }))
}

export interface Spelling {
  readonly written: string
  readonly urls: readonly string[]
}

const maxCharacters = 100_000

/** Whether two long words differ in one letter, or in two of eight. An accent alone makes no other word. */
function isSlip(one: string, other: string): boolean {
  const [a, b] = [one, other].map((word) => withoutAccents(word.toLowerCase()))
  if (a === undefined || b === undefined || a === b) return false
  return distance(a, b) <= (Math.min(a.length, b.length) >= 8 ? 2 : 1)
}

/** How many letters have to be changed, added or taken out. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [place, letter] of [...one].entries()) {
    const next = [place + 1]
    for (const [at, second] of [...other].entries())
      next.push(
        Math.min((row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1, (row[at] ?? 0) + (letter === second ? 0 : 1)),
      )
    row = next
  }
  return row.at(-1) ?? 0
}
