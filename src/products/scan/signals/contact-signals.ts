import type { Evidence } from '../findings/check.ts'
import { pathOf } from '../site/addresses.ts'
import { articlesOf, isBylined } from '../site/articles.ts'
import { ownFacts } from '../site/contact/contact-pages.ts'
import { beginsWithDay } from '../site/contact/opening-days.ts'
import { attributeOf } from '../site/html/elements.ts'
import { type Form, formsOf, mailAddressesOf } from '../site/html/forms.ts'
import { countWords } from '../site/html/words.ts'
import { isTextOfKind } from '../site/kind-phrases.ts'
import { pagesOfKind, unreadOfKind } from '../site/linked-pages.ts'
import { messengerOf } from '../site/messenger-address.ts'
import { isLinkOfKind, isPathOfKind } from '../site/page-kinds.ts'
import { linkedPhonesOf } from '../site/phone-numbers.ts'
import type { Link, Page, Site } from '../site/site.ts'
import { findMessenger } from './messengers.ts'
import {
  findAmounts,
  findMarkedPrice,
  findOffer,
  findPriceInSection,
  findPriceOnEachPage,
  minAmounts,
} from './offers/prices.ts'
import { firstService, readServices, type Service } from './services.ts'
import { firstOf, nothing, type Signal } from './signal.ts'
import { kindOfSite } from './site-kind/site-kind.ts'

/**
 * Signals of how people reach the business: enquiries, appointments, prices, applications. They are read
 * from the pages of the capture. When a contact page is linked but was not read, the signal is `unknown`
 * unless another page settles it.
 */

export interface LeadSignal extends Signal<'form' | 'mailto' | 'messenger' | 'phone' | 'none'> {
  /** A telephone number, whatever other way there is. */
  readonly phone: Evidence | undefined
}

/**
 * Reads how enquiries arrive. A form for appointments or applications also takes a message, so it counts
 * where no better way is found.
 */
export function readLeads(site: Site, services: readonly Service[]): LeadSignal {
  const phone = findPhone(site)
  const form =
    findForm(site.pages, 'lead') ?? firstService(services, 'form') ?? findForm(site.pages, 'booking')
  if (form) return { how: 'form', evidence: [form], phone }
  const unread = unreadOfKind(site, 'contact')
  if (site.pages.length === 0 || unread) return { ...unknown(unread), phone }
  const mail = findOwnMail(site)
  if (mail) return { how: 'mailto', evidence: phone ? [mail, phone] : [mail], phone }
  const messenger = firstOf(site.pages, findMessenger)
  if (messenger) return { how: 'messenger', evidence: phone ? [messenger, phone] : [messenger], phone }
  const application = findForm(site.pages, 'application')
  if (application) return { how: 'form', evidence: [application], phone }
  if (phone) return { how: 'phone', evidence: [phone], phone }
  return { ...nothing(site), phone }
}

/**
 * `contact`: appointments can be asked for only in a general way. `absent`: no page speaks of appointments.
 */
export interface BookingSignal extends Signal<'scheduler' | 'form' | 'contact' | 'none' | 'absent'> {
  /** The general ways, worded for a sentence: "telephone", "a general form". */
  readonly ways: readonly string[]
}

export function readBooking(site: Site, services: readonly Service[]): BookingSignal {
  const ways: readonly string[] = []
  const scheduler = firstService(services, 'scheduler') ?? firstOf(site.pages, findBookingFrame)
  if (scheduler) return { how: 'scheduler', evidence: [scheduler], ways }
  const form = findForm(site.pages, 'booking')
  if (form) return { how: 'form', evidence: [form], ways }
  const elsewhere = bookingElsewhere(site)
  if (elsewhere?.isNamed) return { how: 'scheduler', evidence: [elsewhere.evidence], ways }
  const unread = unreadOfKind(site, 'booking') ?? elsewhere?.link
  if (site.pages.length === 0 || unread) return { ...unknown(unread), ways }
  const words = firstOf(withoutArticles(site), findAppointmentWords)
  if (!words) return { how: 'absent', evidence: [], ways }
  const contacts = generalContacts(site, services)
  const evidence = [words, ...contacts.map(({ place }) => place)]
  if (contacts.length > 0) return { how: 'contact', evidence, ways: contacts.map(({ way }) => way) }
  const contact = unreadOfKind(site, 'contact')
  return contact ? { ...unknown(contact), ways } : { how: 'none', evidence, ways }
}

/** A page of another host that is embedded for booking, by its address: many a program for practices has its own host. */
function findBookingFrame(page: Page): Evidence | undefined {
  const frame = page.elements.find(
    ({ name, node }) => name === 'iframe' && isBooking(attributeOf(node, 'src'), page.url),
  )
  return (
    frame && { url: page.url, value: `an embedded page, ${attributeOf(frame.node, 'src').slice(0, 150)}` }
  )
}

function isBooking(src: string, page: string): boolean {
  const url = URL.parse(src, page)
  return (
    url !== null &&
    url.host !== new URL(page).host &&
    /(?:^|[./_-])(?:book(?:ing|ings|now)?|appointments?|termin(?:e|buchung|vereinbarung)?|reserv(?:ation|ations|ierung|e)|rendez-?vous|prenota(?:zioni)?|citas?)(?:$|[./_-])/i.test(
      `${url.host}${url.pathname}`.slice(0, 500),
    )
  )
}

/** A link that asks to book and leads to another site: a service that is not known by name. What it shows was not read. */
function bookingElsewhere(site: Site): { link: Link; isNamed: boolean; evidence: Evidence } | undefined {
  for (const page of withoutArticles(site)) {
    const links = page.links.filter(
      ({ url, text, isInternal }) =>
        !isInternal &&
        text.length <= 60 &&
        messengerOf(new URL(url)) === undefined &&
        !/^https?:\/\/(?:[\w-]+\.)*(?:facebook|instagram|linkedin|tiktok)\.com\//i.test(url) &&
        (isTextOfKind(text, 'booking') || appointment.test(text) || bookingVerb.test(text)),
    )
    const link = links.find(({ url }) => bookingAddress.test(url)) ?? links[0]
    if (link !== undefined)
      return {
        link,
        isNamed: bookingAddress.test(link.url),
        evidence: { url: page.url, value: `link "${link.text}" to ${link.url}` },
      }
  }
  return undefined
}

/** At the beginning of a text: "Reserveer een terrein". */
const bookingVerb =
  /^(?:book|reserve|buchen|reservieren|réservez|réserver|reserva|reservar|prenota|agende|reserveer|boek|boeken|boka|rezerwuj|zarezerwuj|umów|забронировать|записаться|rezervasyon|randevu|احجز|đặt lịch)(?!\p{L})/iu

const bookingAddress =
  /[/.-](?:book(?:ing|ings)?|reserv\p{L}{0,12}|appointments?|termin\p{L}{0,8}|rendez-?vous|afspra\p{L}{0,4}|boka|rezerw\p{L}{0,6}|randevu|yoyaku|prenota\p{L}{0,6}|agendamento|schedule)(?=[/.?&#_-]|$)/iu

function generalContacts(site: Site, services: readonly Service[]): { way: string; place: Evidence }[] {
  return [
    { way: 'telephone', place: findPhone(site) },
    { way: 'a general form', place: findForm(site.pages, 'lead') ?? firstService(services, 'form') },
    { way: 'e-mail', place: findOwnMail(site) },
    { way: 'a messenger', place: firstOf(site.pages, findMessenger) },
  ].flatMap(({ way, place }) => (place ? [{ way, place }] : []))
}

/** `few`: there are amounts, but too few to make a page a price list. `absent`: the site sells nothing. */
export function readPricing(site: Site): Signal<'amounts' | 'on-request' | 'few' | 'none' | 'absent'> {
  const lists = new Set([...pagesOfKind(site, 'pricing'), ...site.pages.filter(isMenu)])
  const listed = firstOf([...lists], (page) => findAmounts(page, 1))
  const amounts =
    listed ??
    firstOf(site.pages, findPriceInSection) ??
    firstOf(site.pages, findOffer) ??
    firstOf(site.pages, findMarkedPrice) ??
    // A church tells what its roof cost, and readers in their comments what they paid.
    (kindOfSite(site) === 'business'
      ? (firstOf(withoutArticles(site), (page) => findAmounts(page, minAmounts)) ??
        findPriceOnEachPage(withoutArticles(site)))
      : undefined)
  if (amounts) return { how: 'amounts', evidence: [amounts] }
  const unread = unreadOfKind(site, 'pricing')
  if (site.pages.length === 0 || unread) return unknown(unread)
  if (kindOfSite(site) !== 'business') return { how: 'absent', evidence: [] }
  const request = firstOf(site.pages, (page) => findWords(page, onRequest))
  if (request) return { how: 'on-request', evidence: [request] }
  const absence = nothing(site)
  const few = firstOf(withoutArticles(site), (page) => findAmounts(page, 1))
  return few && absence.how === 'none' ? { how: 'few', evidence: [few] } : absence
}

/** An article, or the beginning of one in a list, may tell of prices and appointments that are not those of the business. */
function withoutArticles(site: Site): readonly Page[] {
  const articles = new Set([...articlesOf(site).map(({ page }) => page), ...pagesOfKind(site, 'blog')])
  return site.pages.filter((page) => !articles.has(page) && !isPathOfKind(page.url, 'blog'))
}

/** By its address: the price list of a restaurant. */
function isMenu({ url }: Page): boolean {
  return /\/(?:menus?|our-menu|food-menu|speisekarte|getraenkekarte|la-carte|carte|carta|menukaart)(?:\.\w{2,5})?\/?$/i.test(
    pathOf(url),
  )
}

export function readHiring(
  site: Site,
  services: readonly Service[],
): Signal<'form' | 'service' | 'mailto' | 'none' | 'absent'> {
  const pages = pagesOfKind(site, 'careers').filter((page) => !isEmptyBesideFooter(page, site))
  const service = firstService(services, 'hiring')
  if (service) return { how: 'service', evidence: [service] }
  const form =
    findForm(pages, 'application') ?? firstOf(pages, (page) => firstService(readServices([page]), 'form'))
  if (form) return { how: 'form', evidence: [form] }
  const mail = firstOf(pages, findMail)
  if (mail) return { how: 'mailto', evidence: [mail] }
  const [page] = pages
  if (page) return { how: 'none', evidence: [{ url: page.url, value: 'no form, job board or mail address' }] }
  const unread = unreadOfKind(site, 'careers')
  if (site.pages.length === 0 || unread) return unknown(unread)
  return { how: 'absent', evidence: [] }
}

/** A page that is still empty gives no address of its own: its footer is that of all pages. */
function isEmptyBesideFooter(page: Page, { home }: Site): boolean {
  const shared = new Set(home === undefined ? [] : mailAddressesOf(home))
  return countWords(page.mainText) < 5 && mailAddressesOf(page).some((address) => shared.has(address))
}

function findForm(pages: readonly Page[], use: Form['use']): Evidence | undefined {
  return firstOf(pages, (page) => {
    const form = formsOf(page).find((one) => one.use === use)
    return form && { url: page.url, value: form.label }
  })
}

function findMail(page: Page): Evidence | undefined {
  const [address] = mailAddressesOf(page)
  return address === undefined ? undefined : { url: page.url, value: address }
}

function findOwnMail(site: Site): Evidence | undefined {
  return ownFacts(site, mailAddressesOf)[0]
}

function findPhone(site: Site): Evidence | undefined {
  const [phone] = ownFacts(site, ({ phones }) => phones)
  if (phone === undefined) return undefined
  const isLinked = site.pages.some(
    (page) => page.url === phone.url && linkedPhonesOf(page).includes(phone.value),
  )
  return isLinked ? { ...phone, value: `tel:${phone.value}` } : phone
}

/**
 * A link, button or heading for appointments, or a sentence that asks for one. A story that mentions an
 * appointment says nothing about the business, and neither does an article.
 */
function findAppointmentWords(page: Page): Evidence | undefined {
  const link = page.links.find(
    (one) => one.text.length <= 40 && (isLinkOfKind(one, 'booking') || appointment.test(one.text)),
  )
  if (link) return { url: page.url, value: `link "${link.text}"` }
  const heading = page.headings.find(
    ({ text }) =>
      text.length <= 60 && !isClause(text) && (isTextOfKind(text, 'booking') || appointment.test(text)),
  )
  if (heading) return { url: page.url, value: `heading "${heading.text}"` }
  return isBylined(page) ? undefined : findWords(page, request)
}

/** "第10条（予約代行の範囲）", "§ 4 Reservations": a heading of terms says what is agreed, not what is offered. */
function isClause(heading: string): boolean {
  return /^(?:第\s?[\d一二三四五六七八九十]{1,4}\s?[条條]|제\s?\d{1,3}\s?조|§|art(?:icle|ículo|icolo|igo|ikel)?\.?\s?\d|madde\s?\d|статья\s?\d|(?:section|clause)\s\d)/iu.test(
    heading.trim(),
  )
}

/**
 * Quotes the first match with up to three words that follow it in its line. Opening hours ("Sa: by appointment") say
 * when the door is open, not that appointments are what the business sells.
 */
function findWords(page: Page, pattern: RegExp): Evidence | undefined {
  const lines = page.lines.slice(0, maxLines)
  for (const [at, line] of lines.entries()) {
    const match = pattern.exec(line)
    if (match === null || beginsWithDay(line) || isDayAlone(lines[at - 1] ?? '')) continue
    const rest = line.slice(match.index + match[0].length)
    const [more = ''] = /^(?:\s[\p{L}\p{N}'’-]{1,30}){0,3}/u.exec(rest.slice(0, 130)) ?? []
    return { url: page.url, value: `"${match[0]}${more}"` }
  }
  return undefined
}

const maxLines = 20_000

/** "Samstag" in a cell or term of its own: its hours follow. */
function isDayAlone(line: string): boolean {
  return line.length <= 25 && beginsWithDay(line)
}

/** In the short text of a link or heading. */
const appointment =
  /(?<!\p{L})(?:(?<!(?:age at|after|since|upon|his|her|their) )appointments?|reservations?|book (?:a|an|your|now|online)|schedule (?:a|an|your) (?!a )|(?:book|request|arrange|free)(?: (?:an?|your|our))?(?: [\p{L}-]{2,15})? consultations?|termin (?:buchen|vereinbaren)|terminvereinbarung|prendre rendez-vous|pedir cita|prenota)(?!\p{L})/iu

/** In running text: words that ask the reader. */
const request =
  /(?<!\p{L})(?:(?:book|schedule|make|request|arrange|reserve)(?: (?:an?|your|the))?(?: [\p{L}-]{2,15}){0,2} (?:appointments?|reservations?|consultations?|visit|table)|(?:by|for|without) (?:an )?appointment(?: only)?|appointments? (?:are |is )?(?:available|required|necessary|preferred)|termin (?:buchen|vereinbaren)|nach (?:vereinbarung|terminvereinbarung)|terminvereinbarung|vereinbaren sie (?:einen|ihren) termin|sur rendez-vous|prendre rendez-vous|prenez rendez-vous|con cita previa|pedir cita|pide tu cita|su appuntamento|prenota (?:un|una|il|la) \p{L}{3,15}|op afspraak|maak een afspraak|запишитесь|записаться на|вызовите (?:мастера|специалиста|технолога)|randevu al(?:ın|abilirsiniz)?|احجز موعد\p{L}*|marque (?:a )?sua consulta)(?!\p{L})/iu

const onRequest =
  /(?<!\p{L})(?:(?:contact|call|ask) (?:us |our team )?(?:for|about) (?:a )?(?:pricing|prices?|quotes?|rates)|(?:request|get) (?:a|your) (?:free )?(?:quote|estimate)|free (?:quote|estimate)s?|contact sales|talk to sales|prices? on request|preis auf anfrage|sur devis)(?!\p{L})/iu

function unknown(unread: Link | undefined): {
  how: 'unknown'
  evidence: Evidence[]
} {
  return { how: 'unknown', evidence: unread ? [{ url: unread.url, value: 'linked, and not read' }] : [] }
}
