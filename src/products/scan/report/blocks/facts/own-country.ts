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
  const ofPhone = countries.filter(({ calling }) => isCalledBy(telephone, calling))
  const ofDomain = countries.filter(({ ending }) => domains.some((domain) => domain.endsWith(`.${ending}`)))
  const [only, ...others] = new Set([
    ...[...ofCode, ...ofSpeech, ...ofPhone, ...ofDomain].map(({ iso }) => iso),
    ...(ofAmerica ? ['US'] : []),
  ])
  if (only === undefined || others.length > 0) return undefined
  const country = countries.find(({ iso }) => iso === only)
  if (country === undefined) return language === 'en' || language === undefined ? only : undefined
  // A number of another country contradicts the rest, also where that country is not in the table.
  if (/^(?:\+|00[1-9])/.test((telephone ?? '').trim()) && !isCalledBy(telephone, country.calling))
    return undefined
  const isSpoken = language !== undefined && country.languages.includes(language)
  return isSpoken && (postalCode === undefined || country.code.test(postalCode)) ? only : undefined
}

/**
 * A number as it is dialled from abroad: "+33 6 37 38 15 55" of "06 37 38 15 55".
 * @returns undefined where the country would have to be guessed
 */
export function internationalPhone(telephone: string, country: string | undefined): string | undefined {
  const written = telephone.trim()
  if (written.startsWith('+')) return written
  if (/^00[1-9]/.test(written)) return `+${written.slice(2)}`.replace(/^(\+[1-9]\d?)[-/.]/, '$1 ')
  // Free and shared-cost numbers are dialled within their country.
  if (/^\(?0?(?:800|900|180|13[07]|1800|1300)/.test(written)) return written
  const known = countries.find(({ iso }) => iso === country)
  if (known === undefined) return undefined
  const calling = known.calling.replace(/^7.*/, '7')
  if (known.trunk === '') {
    const digits = written.replace(/\D/g, '')
    const hasCode =
      digits.startsWith(calling) && digits.length >= calling.length + (country === 'BR' ? 10 : 9)
    return hasCode || digits.startsWith('0') !== (country === 'IT' && digits.startsWith('0'))
      ? undefined
      : `+${calling} ${written}`
  }
  const local = written.replace(/^\(0(?=\d)/, '(').replace(/^\(0\)\s?/, '')
  if (local !== written) return `+${calling} ${local}`
  return written.startsWith(known.trunk)
    ? `+${calling} ${written.slice(known.trunk.length).trim()}`
    : undefined
}

function isCalledBy(telephone: string | undefined, calling: string): boolean {
  const digits = (telephone ?? '').trim().replace(/^00(?=[1-9])/, '+')
  return digits.startsWith('+') && new RegExp(`^(?:${calling})`).test(digits.replace(/\D/g, ''))
}

interface Country {
  readonly iso: string
  readonly languages: readonly string[]
  /** The end of its domains. */
  readonly ending: string
  /** The code of its telephone numbers, as a pattern: Kazakhstan has a part of those of Russia. */
  readonly calling: string
  /** What a number loses behind that code. */
  readonly trunk: string
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
  { ...country('DE', 'de', '49', '0', five), codeInLanguage: notTyrol },
  country('AT', 'de', '43', '0', four),
  country('CH', 'de fr it', '41', '0', four),
  country('FR', 'fr', '33', '0', five),
  country('BE', 'nl fr de', '32', '0', four),
  country('NL', 'nl', '31', '0', /^\d{4} ?[A-Z]{2}$/, true),
  country('IT', 'it', '39', '', five),
  country('ES', 'es ca eu gl', '34', '', five),
  country('PT', 'pt', '351', '', /^\d{4}-\d{3}$/, true),
  country('BR', 'pt', '55', '', /^\d{5}-?\d{3}$/),
  country('PL', 'pl', '48', '', /^\d{2}-\d{3}$/, true),
  country('CZ', 'cs', '420', '', /^\d{3} ?\d{2}$/),
  country('DK', 'da', '45', '', four),
  country('SE', 'sv', '46', '0', /^\d{3} ?\d{2}$/),
  country('TR', 'tr', '90', '0', five),
  country('RU', 'ru', '7[3489]', '8', six),
  country('KZ', 'ru kk', '77', '8', /^\d{6}$|^[A-Z]\d{2}[A-Z]\d[A-Z]\d$/),
  country('JP', 'ja', '81', '0', /^\d{3}[-－]\d{4}$/, true),
  { ...country('KR', 'ko', '82', '0', five), codeInLanguage: five },
  country('TW', 'zh', '886', '0', /^\d{3,6}$/),
  country('GB', 'en', '44', '0', /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/, true),
  country('AU', 'en', '61', '0', four),
  country('NZ', 'en', '64', '0', four),
]

function country(
  iso: string,
  languages: string,
  calling: string,
  trunk: string,
  code: RegExp,
  isProof = false,
): Country {
  const ending = iso === 'GB' ? 'uk' : iso.toLowerCase()
  const known = { iso, languages: languages.split(' '), ending, calling, trunk, code }
  return isProof ? { ...known, provingCode: code } : known
}
