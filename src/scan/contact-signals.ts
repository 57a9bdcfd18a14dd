import type { Evidence } from './check.ts'
import type { ServiceKind } from './fingerprints.ts'
import { type Form, formsOf, linkedPhonesOf, mailAddressesOf } from './forms.ts'
import { nodesOf, textOf } from './json-ld.ts'
import { type linksToKind, pagesOfKind, unreadOfKind } from './page-kinds.ts'
import { servicesOf, servicesOn } from './services.ts'
import { firstOf, nothing, type Signal } from './signal.ts'
import type { Page, Site } from './site.ts'

/**
 * How people reach the business: enquiries, appointments, prices, applications. Each answer is taken from
 * the pages that were read; a contact page that was not read leaves the answer open unless another page
 * gives it.
 */

export function readLeads(site: Site): Signal<'form' | 'mailto' | 'phone' | 'none'> {
  const form = findForm(site.pages, 'lead') ?? serviceOf(site, 'form')
  if (form) return { how: 'form', evidence: [form] }
  const unread = unreadOfKind(site, 'contact')
  if (site.pages.length === 0 || unread) return unknown(unread)
  const mail = firstOf(site.pages, findMail)
  if (mail) return { how: 'mailto', evidence: [mail] }
  const phone = firstOf(site.pages, findPhone)
  if (phone) return { how: 'phone', evidence: [phone] }
  return nothing(site)
}

export function readBooking(site: Site): Signal<'scheduler' | 'form' | 'phone' | 'none' | 'absent'> {
  const scheduler = serviceOf(site, 'scheduler')
  if (scheduler) return { how: 'scheduler', evidence: [scheduler] }
  const form = findForm(site.pages, 'booking')
  if (form) return { how: 'form', evidence: [form] }
  const unread = unreadOfKind(site, 'booking')
  if (site.pages.length === 0 || unread) return unknown(unread)
  const words = firstOf(site.pages, findAppointmentWords)
  if (!words) return { how: 'absent', evidence: [] }
  const phone = firstOf(site.pages, findPhone)
  return phone ? { how: 'phone', evidence: [words, phone] } : { how: 'none', evidence: [words] }
}

export function readPricing(site: Site): Signal<'amounts' | 'on-request' | 'none'> {
  const listed = firstOf(pagesOfKind(site, 'pricing'), (page) => findAmounts(page, 1))
  const amounts =
    listed ?? firstOf(site.pages, findOffer) ?? firstOf(site.pages, (page) => findAmounts(page, 3))
  if (amounts) return { how: 'amounts', evidence: [amounts] }
  const unread = unreadOfKind(site, 'pricing')
  if (site.pages.length === 0 || unread) return unknown(unread)
  const request = firstOf(site.pages, (page) => findWords(page, onRequest))
  return request ? { how: 'on-request', evidence: [request] } : nothing(site)
}

export function readHiring(site: Site): Signal<'form' | 'service' | 'mailto' | 'none' | 'absent'> {
  const pages = pagesOfKind(site, 'careers')
  const service = serviceOf(site, 'hiring')
  if (service) return { how: 'service', evidence: [service] }
  const form =
    findForm(pages, 'application') ?? firstOf(pages, (page) => servicesOn(page, 'form')[0]?.evidence)
  if (form) return { how: 'form', evidence: [form] }
  const mail = firstOf(pages, findMail)
  if (mail) return { how: 'mailto', evidence: [mail] }
  const [page] = pages
  if (page) return { how: 'none', evidence: [{ url: page.url, value: 'no form, job board or mail address' }] }
  const unread = unreadOfKind(site, 'careers')
  if (site.pages.length === 0 || unread) return unknown(unread)
  return { how: 'absent', evidence: [] }
}

function findForm(pages: readonly Page[], use: Form['use']): Evidence | undefined {
  return firstOf(pages, (page) => {
    const form = formsOf(page).find((one) => one.use === use)
    return form && { url: page.url, value: form.label }
  })
}

function serviceOf(site: Site, kind: ServiceKind): Evidence | undefined {
  return servicesOf(site).find(({ kinds }) => kinds.includes(kind))?.evidence
}

function findMail(page: Page): Evidence | undefined {
  const [address] = mailAddressesOf(page)
  return address === undefined ? undefined : { url: page.url, value: address }
}

function findPhone(page: Page): Evidence | undefined {
  const [number] = linkedPhonesOf(page)
  if (number !== undefined) return { url: page.url, value: `tel:${number}` }
  const written =
    /(?:call(?: us)?|phone|tel\.?|telephone|telefon)[:\s]{1,3}(\+?[\d(][\d\s()./-]{6,18}\d)/i.exec(
      page.text.slice(0, 200_000),
    )
  return written?.[1] === undefined ? undefined : { url: page.url, value: written[1] }
}

function findAppointmentWords(page: Page): Evidence | undefined {
  return findWords(page, appointment)
}

function findWords(page: Page, pattern: RegExp): Evidence | undefined {
  const found = pattern.exec(page.text.slice(0, 200_000))
  return found === null ? undefined : { url: page.url, value: `"${found[0]}"` }
}

const appointment =
  /(?<!\p{L})(?:appointments?|reservations?|book (?:a|an|your|now|online)|schedule (?:a|an|your)|consultations?|termin (?:buchen|vereinbaren)|terminvereinbarung|prendre rendez-vous|pedir cita|prenota)(?!\p{L})/iu

const onRequest =
  /(?<!\p{L})(?:(?:contact|call|ask) (?:us |our team )?(?:for|about) (?:a )?(?:pricing|prices?|quotes?|rates)|(?:request|get) (?:a|your) (?:free )?(?:quote|estimate)|free (?:quote|estimate)s?|contact sales|talk to sales|prices? on request|preis auf anfrage|sur devis)(?!\p{L})/iu

/** Amounts with a currency, as shops and price lists write them. */
const amount =
  /(?:(?:US|CA|AU)?\$|€|£|¥|₹|CHF|Fr\.)\s?\d[\d.,']{0,12}|(?<![\d.,])\d[\d.,']{0,12}\s?(?:€|£|zł|kr|CHF|USD|EUR|GBP|CAD|AUD)(?!\p{L})/gu

function findAmounts(page: Page, least: number): Evidence | undefined {
  const found: string[] = []
  for (const [text] of page.text.slice(0, 200_000).matchAll(amount)) {
    found.push(text.trim())
    if (found.length >= Math.max(least, 3)) break
  }
  return found.length < least ? undefined : { url: page.url, value: found.join(', ') }
}

function findOffer(page: Page): Evidence | undefined {
  for (const { properties } of nodesOf(page, 'Offer', 'AggregateOffer')) {
    const price = textOf(properties.price) || textOf(properties.lowPrice)
    if (price !== '')
      return { url: page.url, value: `Offer with price ${price} ${textOf(properties.priceCurrency)}` }
  }
  return undefined
}

function unknown(unread: ReturnType<typeof linksToKind>[number] | undefined): {
  how: 'unknown'
  evidence: Evidence[]
} {
  return { how: 'unknown', evidence: unread ? [{ url: unread.url, value: 'linked, and not read' }] : [] }
}
