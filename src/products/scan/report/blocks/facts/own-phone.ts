import type { Evidence } from '../../../findings/check.ts'
import { shown } from '../../../site/addresses.ts'
import { textWithin } from '../../../site/html/visible-text.ts'
import { linkedPhonesOf } from '../../../site/phone-numbers.ts'
import type { Page } from '../../../site/site.ts'
import { commonest } from './commonest.ts'
import type { ContactSource } from './contact-sources.ts'

export interface OwnPhone {
  readonly telephone: string | undefined
  /** Two pages that name different numbers. */
  readonly conflict: readonly Evidence[] | undefined
  /** A page on which the number of a template still stands. */
  readonly sample: Evidence | undefined
}

/**
 * The telephone number of the business: the one that most pages link, else the one that most show, else that of its
 * markup. Where the home page and a contact page have no number in common, only the owner knows which one is answered,
 * unless the markup says it. Published as the only one, the wrong number sends customers to a dead line.
 */
export function ownPhone(sources: readonly ContactSource[], home: Page, stated: string): OwnPhone {
  const pages = sources.map(({ page }) => page)
  const sample = pages
    .flatMap((page) =>
      page.phones.filter(isSample).map((value) => ({ url: page.url, value: shown(value, 40) })),
    )
    .at(0)
  const own = isTemplatePhone(stated) ? '' : stated
  const main = sources.filter(({ page, isTrusted }) => page === home || isTrusted).map(({ page }) => page)
  const conflict = conflictIn(main)
  if (conflict !== undefined)
    return own === ''
      ? { telephone: undefined, conflict, sample }
      : { telephone: shown(own, 40), conflict: undefined, sample }
  const found =
    commonest(pages.map((page) => real(linkedPhonesOf(page)))) ?? commonest(pages.map(realOn)) ?? own
  const telephone = found === '' ? undefined : shown(asShown(found, pages), 40)
  return { telephone, conflict: undefined, sample }
}

/** "801-555-0142" where a link dials "8015550142": readers know the number by its parts. */
function asShown(number: string, pages: readonly Page[]): string {
  if (/[\s().-]/.test(number.trim())) return number
  const digits = number.replace(/\D/g, '')
  for (const { elements } of pages)
    for (const { name, node } of elements) {
      if (name !== 'a' || !/^\s*tel:/i.test(node.attribs.href ?? '')) continue
      const [text = ''] = /\+?[\d(][\d\s()./-]{6,22}\d/.exec(textWithin([node]).slice(0, 60)) ?? []
      if (text.replace(/\D/g, '') === digits) return text
    }
  return number
}

/** The first two pages whose numbers have none in common. */
function conflictIn(pages: readonly Page[]): readonly Evidence[] | undefined {
  const named = pages.filter((page) => realOn(page).length > 0)
  for (const [place, one] of named.entries()) {
    const ends = new Set(realOn(one).map(endOf))
    const other = named.slice(place + 1).find((next) => !realOn(next).some((phone) => ends.has(endOf(phone))))
    if (other !== undefined)
      return [one, other].map((page) => ({ url: page.url, value: shown(realOn(page)[0] ?? '', 40) }))
  }
  return undefined
}

function realOn({ phones }: Page): readonly string[] {
  return real(phones)
}

function real(phones: readonly string[]): readonly string[] {
  return phones.filter((phone) => !isTemplatePhone(phone))
}

/** One number may be written with its country code and without. */
function endOf(phone: string): string {
  return phone.replace(/\D/g, '').slice(-7)
}

/** "+39 02 1234 5678": probably the number that came with a template, so it is never published. */
function isTemplatePhone(phone: string): boolean {
  return /1234567|2345678|(\d)\1{5}|555\d?01\d\d$/.test(phone.replace(/\D/g, ''))
}

/** Certainly no number that anybody answers: all ten digits in a row, or eight equal ones. */
function isSample(phone: string): boolean {
  return /1234567890|0123456789|(\d)\1{7}/.test(phone.replace(/\D/g, ''))
}
