import type { LineAddress } from '../address-lines.ts'

/** An address and where it stands in the text. */
export interface FoundAddress {
  readonly address: LineAddress
  readonly index: number
  readonly length: number
}

/**
 * Finds addresses of India: "Shop No. 4, Sangam Complex, Near Clock Tower, Chikanghar, Kalyan (W) – 421301". They begin with
 * the number of a shop, plot or house, name a landmark rather than a street, and end with a town and the six digits of its
 * PIN code.
 */
export function indianAddressesIn(text: string): readonly FoundAddress[] {
  return [...text.slice(0, 100_000).matchAll(address)].flatMap(({ 0: whole, index, groups = {} }) => {
    const { street = '', town = '', before, behind, dash = '', pin = '' } = groups
    const region = before ?? behind
    // Six digits alone may be anything.
    if (region === undefined && dash === '' && !/(?:^|, ?)\p{L}+\.? ?no/iu.test(street)) return []
    return {
      address: {
        streetAddress: street,
        addressLocality: town,
        ...(region !== undefined && { addressRegion: region }),
        postalCode: pin,
      },
      index,
      length: whole.length,
    }
  })
}

const number = String.raw`[A-Z]{0,2}[-/]? ?\d[\w/-]{0,9}(?: ?[&,] ?[A-Z]?\d{1,4})?`
const start = String.raw`(?:(?:Shop|Plot|Flat|Office|House|Door|Unit|Gala|Clinic|Room|Khasra|SCO|H|D)\.? ?(?:Nos?\.?|Number)?:? ?${number}|#${number})`
/** "15, Hari Om Shopping Centre, " before the plot on which the building stands. */
const building = String.raw`(?:\d{1,3}[A-Z]?,? \p{Lu}[\p{L}\d'’. -]{1,40} (?:Cent(?:re|er)|Complex|Building|Bldg\.?|Arcade|Plaza|Towers?|Mall|Apartments?|House|Market|Chambers?|Heights|Society),? ?)?`
const part = ',? ?[^,;|:]{2,50}'
const town = String.raw`(?!(?:Code|Pin)\b)\p{Lu}[\p{L}.-]{1,25}(?: \p{Lu}[\p{L}.-]{1,25}){0,2}(?: ?\((?:[EWNS]|East|West|North|South)\.?\))?`
const states =
  'Andhra Pradesh|Arunachal Pradesh|Assam|Bihar|Chhattisgarh|Goa|Gujarat|Haryana|Himachal Pradesh|Jharkhand|Karnataka|' +
  'Kerala|Madhya Pradesh|Maharashtra|Manipur|Meghalaya|Mizoram|Nagaland|Odisha|Punjab|Rajasthan|Sikkim|Tamil Nadu|' +
  'Telangana|Tripura|Uttar Pradesh|Uttarakhand|West Bengal|Jammu and Kashmir|Ladakh'

const address = new RegExp(
  String.raw`(?<![\p{L}\d])(?<street>${building}${start}${part}(?:,${part}){0,6}), ?(?!(?:${states})[^\p{L}])(?<town>${town})(?:, ?(?<before>${states}))?[,.\s]{0,2}(?<dash>[–—-]|(?:[–—-] ?)?[Pp][Ii][Nn](?: ?[Cc]ode)? ?[:.–—-]{0,2})?\s?(?<pin>[1-9]\d{2} ?\d{3})(?!\d)(?:[,\s]{1,2}(?<behind>${states}))?`,
  'gu',
)
