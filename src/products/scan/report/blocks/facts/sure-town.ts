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
  const { name, part } = british ? britishPlaces(town) : { name: town, part: undefined }
  if (name === undefined) return rest
  const isSure = !name.includes(' ') || lines.some((line) => hasWhole(line, name, british))
  if (!isSure) return rest
  const streetAddress = part === undefined ? rest.streetAddress : `${rest.streetAddress}, ${part}`
  return { ...rest, streetAddress, addressLocality: name }
}

const isBritish = /^[A-Z]{1,2}\d/

interface BritishPlaces {
  readonly name: string | undefined
  /** The part of the town or the village before it, which belongs to the street. */
  readonly part: string | undefined
}

/**
 * "Totnes" of "Totnes Devon" and of "Totnes, Devon". Of two names the last is the town of the post, as in "Chiswick, London".
 * Where more places are left, none is taken.
 */
function britishPlaces(written: string): BritishPlaces {
  const places = written.split(/\s?,\s?/).filter((part) => part !== '')
  const named = places.slice(0, places.findLastIndex((place, at) => at === 0 || !isCounty.test(place)) + 1)
  const [last = '', part] = named.toReversed()
  const words = last.split(' ')
  const county = [2, 1].find(
    (length) => length < words.length && isCounty.test(words.slice(-length).join(' ')),
  )
  const town = county === undefined ? last : words.slice(0, -county).join(' ')
  // "Bury St Edmunds" and "Stow on the Wold" are towns, three names in capitals are several places.
  const isOne = [town, part ?? ''].every((name) => name.split(' ').length <= 2 || joined.test(name))
  return named.length > 2 || !isOne || half.test(town)
    ? { name: undefined, part: undefined }
    : { name: town, part }
}

/** "Old" of "Old Durham", where the second word is also that of a county. */
const half = /^(?:Old|New|Great|Little|Upper|Lower|North|South|East|West|St)$/

/** Counties, old and new, their short forms, and the countries of the United Kingdom. */
const isCounty = new RegExp(
  `^(?:${[
    String.raw`(?:(?:North|South|East|West) )?(?:\p{Lu}\p{Ll}+shire|Sussex)|(?:County|Greater) \p{Lu}\p{Ll}+|Co\.? \p{Lu}\p{Ll}+|Durham`,
    '(?:The )?West Midlands|Avon|Cleveland|Cornwall|Cumbria|Devon|Dorset|Essex|Humberside|Isle of (?:Man|Wight)|Kent|Merseyside',
    'Middlesex|Norfolk|Northumberland|Rutland|Somerset|Suffolk|Surrey|Tyne (?:and|&) Wear|East Riding(?: of Yorkshire)?',
    '(?:[MSW]\\w+ )?Glamorgan|Gwent|Gwynedd|Dyfed|Powys|Clwyd|Anglesey|Isle of Anglesey',
    'Fife|Angus|Moray|(?:East |West |Mid)?[Ll]othian|Caithness|Sutherland|Argyll(?: (?:and|&) Bute)?|Orkney|Shetland|(?:The )?(?:Scottish )?(?:Highlands?|Borders)',
    'Antrim|Armagh|Down|Fermanagh|Londonderry|Tyrone',
    'Beds|Berks|Bucks|Cambs|Glos|Hants|Herts|Lancs|Leics|Lincs|Middx|Northants|Notts|Oxon|Staffs|Wilts|Worcs|Yorks',
    'England|Scotland|Wales|Northern Ireland|Great Britain|United Kingdom|U\\.?K\\.?',
  ].join('|')})$`,
  'u',
)

const joined = /(?<!\p{L})(?:\p{Ll}{1,5}|St|Saint|Royal|Great|Little|Upper|Lower|Old|New)(?!\p{L})/u

/** Where a British street stands before the town, a sign has to part them: "Mill Lane Crossmoor Dellwater" names two. */
function hasWhole(line: string, name: string, isParted: boolean): boolean {
  const at = line.indexOf(name)
  if (at < 0 || /^[\p{L}\d]/u.test(line.slice(at + name.length))) return false
  const before = line.slice(0, at)
  return isParted ? /(?:^|[,;|·–-])\s{0,3}$/.test(before) : !/[\p{L}\d]$/u.test(before)
}
