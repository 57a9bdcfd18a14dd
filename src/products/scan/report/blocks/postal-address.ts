import { streetIn } from '../../agents/entity-trust/street-address.ts'

/** A street address as a page writes it. The town and code are there only if they follow the street. */
export interface PostalAddress {
  readonly streetAddress: string
  readonly addressLocality?: string
  readonly postalCode?: string
}

/** Finds the first street with its number in a text, and the town and postal code behind it. */
export function postalAddressIn(text: string): PostalAddress | undefined {
  const streetAddress = streetIn(text)
  if (streetAddress === undefined) return undefined
  const rest = text.slice(text.indexOf(streetAddress) + streetAddress.length).slice(0, 120)
  for (const pattern of towns) {
    const { town, code } = pattern.exec(rest)?.groups ?? {}
    if (town !== undefined && code !== undefined)
      return { streetAddress, addressLocality: town.trim(), postalCode: code }
  }
  return { streetAddress }
}

/** "Northhaven NH4 2QT", "Austin, TX 78701", "10115 Berlin". */
const towns: readonly RegExp[] = [
  /^[\s,|]{1,4}(?<town>\p{Lu}[\p{L}'’ -]{1,40}?),? (?<code>[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2})(?![\p{L}\d])/u,
  /^[\s,|]{1,4}(?<town>\p{Lu}[\p{L}'’. -]{1,40}?),? (?:[A-Z]{2}) (?<code>\d{5}(?:-\d{4})?)(?!\d)/u,
  /^[\s,|·–-]{1,4}(?:[A-Z]{1,2}-)?(?<code>\d{4,5}(?: ?[A-Z]{2})?) (?<town>\p{Lu}[\p{L}'’-]{1,30}(?: (?:am|an der|im|de|la|le|sur|en) \p{Lu}[\p{L}'’-]{1,30})?)/u,
]
