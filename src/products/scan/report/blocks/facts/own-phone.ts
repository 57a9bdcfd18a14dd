import type { Evidence } from '../../../findings/check.ts'
import type { ContactSource } from '../../../signals/contact/contact-sources.ts'
import { shown } from '../../../site/addresses.ts'
import { isImpossiblePhone, isSamePhone } from '../../../site/contact/phone-rules.ts'
import { withPlainSigns } from '../../../site/contact/plain-signs.ts'
import { attributeOf } from '../../../site/html/elements.ts'
import { textWithin } from '../../../site/html/visible-text.ts'
import { whatsAppNumber } from '../../../site/messenger-address.ts'
import { isSamplePhone, shownInstead, writtenNumbers } from '../../../site/phone-numbers.ts'
import type { Page } from '../../../site/site.ts'
import { ownNumbers, type PagePhones } from './phone-owner.ts'

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
      page.phones.filter(isSamplePhone).map((value) => ({ url: page.url, value: shown(value, 40) })),
    )
    .at(0)
  const [own = ''] = real([stated])
  const numbers = ownNumbers(pages).map(({ page, all, linked }) => ({
    page,
    all: real(all),
    linked: real(linked),
  }))
  const main = new Set(
    sources.filter(({ page, isTrusted }) => page === home || isTrusted).map(({ page }) => page),
  )
  const found =
    mostNamed(numbers.map(({ linked }) => linked)) ?? mostNamed(numbers.map(({ all }) => all)) ?? own
  const conflict = conflictIn(numbers.filter(({ page }) => main.has(page))) ?? mislinked(found, pages)
  if (conflict !== undefined)
    return own === ''
      ? { telephone: undefined, conflict, sample }
      : { telephone: shown(own, 40), conflict: undefined, sample }
  const telephone = found === '' ? undefined : shown(asShown(found, pages), 40)
  return { telephone, conflict: undefined, sample }
}

/** "801-555-0142" where a link dials "8015550142": readers know the number by its parts. */
function asShown(number: string, pages: readonly Page[]): string {
  const digits = number.replace(/\D/g, '')
  const abroad = number.trim().startsWith('+') ? undefined : withCountry(number, pages)
  if (abroad !== undefined) return abroad
  if (/[\s().-]/.test(number.trim())) return number
  for (const { elements } of pages)
    for (const { name, node } of elements) {
      if (name !== 'a' || !/^\s*tel:/i.test(node.attribs.href ?? '')) continue
      const [text = ''] = /\+?[\d(][\d\s()./-]{6,22}\d/.exec(textWithin([node]).slice(0, 60)) ?? []
      if (text.replace(/\D/g, '') === digits) return text
    }
  return number
}

/** The number as the pages have it with the code of its country: for readers, or in a link to WhatsApp. */
function withCountry(number: string, pages: readonly Page[]): string | undefined {
  const digits = number.replace(/\D/g, '')
  // "(213) 793069587" of a link, and "+213 793069587" for readers: without its plus the country would be a town.
  const whole = pages
    .flatMap(({ text }) => text.slice(0, 200_000).match(/\+\d[\d\s().-]{6,22}\d/g) ?? [])
    .find((one) => one.replace(/\D/g, '') === digits)
  return (
    whole ??
    pages
      .flatMap(({ links }) => links.flatMap(({ url }) => whatsAppNumber(url) ?? []))
      .find((one) => isSamePhone(one, number) && !isImpossiblePhone(one))
  )
}

/**
 * A link that dials the number and shows another one, or the other way round, where no page both dials and shows it. Either
 * may be the one that was forgotten.
 */
function mislinked(number: string, pages: readonly Page[]): readonly Evidence[] | undefined {
  const calls = pages.flatMap(({ url, elements }) =>
    elements.flatMap(({ name, node }) => {
      const [, dialled] = name === 'a' ? (/^\s*tel:(.*)/i.exec(attributeOf(node, 'href')) ?? []) : []
      return dialled === undefined ? [] : [{ url, dialled, instead: shownInstead(dialled, node) }]
    }),
  )
  const wrong = calls.find(
    ({ dialled, instead }) =>
      instead !== undefined && (isSamePhone(dialled, number) || isSamePhone(instead, number)),
  )
  if (wrong?.instead === undefined) return undefined
  const isDialled = calls.some(({ dialled }) => isSamePhone(dialled, number))
  const isShown = pages.some(({ text }) =>
    (withPlainSigns(text.slice(0, 200_000)).match(writtenNumbers) ?? []).some((one) =>
      isSamePhone(one, number),
    ),
  )
  if (isDialled && isShown) return undefined
  return [wrong.dialled, wrong.instead].map((value) => ({ url: wrong.url, value: shown(value, 40) }))
}

/** The first two pages whose numbers have none in common. */
function conflictIn(numbers: readonly PagePhones[]): readonly Evidence[] | undefined {
  const named = numbers.filter(({ all }) => all.length > 0)
  for (const [place, one] of named.entries()) {
    const isShared = ({ all }: PagePhones) =>
      all.some((phone) => one.all.some((own) => isSamePhone(own, phone)))
    const other = named.slice(place + 1).find((next) => !isShared(next))
    if (other !== undefined)
      return [one, other].map(({ page, all }) => ({ url: page.url, value: shown(all[0] ?? '', 40) }))
  }
  return undefined
}

/** The number that most pages have, in its first writing; of equal ones the first. */
function mostNamed(lists: readonly (readonly string[])[]): string | undefined {
  const counts = new Map<string, number>()
  for (const list of lists) {
    const onPage = new Set(
      list.map((phone) => [...counts.keys()].find((known) => isSamePhone(known, phone)) ?? phone),
    )
    for (const phone of onPage) counts.set(phone, (counts.get(phone) ?? 0) + 1)
  }
  const [best] = [...counts].toSorted(([, one], [, other]) => other - one)
  return best?.[0]
}

function real(phones: readonly string[]): readonly string[] {
  return phones.filter(
    (phone) => !isTemplatePhone(phone) && !isImpossiblePhone(phone) && !tooManyZeros.test(phone),
  )
}

/** No number begins so: the digits of something else were taken for it. */
const tooManyZeros = /^\D*000/

/**
 * "+39 02 1234 5678", "0711 123456" and the "+2 392 3929 210" of known templates: probably the number that came with a
 * template, so it is never published.
 */
function isTemplatePhone(phone: string): boolean {
  return (
    isSamplePhone(phone) ||
    /1234567|2345678|123456$|(\d)\1{5}|555\d?01\d\d$|^23923929210$/.test(phone.replace(/\D/g, ''))
  )
}
