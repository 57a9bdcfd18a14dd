import type { Evidence } from '../../../findings/check.ts'
import type { ContactSource } from '../../../signals/contact/contact-sources.ts'
import { institution } from '../../../site/contact/institutions.ts'
import { creditLinesOf } from '../../../site/html/credit-lines.ts'
import { houseIn, type PostalAddress, postalAddressesIn } from './postal-address.ts'
import { firstWritings, type Spelling, spellingsOn } from './same-street.ts'
import { withSureTown } from './sure-town.ts'

/** What tells that an address beside it is the business's own. */
export interface OwnMarks {
  readonly name: string | undefined
  readonly telephone: string | undefined
  readonly email: string | undefined
}

/** "Flat 403" leads to no house: the street before it was not read. */
const unitAlone =
  /^(?:flat|apt|apartment|unit|suite|room|floor|office|local|consultorio|oficina|piso|sala|etg|étage|appt)\.?\s?#?\w{1,5}$/iu

/**
 * The street address of the business itself. A page may name those of a chamber, a web designer or the makers of a
 * map, too, and an owner who pastes one of them sends customers to another house. So an address counts only if it
 * stands on a contact page or imprint, on two pages, or beside the own name, number or mail address. Where two or more
 * are left, the site contradicts itself or has two houses, and below a heading such as "Winter" an address holds for a
 * part of the year only: then none is taken, because the wrong one would send people to a closed door.
 */
export function ownAddress(sources: readonly ContactSource[], own: OwnMarks): OwnAddress {
  const found = new Map<string, Candidate>()
  const keyOf = firstWritings()
  for (const { page, isTrusted } of sources) {
    const text = isTrusted ? page.text.slice(0, maxCharacters) : page.contactText
    let end = 0
    for (const { address: read, index } of postalAddressesIn(text, page.lines)) {
      const address = withUnit(withSureTown(withoutName(read, own), page.lines), page.lines)
      const before = text.slice(Math.max(end, index - 100), index)
      end = index + address.streetAddress.length
      if (isOfAnother(before, own) || carPark.test(before) || unitAlone.test(address.streetAddress)) continue
      if (creditLinesOf(page).some((line) => line.includes(address.streetAddress))) continue
      const key = keyOf(address.streetAddress)
      const known = found.get(key)
      const isOwn = isTrusted || known?.isOwn === true || isBeside(text, index, own)
      found.set(key, {
        address: known === undefined ? address : fuller(known.address, address),
        pages: new Set([...(known?.pages ?? []), page.url]),
        isOwn,
        isOneOfSome: known?.isOneOfSome === true || oneOfSome.test(before.slice(-40)),
      })
    }
  }
  if (found.size === 0) {
    const [house] = sources.flatMap(({ page, isTrusted }) => (isTrusted ? (houseIn(page.lines) ?? []) : []))
    if (house !== undefined) return { address: house, conflict: undefined, isLeftOut: false }
  }
  const [best, ...others] = [...found.values()]
    .filter(({ pages, isOwn }) => isOwn || pages.size > 1)
    .toSorted((one, other) => other.pages.size - one.pages.size)
  const pages = sources.map(({ page }) => page)
  const spellings = best === undefined ? [] : spellingsOn(streetOf(best.address), pages)
  const rival = others.find(({ address }) => !spellings.some(({ written }) => written === streetOf(address)))
  if (best === undefined || best.isOneOfSome)
    return { address: undefined, conflict: undefined, isLeftOut: best !== undefined }
  if (rival === undefined) {
    const alike = others.map(({ address }) => address).reduce(fuller, best.address)
    return {
      ...withCommonSpelling({ ...alike, streetAddress: best.address.streetAddress }, spellings),
      isLeftOut: false,
    }
  }
  const onOther = (one: Candidate, other: Candidate) =>
    [...one.pages].find((url) => !other.pages.has(url)) ?? [...one.pages][0] ?? ''
  const said = [
    { url: onOther(best, rival), value: best.address.streetAddress },
    { url: onOther(rival, best), value: rival.address.streetAddress },
  ]
  return { address: undefined, conflict: said, isLeftOut: false }
}

export interface OwnAddress {
  readonly address: PostalAddress | undefined
  /** Two pages that name different ones. */
  readonly conflict: readonly Evidence[] | undefined
  /** One was read, and holds for a season or one of several places. */
  readonly isLeftOut: boolean
}

interface Candidate {
  readonly address: PostalAddress
  readonly pages: ReadonlySet<string>
  readonly isOwn: boolean
  /** A word before it says that there is another one. */
  readonly isOneOfSome: boolean
}

const maxCharacters = 100_000

/** "Praxis Dr. Lind Gartenweg 12" of "Praxis Dr. Ada Lind": her name stands in the line of her street. */
function withoutName(address: PostalAddress, { name = '' }: OwnMarks): PostalAddress {
  const own = new Set(name.toLowerCase().split(/\s+/))
  const words = address.streetAddress.split(' ')
  const start = words.findIndex((word) => !own.has(word.toLowerCase()))
  return start > 0 &&
    /^\p{Lu}\p{Ll}{2,}(?:stra(?:ße|sse)|str\.|weg|platz|gasse|allee|ring|damm|ufer)$/u.test(
      words[start] ?? '',
    )
    ? { ...address, streetAddress: words.slice(start).join(' ') }
    : address
}

/** "Level 1" in the line above the street. */
function withUnit(address: PostalAddress, lines: readonly string[]): PostalAddress {
  const { streetAddress } = address
  const at = lines.slice(0, 2_000).findIndex((line) => line.startsWith(streetAddress))
  const above = (lines[at - 1] ?? '').trim().replace(/,$/, '')
  return at > 0 && /^(?:level|suite|unit|floor|shop|office|flat) \w{1,4}$/i.test(above)
    ? { ...address, streetAddress: `${above}, ${streetAddress}` }
    : address
}

function streetOf({ streetAddress }: PostalAddress): string {
  return streetAddress.split(',', 1)[0] ?? ''
}

/** Of two spellings of one street the one on more pages. Where both are on as many, only the owner knows. */
function withCommonSpelling(
  address: PostalAddress,
  spellings: readonly Spelling[],
): Pick<OwnAddress, 'address' | 'conflict'> {
  const [best, other] = spellings.toSorted((one, next) => next.urls.length - one.urls.length)
  if (best === undefined || other === undefined) return { address, conflict: undefined }
  if (best.urls.length > other.urls.length) {
    const streetAddress = address.streetAddress.replace(streetOf(address), () => best.written)
    return { address: { ...address, streetAddress }, conflict: undefined }
  }
  const said = [best, other].map(({ written, urls }, at, both) => ({
    url: urls.find((url) => both[1 - at]?.urls.includes(url) !== true) ?? urls[0] ?? '',
    value: written,
  }))
  return { address: undefined, conflict: said }
}

function fuller(one: PostalAddress, other: PostalAddress): PostalAddress {
  return partsOf(other) > partsOf(one) ? other : one
}

/** A code tells more than a town, and a town more than a building or flat. */
function partsOf({ streetAddress, postalCode, addressLocality }: PostalAddress): number {
  return (
    (postalCode === undefined ? 0 : 10) +
    (addressLocality === undefined ? 0 : 5) +
    Math.min(4, streetAddress.split(',').length)
  )
}

/** "Zuständig ist die Zahnärztekammer Berlin, " before a street: the address of another organization. */
function isOfAnother(before: string, { name = '' }: OwnMarks): boolean {
  const [word] = institution.exec(before) ?? []
  return word !== undefined && !name.toLowerCase().includes(word.toLowerCase())
}

/** "Secure carpark (" before a street. */
const carPark =
  /(?<!\p{L})(?:car ?parks?|parking|parkhaus|tiefgarage|parkplatz)(?!\p{L})\P{L}{0,12}(?:at |in |im |on )?$/iu

const oneOfSome =
  /(?<!\p{L})(?:winter|zomer|summer|sommer|hiver|été|invierno|verano|inverno|estate|locaties|locations|standorte|filialen?|branch(?:es)?|succursales?|sucursal(?:es)?|sedes|sedi|indoor|outdoor)(?!\p{L})/iu

/** Whether the own name, number or mail address stands within 200 characters. */
function isBeside(text: string, index: number, { name, telephone, email }: OwnMarks): boolean {
  const near = text.slice(Math.max(0, index - 200), index + 300).toLowerCase()
  const digits = (telephone ?? '').replace(/\D/g, '').slice(-7)
  return (
    (name !== undefined && near.includes(name.toLowerCase())) ||
    (email !== undefined && near.includes(email)) ||
    (digits.length === 7 && near.replace(/\D/g, '').includes(digits))
  )
}
