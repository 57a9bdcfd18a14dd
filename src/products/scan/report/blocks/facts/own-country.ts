import { parsedPhone } from '../../../site/contact/phone-rules.ts'
import { isSampleStreet } from '../../../site/contact/street-address.ts'
import { isRecord, textOf } from '../../../site/html/json-ld.ts'
import type { JsonLdNode } from '../../../site/site.ts'
import { streetOf } from './own-node.ts'
import type { PostalAddress } from './postal-address.ts'

/** What tells in which country a business is. */
export interface CountryMarks {
  /** Of the site, such as `de`. */
  readonly language: string | undefined
  /** The domain of the site and that of its own mail address. */
  readonly domains: readonly string[]
  readonly telephone: string | undefined
  readonly address: PostalAddress | undefined
}

/**
 * The country of a business, where language, domain, code of the telephone or form of the postal code tell it for sure.
 * Each of them has to fit the language of the site, and none may contradict another. A wrong country would send a
 * navigation, and a call, to another land.
 * @returns the ISO code, such as `DE`
 */
export function ownCountry({ language, domains, telephone, address }: CountryMarks): string | undefined {
  const { postalCode, addressRegion } = address ?? {}
  const ofCode = countries.filter(({ provingCode }) => provingCode?.test(postalCode ?? '') === true)
  const ofSpeech = countries.filter(
    ({ codeInLanguage, languages }) =>
      language !== undefined &&
      languages.includes(language) &&
      codeInLanguage?.test(postalCode ?? '') === true,
  )
  const ofAmerica = /^[A-Z]{2}$/.test(addressRegion ?? '') && /^\d{5}(?:-\d{4})?$/.test(postalCode ?? '')
  const ofPhone = countries.filter(({ iso }) => isCalledBy(telephone, iso))
  const ofDomain = countries.filter(({ ending }) => domains.some((domain) => domain.endsWith(`.${ending}`)))
  const [only, ...others] = new Set([
    ...[...ofCode, ...ofSpeech, ...ofPhone, ...ofDomain].map(({ iso }) => iso),
    ...(ofAmerica ? ['US'] : []),
  ])
  if (only === undefined || others.length > 0) return undefined
  const country = countries.find(({ iso }) => iso === only)
  if (country === undefined) return language === 'en' || language === undefined ? only : undefined
  // A number of another country contradicts the rest, also where that country is not in the table.
  if (/^(?:\+|00[1-9])/.test((telephone ?? '').trim()) && !isCalledBy(telephone, country.iso))
    return undefined
  const isSpoken = language !== undefined && country.languages.includes(language)
  return isSpoken && (postalCode === undefined || country.code.test(postalCode)) ? only : undefined
}

/**
 * The country that the markup of the business names, else the one that its site tells. A street that has changed leaves
 * its country as it was, unless the site tells another one. That of a template goes with its street ("Anytown", "US").
 * @param isReplaced whether the pages have another street than the markup
 */
export function countryOf(
  node: JsonLdNode | undefined,
  isReplaced: boolean,
  marks: CountryMarks,
): string | undefined {
  const stated = node === undefined || isOfTemplate(node) ? undefined : statedCountry(node)
  const told = ownCountry(marks)
  if (stated === undefined) return told
  return told !== undefined && (isReplaced || isAtHome(told, marks)) ? told : stated
}

/** Whether the domain and a postal code agree on the country of the language. */
function isAtHome(iso: string, { domains, address }: CountryMarks): boolean {
  const { ending } = countries.find((one) => one.iso === iso) ?? {}
  return address?.postalCode !== undefined && domains.some((domain) => domain.endsWith(`.${ending}`))
}

function isOfTemplate(node: JsonLdNode): boolean {
  const { address } = node.properties
  return (
    isSampleStreet(streetOf(node)) || (isRecord(address) && sampleTown.test(textOf(address.addressLocality)))
  )
}

const sampleTown =
  /^(?:any ?(?:town|city)|(?:your|sample|example) ?(?:town|city)|musterstadt|musterhausen|ihre stadt|votre ville|tu ciudad|sua cidade|city|town)$/iu

/** Where the business has one address, and the markup names its country by two letters. */
function statedCountry({ properties }: JsonLdNode): string | undefined {
  const [address, ...others] = [properties.address ?? []].flat()
  const country = isRecord(address) ? textOf(address.addressCountry).trim() : ''
  return others.length === 0 && /^[A-Z]{2}$/.test(country) ? country : undefined
}

/**
 * A number as it is dialled from abroad: "+33 6 37 38 15 55" of "06 37 38 15 55".
 * @returns undefined where the country would have to be guessed
 */
export function internationalPhone(telephone: string, country: string | undefined): string | undefined {
  const written = telephone.trim()
  // Free and shared-cost numbers are dialled within their country.
  if (/^\(?0?(?:800|900|180|13[07]|1800|1300)/.test(written)) return written
  const number = parsedPhone(written, country)
  if (number?.isPossible()) return number.formatInternational()
  return written.startsWith('+') ? written : undefined
}

function isCalledBy(telephone: string | undefined, iso: string): boolean {
  const countries = parsedPhone(telephone ?? '', undefined)?.getPossibleCountries() ?? []
  return countries.some((one) => one === iso)
}

interface Country {
  readonly iso: string
  readonly languages: readonly string[]
  /** The end of its domains. */
  readonly ending: string
  readonly code: RegExp
  /** The form of a postal code that no other country has. */
  readonly provingCode?: RegExp
  /** The form of a postal code that no other country of its language has: four digits are Austria or Switzerland. */
  readonly codeInLanguage?: RegExp
}

const four = /^\d{4}$/
const five = /^\d{5}$/
const six = /^\d{6}$/
/** German is spoken around 39100, too, in Italy. */
const notTyrol = /^(?!39)\d{5}$/

const countries: readonly Country[] = [
  { ...country('DE', 'de', five), codeInLanguage: notTyrol },
  country('AT', 'de', four),
  country('CH', 'de fr it', four),
  country('FR', 'fr', five),
  country('BE', 'nl fr de', four),
  country('NL', 'nl', /^\d{4} ?[A-Z]{2}$/, true),
  country('IT', 'it', five),
  country('ES', 'es ca eu gl', five),
  country('PT', 'pt', /^\d{4}-\d{3}$/, true),
  country('BR', 'pt', /^\d{5}-?\d{3}$/),
  country('PL', 'pl', /^\d{2}-\d{3}$/, true),
  country('CZ', 'cs', /^\d{3} ?\d{2}$/),
  country('DK', 'da', four),
  country('SE', 'sv', /^\d{3} ?\d{2}$/),
  country('TR', 'tr', five),
  country('RU', 'ru', six),
  country('KZ', 'ru kk', /^\d{6}$|^[A-Z]\d{2}[A-Z]\d[A-Z]\d$/),
  country('JP', 'ja', /^\d{3}[-－]\d{4}$/, true),
  { ...country('KR', 'ko', five), codeInLanguage: five },
  country('TW', 'zh', /^\d{3,6}$/),
  country('IN', 'en hi mr gu ta te kn ml bn pa', /^[1-9]\d{2} ?\d{3}$/),
  country('GB', 'en', /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/, true),
  country('AU', 'en', four),
  country('NZ', 'en', four),
  country('IE', 'en ga', /^[A-Z]\d[\dW] ?[A-Z\d]{4}$/, true),
  country('ZA', 'en af', four),
  country('PH', 'en tl', four),
  country('MY', 'ms en zh', five),
  country('SG', 'en zh ms ta', six),
  country('ID', 'id', five),
  country('TH', 'th', five),
  country('MX', 'es', five),
  country('GR', 'el', /^\d{3} ?\d{2}$/),
  country('UA', 'uk ru', five),
  country('RO', 'ro', six),
  country('HU', 'hu', four),
  country('FI', 'fi sv', five),
  country('NO', 'no nb nn', four),
  country('SI', 'sl', four),
  country('HR', 'hr', five),
  country('BA', 'bs hr sr', five),
  country('RS', 'sr', five),
  country('SK', 'sk', /^\d{3} ?\d{2}$/),
  country('BG', 'bg', four),
  country('LT', 'lt', /^(?:LT-)?\d{5}$/),
  country('LV', 'lv ru', /^LV-\d{4}$/, true),
  country('EE', 'et ru', five),
  country('CL', 'es', /^\d{7}$/),
  country('AR', 'es', /^(?:[A-Z])?\d{4}(?:[A-Z]{3})?$/),
  country('CO', 'es', six),
  country('PE', 'es', five),
  country('MA', 'fr ar', five),
  country('AZ', 'az ru', /^(?:AZ ?)?\d{4}$/),
]

function country(iso: string, languages: string, code: RegExp, isProof = false): Country {
  const ending = iso === 'GB' ? 'uk' : iso.toLowerCase()
  const known = { iso, languages: languages.split(' '), ending, code }
  return isProof ? { ...known, provingCode: code } : known
}
