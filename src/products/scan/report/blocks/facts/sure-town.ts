import { townAbove } from '../../../site/contact/address-lines.ts'
import type { PostalAddress } from './postal-address.ts'

/**
 * Keeps the town of an address only where it is one for sure. The text of a page joins the lines of an address, so
 * "Crossmoor", "Dellwater" and "Lancashire" look like one long name. A town of several words has to stand in one line of
 * the page. Published as it was joined, it would be a town that no map knows.
 */
export function withSureTown(address: PostalAddress, lines: readonly string[]): PostalAddress {
  const { addressLocality: town, ...rest } = address
  if (town === undefined) return { ...address, ...townAbove(address.streetAddress, lines) }
  const british = isBritish.test(address.postalCode ?? '')
  const name = british ? withoutCounty(town) : town
  if (name === undefined) return rest
  const isSure = !name.includes(' ') || lines.some((line) => hasWhole(line, name, british))
  return isSure ? { ...rest, addressLocality: name } : rest
}

const isBritish = /^[A-Z]{1,2}\d/

/** "Totnes" of "Totnes Devon" and of "Totnes, Devon"; undefined where several places are left. */
function withoutCounty(written: string): string | undefined {
  const places = written.split(/\s?,\s?/).filter((part) => part !== '')
  const named = places.length > 1 && isCounty.test(places.at(-1) ?? '') ? places.slice(0, -1) : places
  const [only = ''] = named
  if (named.length !== 1) return undefined
  const words = only.split(' ')
  const county = [2, 1].find(
    (length) => length < words.length && isCounty.test(words.slice(-length).join(' ')),
  )
  const town = county === undefined ? only : words.slice(0, -county).join(' ')
  // "Bury St Edmunds" and "Stow on the Wold" are towns, three names in capitals are several places.
  return town.split(' ').length > 2 && !joined.test(town) ? undefined : town
}

const isCounty =
  /^(?:(?:(?:North|South|East|West) )?(?:\p{Lu}\p{Ll}+shire|Sussex)|(?:County|Greater) \p{Lu}\p{Ll}+|(?:Co\. )?Durham|West Midlands|Cornwall|Cumbria|Devon|Dorset|Essex|Kent|Merseyside|Middlesex|Norfolk|Northumberland|Rutland|Somerset|Suffolk|Surrey|Gwynedd|Dyfed|Powys|Clwyd|Fife|Antrim|Armagh|Fermanagh|Tyrone)$/u

const joined = /(?<!\p{L})(?:\p{Ll}{1,5}|St|Saint|Royal|Great|Little|Upper|Lower|Old|New)(?!\p{L})/u

/** Where a British street stands before the town, a sign has to part them: "Mill Lane Crossmoor Dellwater" names two. */
function hasWhole(line: string, name: string, isParted: boolean): boolean {
  const at = line.indexOf(name)
  if (at < 0 || /^[\p{L}\d]/u.test(line.slice(at + name.length))) return false
  const before = line.slice(0, at)
  return isParted ? /(?:^|[,;|·–-])\s{0,3}$/.test(before) : !/[\p{L}\d]$/u.test(before)
}
