import { addressLinesIn } from '../../../site/contact/address-lines.ts'
import { brazilianTownBehind } from '../../../site/contact/addresses/brazilian-town.ts'
import { codes } from '../../../site/contact/addresses/code-behind-town.ts'
import { indianAddressesIn } from '../../../site/contact/addresses/indian-address.ts'
import { isHalfStreet, isSampleStreet, streetsIn } from '../../../site/contact/street-address.ts'
import { textOf } from '../../../site/html/json-ld.ts'

/** A street address as a page writes it. The town and code are there only if they follow the street. */
export interface PostalAddress {
  readonly streetAddress: string
  readonly addressLocality?: string
  /** "TX", "NSW": where addresses name the state. */
  readonly addressRegion?: string
  readonly postalCode?: string
}

/**
 * With the town, region and postal code of the site's own markup, where no page names
 * another one: who pastes a block that lacks them would delete them.
 */
export function completed(address: PostalAddress, stated: unknown): PostalAddress {
  if (typeof stated !== 'object' || stated === null || Array.isArray(stated)) return address
  const known = new Map(Object.entries(stated).map(([name, value]) => [name, textOf(value)]))
  if (isSampleStreet(known.get('streetAddress') ?? '')) return address
  const added = places.filter((name) => known.get(name))
  return added.some((name) => (address[name] ?? known.get(name)) !== known.get(name))
    ? address
    : { ...address, ...Object.fromEntries(added.map((name) => [name, known.get(name)])) }
}

const places = ['addressLocality', 'addressRegion', 'postalCode'] as const

export interface PlacedAddress {
  readonly address: PostalAddress
  /** Where it begins in the text. */
  readonly index: number
}

/**
 * Finds every street with its number in a text, each with the town and postal code behind it, in text order.
 * @param lines the same text by lines, whose form proves streets that no word tells
 */
export function postalAddressesIn(text: string, lines: readonly string[] = []): readonly PlacedAddress[] {
  const named = [...unitsIn(text), ...indianAddressesIn(text)]
  const formed = addressLinesIn(lines).flatMap((address) => placesOf(address, text))
  // "12 Mill Lane" of "Unit 4, 12 Mill Lane, Totnes TQ9 5ET" is half of an address that was read whole.
  const whole = [...named, ...formed.filter((one) => !isInside(one, named))]
  const streets = streetsIn(text)
    .filter(({ written }) => !isHalfStreet(written))
    .filter((street) => !isInside({ index: street.index, length: street.written.trim().length }, whole))
    .map(({ written, index }) => ({
      address: withTownBefore(
        withTown(written.trim(), text.slice(index + written.trimEnd().length), lines),
        text.slice(Math.max(0, index - 60), index),
      ),
      index,
    }))
  return [...whole.map(({ address, index }) => ({ address, index })), ...streets].toSorted(
    (one, other) => one.index - other.index,
  )
}

interface Span {
  readonly index: number
  readonly length: number
}

function isInside({ index, length }: Span, whole: readonly Span[]): boolean {
  return whole.some((one) => index < one.index + one.length && one.index < index + length)
}

/** Lines of an address are joined by a space in the text, and the parts of one line keep their comma. */
function placesOf(address: PostalAddress, text: string): (PlacedAddress & Span)[] {
  return [address.streetAddress, address.streetAddress.replaceAll(', ', ' ')].flatMap(
    (written, place, all) => {
      const index = place > 0 && written === all[0] ? -1 : text.indexOf(written)
      return index < 0 ? [] : [{ address, index, length: written.length }]
    },
  )
}

function withTown(written: string, behind: string, lines: readonly string[]): PostalAddress {
  const brazilian = brazilianTownBehind(written, behind, lines)
  if (brazilian !== undefined) {
    const { parts, ...place } = brazilian
    return { streetAddress: [written, ...parts].join(', '), ...place }
  }
  const between = partsBetween(written, behind)
  const streetAddress = `${written}${between.trimEnd()}`
  const rest = behind.slice(between.length, between.length + 120)
  for (const pattern of towns) {
    const found = pattern.exec(rest)
    const { town, code, region } = found?.groups ?? {}
    if (found === null || town === undefined || code === undefined) continue
    const behindTown = found[0].endsWith(town) ? rest.slice(found[0].length) : ''
    return {
      streetAddress,
      ...(!isHalfTown(town.trim(), behindTown, code) && { addressLocality: town.trim() }),
      ...(region !== undefined && { addressRegion: region }),
      postalCode: code,
    }
  }
  const [, code] = labelledCode.exec(rest) ?? []
  return code === undefined ? { streetAddress } : { streetAddress, postalCode: code }
}

/** ", Suite 200" and ", Local, Nordviertel" between a street and its town belong to the street. The code behind them is the proof. */
function partsBetween(street: string, behind: string): string {
  const pattern = spanishStreet.test(street) ? spanishParts : americanUnit
  return pattern.exec(behind.slice(0, 160))?.[0] ?? ''
}

const spanishStreet = /^(?:C\/|C\.|Calle|Av\.|Avda|Avenida|Plaza|Pl\.|Paseo|Ronda|Camino|Carretera)/i
const spanishParts =
  /^(?:, (?!tel|tlf|fax|m[oó]vil|e-?mail|abiert|cerrad|horario|de lunes|lunes|visit|llam|aparcam|parking)(?:\d{1,2}[.ºª°o]{1,2} ?)?\p{L}[\p{L}ºª. ]{0,30}){1,3}(?=, \d{5} \p{Lu})/iu
const americanUnit =
  /^,? (?:Suite|Ste\.?|Unit|Apt\.?|#) ?[\dA-Z][\dA-Z-]{0,5}(?=,? \p{Lu}[\p{L}'’. -]{1,40}, [A-Z]{2} \d{5}(?!\d))/u

/** "г. Донецк, ул. Университетская, 35": in Russian and Ukrainian the town may come first. */
function withTownBefore(address: PostalAddress, before: string): PostalAddress {
  const [, town] =
    /(?<!\p{L})(?:г|м|с)\. ?(\p{Lu}[\p{L}-]{1,30}(?: \p{Lu}[\p{L}-]{1,30})?),\s{0,2}$/u.exec(before) ?? []
  return town === undefined || address.addressLocality !== undefined
    ? address
    : { ...address, addressLocality: town }
}

/** "Saint" of "01140 Saint Etienne sur Chalaronne", "Villars" of "Villars les Dombes": another place may bear that name. */
function isHalfTown(town: string, behind: string, code: string): boolean {
  // "Nordowa" of "31-146 Nordowa Góra": in Poland many names have two words.
  if (/^\d{2}-\d{3}$/.test(code) && !town.includes(' ') && secondWord.test(behind)) return true
  return firstWord.test(town) || /^[ -](?:\p{Ll}{1,5}[ -]){1,2}\p{Lu}/u.test(behind)
}

const secondWord = /^ (?!(?:Tel|Fax|E-?mail|Kontakt|NIP|Polska|Godziny)(?!\p{Ll}))\p{Lu}/u
const firstWord =
  /^(?:saint|sainte|sankt|st|ste|sint|san|santa|santo|são|sant|le|la|les|los|las|el|bad|new|old|great|little|upper|lower|north|south|east|west|villa|vila|ville|mont|den|de|het|'s)$/iu

/** "CEP: 99025-030" of Brazil, where the town is joined to other words in no fixed way. */
const labelledCode = /(?<!\p{L})CEP:? ?(\d{5}-?\d{3})(?!\d)/u

/** Between a street and its town; a star leads to a footnote: "Schachenstrasse 9* 6010 Kriens". */
const gap = String.raw`[*†.]?[\s,|/·–-]{1,4}`
const britishCode = codes.british

/** "Northhaven NH4 2QT", "Austin, TX 78701", "Leichhardt NSW 2040", "Toronto, ON M5V 2T6", "RD1 Picton 7281". */
const towns: readonly RegExp[] = [
  String.raw`(?<town>\p{Lu}[\p{L}'’ -]{1,40}?(?:, \p{Lu}[\p{L}'’ -]{1,40}?){0,3}),? (?<code>${britishCode})(?![\p{L}\d])`,
  String.raw`(?<town>\p{Lu}[\p{L}'’. -]{1,40}?),? (?<region>[A-Z]{2}) (?<code>\d{5}(?:-\d{4})?)(?!\d)`,
  String.raw`(?<town>\p{Lu}[\p{L}'’ -]{1,40}?),? (?<region>${codes.australianRegion}) (?<code>\d{4})(?!\d)`,
  String.raw`(?<town>\p{Lu}[\p{L}'’. -]{1,40}?),? \(?(?<region>${codes.canadianRegion})\)? {1,2}(?<code>${codes.canadian})(?![\p{L}\d])`,
  // Four digits behind a word can be a year. Behind a rural delivery number they are the code.
  String.raw`RD ?\d{1,2},? (?<town>\p{Lu}[\p{L}'’ -]{1,40}?),? (?<code>\d{4})(?! ?\d)`,
  // "м. Тернопіль, 46000"
  String.raw`(?:м|г|с|смт|пгт)\. ?(?<town>\p{Lu}[\p{L}'’-]{1,30}(?: \p{Lu}[\p{L}'’-]{1,30})?),? (?<code>\d{5,6})(?! ?\d)`,
  String.raw`(?<code>\d{2}-\d{3}) (?<town>\p{Lu}[\p{L}-]{1,30} (?!Polska|Poland|Tel|Fax|Umów|Zadzwoń|Dzwoń|Kontakt|Godziny|Zapraszamy)\p{Lu}\p{Ll}{1,30})(?=\s?[,;|·])`,
  String.raw`(?<code>\d{2}-\d{3}) (?<town>\p{Lu}[\p{L}-]{1,30})`,
  String.raw`(?:[A-Z]{1,2}-)?(?<code>\d{4,5}(?: ?[A-Z]{2})?) (?<town>\p{Lu}[\p{L}'’-]{1,30}(?: (?:am|an der|im|de|la|le|sur|en) \p{Lu}[\p{L}'’-]{1,30})?)`,
].map((town) => new RegExp(`^${gap}${town}`, 'u'))

/** "Unit 4, The Old Dairy, Dart Mill, Totnes TQ9 5ET": a building without a street. The code behind it is the proof. */
function unitsIn(text: string): (PlacedAddress & Span)[] {
  return Array.from(text.slice(0, 100_000).matchAll(unit), ({ 0: whole, index, groups = {} }) => {
    const { building = '', town = '', code = '' } = groups
    const address = { streetAddress: building, addressLocality: town, postalCode: code }
    return { address, index, length: whole.length }
  })
}

const unit = new RegExp(
  String.raw`(?<![\p{L}\d])(?<building>(?:Unit|Flat|Suite|Studio|Office|Shop) \d{1,4}[A-Z]?(?:, [\p{Lu}\d][\p{L}\d'’ -]{1,40}){1,3}), (?<town>\p{Lu}[\p{L}'’ -]{1,40}),? (?<code>${britishCode})(?![\p{L}\d])`,
  'gu',
)

/**
 * "Old Mill House", "Priory Place", "Northhaven NH4 2QT" in lines of their own: a house without a number. The code in the
 * last line is the proof, and every line between is one name.
 */
export function houseIn(lines: readonly string[]): PostalAddress | undefined {
  const read = lines.slice(0, 2_000).map((line) => line.trim().replace(/,$/, ''))
  for (const [place, line] of read.entries()) {
    const { town = '', code } = codeLine.exec(line)?.groups ?? {}
    if (code === undefined) continue
    const start = [4, 3, 2, 1].map((back) => place - back).find((at) => at >= 0 && house.test(read[at] ?? ''))
    if (start === undefined) continue
    const between = read.slice(start, place)
    if (!between.every((one) => placeName.test(one))) continue
    const named = town === '' ? between.slice(0, -1) : between
    const locality = town === '' ? between.at(-1) : town
    if (named.length === 0 || locality === undefined) continue
    return { streetAddress: named.join(', '), addressLocality: locality, postalCode: code }
  }
  return undefined
}

const codeLine = new RegExp(
  String.raw`^(?:(?<town>\p{Lu}[\p{L}'’ -]{1,40}?),? )?(?<code>${britishCode})$`,
  'u',
)
const house =
  /^\p{Lu}[\p{L}'’ -]{1,40} (?:House|Building|Barn|Cottage|Hall|Lodge|Mill|Centre|Chambers|Studios?|Works)$/u
const placeName = /^\p{Lu}[\p{L}'’. -]{1,40}$/u
