import { spelledAddress } from '../../../site/contact/spelled-address.ts'

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
