import { decodeEscapes } from './addresses.ts'
import { isSamePhone, significantDigits, withoutExtension } from './contact/phone-rules.ts'
import { withPlainSigns } from './contact/plain-signs.ts'
import { attributeOf, type PageElement } from './html/elements.ts'
import { textWithin } from './html/visible-text.ts'
import type { Page } from './site.ts'

/**
 * Finds the telephone numbers of a page, as they are written and without repetitions: first those that it
 * links, then those behind a label ("Tel. 030 901820"), then those in its contact text. Small businesses
 * rarely link their number; a report that read only links would tell them that customers cannot call them.
 */
export function readPhones(page: PhoneSources): readonly string[] {
  const numbers = new Map<string, string>()
  for (const number of [
    ...linkedPhonesOf(page),
    ...messengerPhones(page),
    ...withinLines([...labeledPhones(page), ...barePhones(page.contactText)], page),
  ]) {
    const digits = number.replace(/\D/g, '')
    if (numbers.size < maxNumbers && !numbers.has(digits)) numbers.set(digits, number)
  }
  return [...numbers.values()]
}

/** Certainly no number that anybody answers: "(01) 123-4567", eight equal digits, or "03-000-0000". */
export function isSamplePhone(phone: string): boolean {
  return /^15589554885{1,2}$|0123456789|9876543210$|1234567(?:8(?:90?)?)?$|(\d)\1{7}|0{7}$/.test(
    phone.replace(/\D/g, ''),
  )
}

/** What may be a telephone number in a text: digits with the signs that part them. Dates and other numbers match as well. */
export const writtenNumbers = /\+?[\d(][\d\s()./-]{5,22}\d/g

type PhoneSources = Pick<Page, 'text' | 'elements' | 'contactText' | 'lines'>

/**
 * Telephone numbers that a page links, as they are written. Numbers of up to five digits ("112", "1441") are mostly
 * hotlines of the state or of another body, which a page passes on to its readers. One counts as the site's own only where
 * it stands alone in the header or the footer, as that of a taxi firm does.
 */
export function linkedPhonesOf({ elements }: Pick<Page, 'elements'>): readonly string[] {
  const linked = elements
    .filter(({ name, node }) => name === 'a' && /^\s*tel:/i.test(node.attribs.href ?? ''))
    .map(({ node, region }) => ({
      number: dialled(
        withoutWords(
          withoutExtension(
            decodeEscapes(attributeOf(node, 'href').replace(/^\s*tel:(?:\/\/)?/i, '')).slice(0, 60),
          ),
        ).slice(0, 40),
        node,
      ),
      isOnEveryPage: region === 'header' || region === 'footer' || region === 'nav',
    }))
    // "06-電話番号準備中": the number is to come.
    .filter(({ number }) => /\d/.test(number) && !/x{3}|(?!\p{Script=Latin})\p{L}/iu.test(number))
  const isOnly = new Set(linked.map(({ number }) => number)).size === 1
  const own = linked.filter(({ number, isOnEveryPage }) => !isShort(number) || (isOnly && isOnEveryPage))
  return [...new Set(own.map(({ number }) => number))].slice(0, maxNumbers)
}

/** "Office: +38 071 364 70 34, mobile: +38 066 826 31 58" is typed into a link by hand. The first number counts. */
function withoutWords(target: string): string {
  if (/^[+\d\s()./-]*$/.test(target)) return target
  return target.match(writtenNumbers)?.[0] ?? target
}

/**
 * The number that a link shows, where it dials another one: the text was changed, and the link forgotten. Visitors take the
 * one that they read for true.
 */
export function shownInstead(number: string, link: PageElement['node']): string | undefined {
  const text = withPlainSigns(textWithin([link]).slice(0, 100))
  // "09226680164 / 07709736251": two numbers, of which a tap dials one.
  const shown = text
    .split(/\s[/|·]\s|[,;]|\s(?:or|and|oder|und|ou|et|o|y|e)\s/)
    .flatMap((one) => one.match(writtenNumbers) ?? [])
  const [first] = shown
  const isWhole = (one: string) => significantDigits(one).length >= 7
  const differs = [number, ...shown].every(isWhole) && shown.every((one) => !isSamePhone(one, number))
  return differs ? first : undefined
}

/** No country code begins with a zero: where a link dials "+013…", the number that it shows is the right one. */
function dialled(number: string, link: PageElement['node']): string {
  const instead = shownInstead(number, link)
  if (instead !== undefined) return instead
  if (!/^\s*\+\s*0/.test(number)) return number.replace(trunkZero, '$1')
  const text = textWithin([link]).slice(0, 60)
  const [visible = ''] = /\(?0[\d\s()./-]{6,22}\d/.exec(text) ?? []
  return visible
}

/** "+43 0660…": behind the code of these countries the 0 of a number is left out. */
export const trunkZero =
  /^(\s*\+\s*(?:3[123]|4[01346789]|90|61|64|27|353|358|359|38[0-7])[\s.-]?)\(?0\)?(?=[\d\s./-]{6})/

function isShort(number: string): boolean {
  return digitsIn(number) <= 5
}

const maxNumbers = 100
const maxCharacters = 200_000

/** The number that a link to WhatsApp opens, where the link shows it, or the header, the footer or a part with the ways of contact. */
function messengerPhones({ elements, contactText }: PhoneSources): string[] {
  const links = elements
    .filter(
      ({ name, node }) => name === 'a' && /wa\.me|whatsapp/i.test(node.attribs.href?.slice(0, 500) ?? ''),
    )
    .slice(0, maxNumbers)
  if (links.length === 0) return []
  const around = Array.from(
    contactText.slice(0, maxCharacters).matchAll(writtenNumbers),
    ([number]) => number,
  ).slice(0, 100)
  return links.flatMap(({ node }) => {
    const opened =
      attributeOf(node, 'href')
        .slice(0, 500)
        .replace(/%20|[\s+()-]/g, '')
        .match(/\d{7,15}/g) ?? []
    const text = textWithin([node]).slice(0, 100)
    const [number = ''] = /[+(\d][\d\s()./-]{5,22}\d/.exec(text) ?? []
    return [number, ...around].filter((one) => isOneOf(opened, one))
  })
}

/** "602 612 940" is 34602612940. */
function isOneOf(numbers: readonly string[], written: string): boolean {
  const digits = written.replace(/\D/g, '')
  return digits.length >= 7 && numbers.some((number) => number.endsWith(digits))
}

/** Behind a word or a sign for a telephone, a number may have any form and stand anywhere. */
function labeledPhones({ text }: PhoneSources): string[] {
  const found: string[] = []
  for (const [, run] of withPlainSigns(text.slice(0, maxCharacters)).matchAll(labeled)) {
    const number = firstNumber(run ?? '')
    if (digitsIn(number) >= 7 && !isTime(number)) found.push(number)
    if (found.length >= maxNumbers) break
  }
  return found
}

const labeled =
  /(?:(?<!\p{L})(?:telephone|téléphone|telefono|teléfono|telefoon|telefone|telefon|phone|mobile|mobil|móvil|handy|fon|tél|tel|телефон|тел|τηλέφωνο|τηλ|điện thoại|sđt|טלפון|טל|الهاتف|هاتف|電話(?:番号)?|电话|전화(?:번호)?|call|ring|appelez(?:-nous)?)|[☎✆📞]\ufe0f?)(?:[\s.]{1,2}(?:us|now|today|free|on|at|unter|au|number|no|nr)){0,4}[\s.:–-]{0,4}(\(?\+?[\d(][\d\s()./-]{5,22}\d)/giu

/**
 * The numbers without the digits of another line. The text of a page joins its lines, so the "00" of "08:00-20:00" stands
 * before "0709-388-288", and the "24" of "24 h" behind it. A number that no line holds whole stays where no line holds a
 * whole one at its end or its beginning: "+46 709" and "388288" may stand in two lines.
 */
function withinLines(numbers: readonly string[], { lines }: PhoneSources): string[] {
  if (numbers.length === 0) return []
  const apart = withPlainSigns(lines.join(' | ').slice(0, maxCharacters))
  if (numbers.every((number) => apart.includes(number))) return [...numbers]
  const ofLines = barePhones(apart).map((number) => ({ number, digits: number.replace(/\D/g, '') }))
  return numbers.map((number) => {
    if (apart.includes(number)) return number
    const all = number.replace(/\D/g, '')
    return ofLines.find(({ digits }) => all.endsWith(digits) || all.startsWith(digits))?.number ?? number
  })
}

/** Without such a word, a number needs the form of a telephone number and no other label in front of it. */
function barePhones(written: string): string[] {
  const found: string[] = []
  const contactText = withPlainSigns(written)
  for (const { 0: run, index } of contactText.matchAll(bare)) {
    const number = firstNumber(run)
    const digits = digitsIn(number)
    if (digits < 9 || digits > 15 || isTime(number) || isVersion(number)) continue
    if (otherLabel.test(contactText.slice(Math.max(0, index - 24), index))) continue
    const end = index + number.length
    if (faxBehind.test(contactText.slice(end, end + 16))) continue
    found.push(number)
    if (found.length >= maxNumbers) break
  }
  return found
}

/** Not behind a colon, as the minutes of "20:00" are. With a country code, with a leading zero, as in North America, as in Turkey ("0 (216) 345 20 11"), Spain ("963 51 20 11") or Brazil, or two of ten digits side by side, as in Mexico. */
const bare =
  /(?<![\d+.,/-]|〒\s{0,2}|\d:(?=[0-5]\d(?!\d)))(?:\+\d{1,3}(?:[\s()./-]{1,3}\d{1,8}){1,6}|\+\d{8,14}|\(?0\d{1,5}\)?(?:[\s./-]{1,3}\d{1,8}){1,6}|0\d{9,10}|(?:\([2-9]\d{2}\)[\s.-]{0,2}|[2-9]\d{2}[\s.-]{1,2})\d{3}(?:[\s.-]|\s-\s)\d{4}|[2-9]\d{9}(?=\s?\/\s?[2-9]\d{9}(?!\d))|(?<=(?<!\d)[2-9]\d{9}\s?\/\s?)[2-9]\d{9}|0\s(?:\([2-5]\d{2}\)|[2-5]\d{2})\s\d{3}(?:\s?\d{2}){2}|(?<!\d\s)(?:[6-9]\d{2}\s\d{2}|9[1-8]\s\d{3})\s\d{2}\s\d{2}(?!\s\d{2}(?!\d))|\([1-9]\d\)\s?(?:9\s?\d{4}|[2-5]\d{3})[\s.-]\d{4})(?!\d)/g

/** Labels of registers, taxes, banks and fax. "Northhaven" is a town, and not "No". */
const otherLabel =
  /(?:(?<!\p{L})(?:(?:p\.?\s?i|c\.?\s?f|rea)\.?(?=[\s.:]{0,4}$)|(?:(?:no|nr)(?!\p{L})|n[°º]|number|numéro|vat|tva|iva|siret|siren|rcs|hr[ab]|iban|bic|tax|steuer|reg|registered|id|ust|kvk|cif|nif|ein|ico|fax|faks|faksi|belgegeçer|telefax|télécopie|gdc|gmc|npi|abn|acn|licen[cs]e|lic\.|팩스|传真|傳真|ファックス|ファクス|факс|nip|regon|krs|cnpj|cpf|dič|ičo|инн|огрн|кпп)[\p{L}-]{0,12})|idnr[\p{L}-]{0,12})[\s.:：]{0,4}$/iu

/** "963 51 20 11 (fax)" */
const faxBehind = /^\s{0,2}[([]?\s?(?:tele)?fa(?:x|ks)(?!\p{L})(?!\s?[:.]?\s{0,3}[+(\d])/iu

/** The first of two numbers that follow one another. */
function firstNumber(run: string): string {
  // "(0049) 69-568 07 116": two zeros stand for the plus sign.
  const hasZeros = /^\(?00[1-9]/.test(run)
  const isWhole = hasZeros ? 13 : run.startsWith('+') ? 11 : 10
  let digits = 0
  let end = 0
  for (const { 0: group, index } of run.matchAll(/\d+/g)) {
    const next = digits + group.length
    const isBehindSlash = digits >= 7 && /\s\/\s/.test(run.slice(end, index))
    // "692-787-380 608-123-456": hyphens join one number, and the blank parts two.
    const isBehindBlank =
      digits >= 9 && /^\s+$/.test(run.slice(end, index)) && /^\d+(?:-\d+){2,}$/.test(run.slice(0, end))
    if (
      next > 15 ||
      isBehindSlash ||
      isBehindBlank ||
      (digits >= isWhole && (group.startsWith('0') || next > (hasZeros ? 15 : 13)))
    )
      break
    digits = next
    end = index + group.length
  }
  // "+675) 8394" of "(+675) 8394".
  const number = run.slice(0, end)
  return number.includes('(') ? number : number.replaceAll(')', '')
}

function digitsIn(text: string): number {
  return text.replace(/\D/g, '').length
}

/** Opening hours ("09.00 - 17.30") and dates ("01.02.2026") look like telephone numbers. */
function isTime(number: string): boolean {
  return /^\d{1,2}\.\d{2}\s?-\s?\d{1,2}\.\d{2}|^\d{1,2}[./-]\d{1,2}[./-](?:19|20)\d{2}|^(?:19|20)\d{2}[./-]/.test(
    number,
  )
}

/** Numbers of articles and versions: "003.006.009". */
function isVersion(number: string): boolean {
  return /^0\d{0,3}(?:\.0\d{0,3}){1,4}$/.test(number)
}
