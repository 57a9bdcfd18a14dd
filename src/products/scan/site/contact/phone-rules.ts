import { isSupportedCountry, type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/**
 * Whether two writings are one telephone number: with and without country code, area code, spaces, an extension, or the
 * digit that is dialled within a country only (0 in Germany, Korea and Japan, 8 in Russia).
 */
export function isSamePhone(one: string, other: string): boolean {
  return areSameDigits(significantDigits(one), significantDigits(other))
}

/** @param one of `significantDigits`, which is read once where many numbers are compared. */
export function areSameDigits(one: string, other: string): boolean {
  if (Math.min(one.length, other.length) < 6) return false
  return one.endsWith(other) || other.endsWith(one)
}

/**
 * A number by the rules of its country.
 * @param country the ISO code of the country of those who write it, such as `DE`, for a number without the code of one
 * @returns undefined for what is no number, or has no country
 */
export function parsedPhone(phone: string, country: string | undefined): PhoneNumber | undefined {
  const written = phone
    .trim()
    .slice(0, 60)
    .replace(/^00(?=[1-9])/, '+')
  return parsePhoneNumberFromString(
    written,
    country !== undefined && isSupportedCountry(country) ? country : undefined,
  )
}

/** Whether it has too few or too many digits for the country whose code it has. */
export function isImpossiblePhone(phone: string): boolean {
  const written = phone.trim()
  // In Japan and Korea numbers begin with two zeros that dial no country: 0077, 0078, 00798.
  const isAbroad =
    written.startsWith('+') ||
    (/^00(?!7[789]|81|82)[1-9]/.test(written) && written.replace(/\D/g, '').length > 10)
  return isAbroad && parsedPhone(phone, undefined)?.isPossible() !== true
}

/** A number without the extension behind it: "ext. 12", ";ext=12", "x12". */
export function withoutExtension(phone: string): string {
  return phone.replace(extension, '').trim()
}

const extension =
  /[\s,;.(]*(?:(?<=\d\s?)x|(?<!\p{L})(?:extension|ext|extn|durchwahl|dw|poste|int(?:erno)?|доб(?:авочный)?|内線|内线|分机|내선))[\s.:=#]{0,3}\d{1,6}\)?\s*$|[;,].*$/iu

/** The digits of a number that are dialled from everywhere, as far as it has them. */
export function significantDigits(phone: string): string {
  const main = withoutExtension(phone.slice(0, 100).normalize('NFKC'))
  // "+49 (0)8161", "+49 (08161)": not dialled behind a country code. In "+38 (0352)" it belongs to the code, which is 380.
  const digits = main.replace(/^(\s*(?:\+|00)(?!\s?38\D)[\d\s.-]{1,5})\(0/, '$1(').replace(/\D/g, '')
  return /^8\d{10}$/.test(digits) && !main.startsWith('+') ? digits.slice(1) : digits.replace(/^0+/, '')
}
