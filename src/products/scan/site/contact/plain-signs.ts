/**
 * Writes telephone numbers with plain hyphens: "(270) 846 – 9994", "06−6345−2011". Programs for texts make a dash of a
 * hyphen, and Japanese keyboards have three more signs. A dash also stands between years, prices and hours, so only the
 * forms of numbers are changed. Hands put a blank behind the plus: "+ 387 66 801 241".
 */
export function withPlainSigns(text: string): string {
  return text
    .replace(/(?<=\d)[\u2010\u2011](?=\d)/g, '-')
    .replace(ofPostalCode, '-')
    .replace(parted, withHyphens)
    .replace(withZero, (number) => (isNumber(number) ? withHyphens(number) : number))
    .replace(/\+\s(?=\d{2})/g, '+')
}

const dash = String.raw`[\u2012-\u2015\u2212\u30fc\uff0d]`
const ofPostalCode = new RegExp(String.raw`(?<=〒\s?\d{3})${dash}(?=\d{4}(?!\d))`, 'g')
const gap = String.raw`(?:\s?${dash}\s?|[\s.-])`

function withHyphens(number: string): string {
  return number.replace(spacedDash, '-')
}

const spacedDash = new RegExp(String.raw`\s?${dash}\s?`, 'g')

/** "512–478–2210", "(512) 478—2210": three groups, as in North America, or as in Spain. */
const parted = new RegExp(
  String.raw`(?<![\d.,$€£]|\d\s?${dash})(?:\([2-9]\d{2}\)\s?|[2-9]\d{2}${gap})\d{3}${gap}\d{3,4}(?!\d|\s?${dash}\s?\d)`,
  'g',
)

/** "05141 – 90 18 20", "0113 – 249 – 6021", "06ー6345ー2011". */
const withZero = new RegExp(
  String.raw`(?<![\d.,:]|\d\s?${dash}|〒\s?)0\d{1,4}\s?${dash}\s?\d{2,8}(?:(?:\s?${dash}\s?|\s(?!0\d{1,4}\s?${dash}))\d{2,4}){0,4}(?!\d)`,
  'g',
)

/** Not the hours "0900 – 1700", the date "01–02–2025", the hours "08–12 14–18" of two days, or two postal codes. */
function isNumber(written: string): boolean {
  const digits = written.replace(/\D/g, '').length
  return digits >= 9 && digits <= 12 && !hours.test(written) && !/^\d{5}\s?\D\s?0\d{4}$/.test(written)
}

const hours = /^0\d(?:[0-5]\d)?\s?\D\s?[0-2]\d(?:[0-5]\d)?(?:\s|$)/
