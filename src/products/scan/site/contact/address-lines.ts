import { isNumberedStreet, isUnit, type TownWithCode, townBeforeCode } from './addresses/code-behind-town.ts'
import { mexicanIn } from './addresses/mexican-address.ts'
import { isSampleStreet } from './street-address.ts'

/** An address that the form of its lines proves, in whatever language its street is written. */
export interface LineAddress {
  readonly streetAddress: string
  readonly addressLocality: string
  readonly addressRegion?: string
  readonly postalCode: string
}

/**
 * Finds addresses by their form: words with a house number, and behind them or in the next line a postal code with its
 * town. "Petrikirchhof 8" has no word for a street in it, and the line "44137 Dortmund" below proves that it is one.
 */
export function addressLinesIn(lines: readonly string[]): readonly LineAddress[] {
  const read = lines.slice(0, maxLines).map((line) => (line.length > maxCharacters ? '' : line.trim()))
  return read.flatMap((line, place) => addressAt(line, place, read)).filter(isOwn)
}

/** The address that a template came with is not that of the business. */
function isOwn({ streetAddress }: LineAddress): boolean {
  return !isSampleStreet(streetAddress)
}

/** The address of which a line is the end. */
function addressAt(line: string, place: number, read: readonly string[]): readonly LineAddress[] {
  const japanese = japaneseIn(line)
  if (japanese !== undefined) return [japanese]
  const mexican = mexicanIn(line.replace(label, ''), isStreet)
  if (mexican !== undefined) return [mexican]
  const ended = townBeforeCode(line)
  if (ended !== undefined) return addressBefore(ended, read.slice(Math.max(0, place - 2), place))
  const { code, town } = codeAndTown.exec(line)?.groups ?? {}
  if (code === undefined || town === undefined || isYear(code)) return []
  const before = line.slice(0, line.length - (codeAndTown.exec(line)?.[0].length ?? 0))
  const parts = (before === '' ? (read[place - 1] ?? '') : before).replace(label, '').split(/\s?[,·|]\s?/)
  const above = before === '' ? read[place - 2] : read[place - 1]
  const street = streetOf(
    parts.filter((part) => part !== ''),
    above ?? '',
  )
  return street === undefined
    ? []
    : [{ streetAddress: street, addressLocality: town.trim(), postalCode: code }]
}

/** "500 Pine St", "Suite 4", "Kirkland, WA 98033": in one line or in lines of their own. */
function addressBefore({ before, ...place }: TownWithCode, above: readonly string[]): LineAddress[] {
  const written = before === '' ? above : [before]
  const parts = written
    .flatMap((line) => line.replace(label, '').split(/\s?[,·|](?:\s|$)/))
    .filter((part) => part !== '')
  const unit = parts.length > 1 && isUnit(parts.at(-1) ?? '') ? parts.at(-1) : undefined
  const street = parts.at(unit === undefined ? -1 : -2)?.replace(/\.$/, '')
  if (street === undefined || !isNumberedStreet(street)) return []
  return [{ streetAddress: unit === undefined ? street : `${street}, ${unit}`, ...place }]
}

/** The town and code in the line above a street, as Russian and Kazakh addresses have them: "Z05T9H7, г. Астана". */
export function townAbove(
  street: string,
  lines: readonly string[],
): { readonly addressLocality: string; readonly postalCode?: string } | undefined {
  const read = lines.slice(0, maxLines)
  const place = read.findIndex((line) => line.startsWith(street))
  const { town, code } = townLine.exec((read[place - 1] ?? '').slice(0, maxCharacters))?.groups ?? {}
  if (town === undefined) return undefined
  return { addressLocality: town, ...(code !== undefined && { postalCode: code }) }
}

const maxLines = 3_000
const maxCharacters = 160

const townLine =
  /^(?:(?<code>\d{6}|[A-Z]\d{2}[A-Z]\d[A-Z]\d),? )?(?:\p{Lu}\p{L}+,? )?(?:г\.|город) ?(?<town>\p{Lu}[\p{L}-]{1,30}(?: \p{Lu}[\p{L}-]{1,30})?)(?=,|$)/u

/** The last part has the number. A building before it belongs to the address, and the name of a firm does not. */
function streetOf(parts: readonly string[], above: string): string | undefined {
  const street = parts.at(-1)?.trim()
  if (street === undefined || !isStreet(street)) return undefined
  const building = parts.length > 1 ? parts.at(-2) : above
  return building !== undefined && isBuilding.test(building) ? `${building}, ${street}` : street
}

function isStreet(text: string): boolean {
  if (noStreet.test(text)) return false
  const number = /(\d{1,4})\D{0,3}$/.exec(text)?.[1] ?? ''
  return (numberLast.test(text) && !isYear(number)) || numberFirst.test(text)
}

/** "Mai 12, 2026 Berlin" is a date. */
function isYear(digits: string): boolean {
  return /^(?:19|20)\d{2}$/.test(digits)
}

const word = String.raw`(?:\p{Lu}[\p{L}'’.-]*|\p{Ll}[\p{L}'’.-]{0,12}|\d{1,2}\.?)`
const numberLast = new RegExp(
  String.raw`^(?:\p{Lu}[\p{L}'’.-]+|\p{Ll}{1,5}\.|\d\.)(?: ${word}){0,5} \d{1,4} ?[a-zA-Z]?(?: ?[-/] ?\d{1,4} ?[a-zA-Z]?|\/[a-zA-Z]|(?:\/\d{1,3}){2})?$`,
  'u',
)
const numberFirst = new RegExp(
  String.raw`^\d{1,4}(?: ?(?:bis|ter|[a-zA-Z]))?,? (?:\p{L}['’]?[\p{L}.-]*)(?: (?:\p{L}['’])?${word}){1,5}$`,
  'u',
)
/** Other things with a number, and sentences: "Designed in der Webgasse 7". */
const noStreet =
  /^\p{L}+ (?:in|im|am|an|at|by|von|vom|bei|beim|near|op)(?!\p{L})|^(?:tel|fax|mobil|handy|phone|postfach|p\.? ?o\.? box|bp |cs |apartado|casella|skrytka|etage|floor|stock|zimmer|raum|room|suite|seit|since|depuis|desde|hrb|ust|vat|nip|krs|iban|steuer|kapazität|preis|price)/iu

/** "Tour Prisma", "Edificio Sol", "Building 7". */
const isBuilding =
  /^(?:tour|tower|immeuble|bât(?:iment|\.)|bâtiment|résidence|edif[ií]cio|ed\.|palazzo|torre|building|bldg|gebäude|haus|gebouw|budynek|централь|бц|бизнес-центр)(?!\p{L})[\p{L}\d'’. -]{1,40}$/iu

/** "Adresse: ", and the same word without a colon, where a style sheet sets it apart. */
const label =
  /^(?:(?:\p{L}{4,12}|〒)\s?:|(?:adresse|anschrift|standort|address|direcci[oó]n|indirizzo|endereço|adres|адрес)(?=\s))\s?/iu

/** At the end of a line: "92400 Courbevoie", "D-44137 Dortmund", "42-600 Tarnowskie Góry", "1012 AB Amsterdam". */
const codeAndTown =
  /(?:(?<=[,·|] ?)|^)(?:[A-Z]{1,2}[- ])?(?<code>\d{5}|\d{4}(?: [A-Z]{2})?|\d{2}-\d{3}|\d{3} \d{2}) (?<town>\p{Lu}[\p{L}'’.-]{1,30}(?: [\p{L}'’.-]{1,30}){0,4})(?:(?:,| ?\() ?\p{L}{2,20}\)?)?$/u

/** "〒950-2052 新潟県新潟市西区寺尾2-19": the code stands first, and the parts follow without a space. */
function japaneseIn(line: string): LineAddress | undefined {
  const { code, region, town, street } = japanese.exec(line)?.groups ?? {}
  if (code === undefined || town === undefined || street === undefined) return undefined
  return {
    streetAddress: street,
    addressLocality: town,
    ...(region !== undefined && { addressRegion: region }),
    postalCode: code,
  }
}

const japanese =
  /〒\s?(?<code>\d{3}[-－]\d{4})\s?(?<region>東京都|北海道|京都府|大阪府|\p{Script=Han}{2,3}県)?(?<town>[\p{Script=Han}ヶケ]{1,6}?[市区郡町村])(?<street>[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ヶケー]{1,20}[\d０-９]{1,4}(?:[－-]\d{1,4}|丁目|番地?|号|[\d０-９]{1,4}){0,6})/u
