import { areSameDigits, isSamePhone, significantDigits } from '../../../site/contact/phone-rules.ts'
import { withPlainSigns } from '../../../site/contact/plain-signs.ts'
import { linkedPhonesOf, writtenNumbers } from '../../../site/phone-numbers.ts'
import type { Page } from '../../../site/site.ts'

export interface PagePhones {
  readonly page: Page
  /** Those that may be the business's own, as the page writes them. */
  readonly all: readonly string[]
  /** Those of `all` that the page links. */
  readonly linked: readonly string[]
}

/**
 * The telephone numbers of pages, without those of others: of a fax, of a chamber or court that an imprint names, and of an
 * emergency service where another number is left. Published as the only number, each of them sends customers elsewhere.
 */
export function ownNumbers(pages: readonly Page[]): readonly PagePhones[] {
  const read = pages.map((page) => {
    const uses = usesIn(page)
    const isAlways = (phone: string, mark: RegExp) => {
      const wanted = significantDigits(phone)
      const found = uses.filter(({ digits }) => areSameDigits(digits, wanted))
      return found.length > 0 && found.every(({ before }) => mark.test(before))
    }
    const isForeign = (phone: string) => isAlways(phone, fax) || isAlways(phone, institution)
    const all = page.phones.filter((phone) => !isPublicHotline(phone) && !isForeign(phone))
    return {
      page,
      all,
      linked: linkedPhonesOf(page).filter((phone) =>
        all.some((one) => isSamePhone(one, phone) || one === phone),
      ),
      isEmergency: (phone: string) => isAlways(phone, emergency),
    }
  })
  const hasOther = read.some(({ all, isEmergency }) => all.some((phone) => !isEmergency(phone)))
  const kept = (list: readonly string[], isEmergency: (phone: string) => boolean) =>
    hasOther ? list.filter((phone) => !isEmergency(phone)) : list
  return read.map(({ page, all, linked, isEmergency }) => ({
    page,
    all: kept(all, isEmergency),
    linked: kept(linked, isEmergency),
  }))
}

/** Every number in the text of a page, with the words between it and the number before it. */
function usesIn({ text }: Page): readonly { readonly digits: string; readonly before: string }[] {
  // "9.00-11.00 070 247 95 30": the hours before a number are no part of it.
  const read = withPlainSigns(text.slice(0, 100_000)).replace(hours, (time) => 'x'.repeat(time.length))
  let end = 0
  return Array.from(read.matchAll(writtenNumbers), ({ 0: number, index }) => {
    const before = read.slice(Math.max(end, index - maxBefore), index)
    end = index + number.length
    return { digits: significantDigits(number), before }
  }).slice(0, 500)
}

const maxBefore = 90
/** From a time to a time; "01.42.68.53.10" is a number. */
const hours = /(?<![\d.])(?:[01]?\d|2[0-4])[.:h][0-5]\d\s?[-–]\s?(?:[01]?\d|2[0-4])[.:h][0-5]\d(?![\d.])/g

/** 116117, 116111: numbers that are the same in all of Europe. */
function isPublicHotline(phone: string): boolean {
  return /^116\d{3}$/.test(phone.replace(/\D/g, ''))
}

/** Right before the number. "Tel./Fax" is both. */
const fax =
  /(?<!(?:tel|phone|fon|전화|電話|电话)[\p{L}.]{0,6}\s?(?:[/&+,·・]|und|and|et|y|e)\s?)(?:tele)?(?:fax|팩스|传真|傳真|ファックス|ファクス|факс)\p{L}{0,3}(?:\s?(?:no|nr|number|nummer|번호))?[\s.:：]{0,4}$/iu

/** A register that stands behind a court belongs to the business, and so does the number behind it. */
const institution =
  /(?:kammer|gericht|aufsichtsbehörde|(?<!\p{L})(?:county court|high court|ombudsman|data protection authority|datenschutzbeauftragte\p{L}*|tribunal|chambre|ordre des|autorità|garante|cámara|소비자원|법원|保健所|法院))(?![\s\S]*(?:hr[ab]|reg|ust|steuer))[\s\S]*$/iu

const emergency =
  /(?<!\p{L})(?:notdienst|notruf|notfall\p{L}{0,10}|\p{L}{0,12}bereitschaftsdienst|giftnotruf|emergenc(?:y|ies)|out[ -]of[ -]hours|urgences?|guardia medica|guardia médica|emergencias?|emergenze|emergências?|urgências?|urgencias|urgențe|spoed\p{L}{0,6}|jour(?:telefon|tid)|jour(?=\s(?:under|på|vid|helg\p{L}{0,6}|kväll\p{L}{0,6}|natt\p{L}{0,4})\s)|akut(?:telefon|mottagning|vagt)?|(?:tannlege|tandlæge|lege)?vakt(?:telefon|en)?|tandlægevagt|päivystys\p{L}{0,6}|pohotovost|pogotowie|dyżur\p{L}{0,4}|ügyelet\p{L}{0,4}|acil(?: durum)?|nöbetçi|неотложн\p{L}{1,4}|экстренн\p{L}{1,4}|hitn\p{L}{1,3}|dežurn\p{L}{1,4}|응급\p{L}{0,3}|急诊|急救|救急)(?!\p{L})[^.!?]{0,40}$/iu
