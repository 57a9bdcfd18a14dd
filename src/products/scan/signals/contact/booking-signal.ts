import type { Evidence } from '../../findings/check.ts'
import { unreadPlace } from '../../findings/unread-places.ts'
import { isBylined } from '../../site/articles.ts'
import { attributeOf, spokenText } from '../../site/html/elements.ts'
import { isTextOfKind, isTitle } from '../../site/kinds/kind-phrases.ts'
import { isLinkOfKind } from '../../site/kinds/page-kinds.ts'
import { noticesOf, unreadForm } from '../../site/linked-pages.ts'
import { messengerOf } from '../../site/messenger-address.ts'
import type { Link, Page, Site } from '../../site/site.ts'
import { firstService, readServices, type Service } from '../services.ts'
import { firstOf, type Signal, unreadSignal } from '../signal.ts'
import {
  findForm,
  findOwnMail,
  findPhone,
  findWords,
  isWorkShown,
  unknown,
  withoutArticles,
} from './contact-finders.ts'
import { findMessenger } from './messengers.ts'

/**
 * `contact`: appointments can be asked for only in a general way. `absent`: no page speaks of appointments.
 */
export interface BookingSignal extends Signal<'scheduler' | 'form' | 'contact' | 'none' | 'absent'> {
  /** The general ways, worded for a sentence: "telephone", "a general form". */
  readonly ways: readonly string[]
}

export function readBooking(site: Site, services: readonly Service[]): BookingSignal {
  const ways: readonly string[] = []
  const own = withoutArticles(site)
  const notices = noticesOf(site)
  const scheduler = ownScheduler(site, services, own) ?? firstOf(site.pages, findBookingFrame)
  if (scheduler) return { how: 'scheduler', evidence: [scheduler], ways }
  const form = findForm(site, 'booking')
  if (form) return { how: 'form', evidence: [form], ways }
  const elsewhere = bookingElsewhere(site)
  if (elsewhere?.isNamed) return { how: 'scheduler', evidence: [elsewhere.evidence], ways }
  const unread = unreadPlace(site, 'booking')
  if (unread) return { ...unreadSignal(unread), ways }
  if (site.pages.length === 0 || elsewhere) return { ...unknown(elsewhere?.link), ways }
  // "For making appointments" in a privacy notice says what addresses are kept for.
  const words = firstOf(
    own.filter((page) => !notices.has(page)),
    findAppointmentWords,
  )
  if (!words) return { how: 'absent', evidence: [], ways }
  // A form or a calendar for appointments often stands on the page for contact.
  const unreadContact = unreadPlace(site, 'contact')
  if (unreadContact) return { ...unreadSignal(unreadContact), ways }
  const promised = unreadForm(site)
  if (promised) return { ...unknown(promised), ways }
  const contacts = generalContacts(site, services)
  const evidence = [words, ...contacts.map(({ place }) => place)]
  if (contacts.length > 0) return { how: 'contact', evidence, ways: contacts.map(({ way }) => way) }
  return { how: 'none', evidence, ways }
}

/** A review compares such services, and a designer shows one that he worked for: neither takes bookings there. */
function ownScheduler(site: Site, services: readonly Service[], own: readonly Page[]): Evidence | undefined {
  const found = firstService(services, 'scheduler')
  const page = site.pages.find(({ url }) => url === found?.url)
  return page === undefined || own.includes(page) ? found : firstService(readServices(own), 'scheduler')
}

/**
 * A page of another host that is embedded for booking, by its address: many a program for practices has its own host.
 * A "flip-book" is read.
 */
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
    /(?:(?:^|[./])book|(?:^|[./_-])(?:book(?:ing|ings|now)|appointments?|termin(?:e|buchung|vereinbarung)?|reserv(?:ation|ations|ierung|e)|rendez-?vous|prenota(?:zioni)?|citas?))(?:$|[./_-])/i.test(
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
  /^(?:book|reserve|buchen|buchungslink|online-?buchung|terminbuchung|reservieren|réservez|réserver|reserva|reservar|prenota|agende|reserveer|boek|boeken|boka|rezerwuj|zarezerwuj|umów|забронировать|записаться|rezervasyon|randevu|احجز|đặt lịch)(?!\p{L})/iu

const bookingAddress =
  /(?:[/.]book|[/._-](?:book(?:ing|ings)|reserv\p{L}{0,12}|appointments?|\p{L}{0,20}termin\p{L}{0,12}|rendez-?vous|afspra\p{L}{0,4}|boka|rezerw\p{L}{0,6}|randevu|yoyaku|prenota\p{L}{0,6}|agendamento|schedule))(?=[/.?&#_-]|$)/iu

function generalContacts(site: Site, services: readonly Service[]): { way: string; place: Evidence }[] {
  return [
    { way: 'telephone', place: refusesCalls(site) ? undefined : findPhone(site) },
    { way: 'a general form', place: findForm(site, 'lead') ?? firstService(services, 'form') },
    { way: 'e-mail', place: findOwnMail(site) },
    { way: 'a messenger', place: firstOf(site.pages, findMessenger) },
  ].flatMap(({ way, place }) => (place ? [{ way, place }] : []))
}

/** "お電話でのご予約は承っておりません", "No bookings by telephone". */
function refusesCalls({ pages }: Site): boolean {
  return pages.some(({ text }) => noCalls.test(text.slice(0, 100_000)))
}

const noCalls =
  /電話(?:で|による)の?ご?(?:予約|受付)[^。]{0,12}(?:おりません|いません|できません|不可)|(?:no|not take|not accept) (?:\p{L}+ )?(?:bookings?|reservations?|appointments?) (?:by|over the|via) (?:tele)?phone|no (?:tele)?phone (?:bookings|reservations)|keine telefonischen? (?:termin\p{L}*|reservierung\p{L}*|buchung\p{L}*|anmeldung\p{L}*)|pas de (?:réservation|rendez-vous) par téléphone|no se (?:admiten|aceptan) reservas (?:por teléfono|telefónicas)/iu

/**
 * A link, button or heading for appointments, or a sentence that asks for one. A story that mentions an
 * appointment says nothing about the business, and neither does an article.
 */
function findAppointmentWords(page: Page): Evidence | undefined {
  const link = page.links.find(
    (one) =>
      one.text.length <= 40 &&
      // "Do I need an appointment?" may be answered with no.
      !/[?？؟]\s*$/.test(one.text) &&
      !isWorkShown(one.url) &&
      !isTitle(one.text, 'booking') &&
      (isLinkOfKind(one, 'booking') || asksToBook(one.text)),
  )
  if (link) return { url: page.url, value: `link "${link.text}"` }
  const button = page.elements
    .flatMap(({ name, node }) => (name === 'button' ? [spokenText(node, 50)] : []))
    .find((text) => text.length <= 40 && (isTextOfKind(text, 'booking') || asksToBook(text)))
  if (button !== undefined) return { url: page.url, value: `button "${button}"` }
  // What a heading in a link announces stands on the page behind it.
  const teasers = new Set(page.mainPart.sections.flatMap((one) => (one.isTeaser ? [one.heading] : [])))
  const heading = page.headings.find(
    ({ text }) =>
      text.length <= 60 &&
      !teasers.has(text) &&
      !isClause(text) &&
      !isProverb.test(text) &&
      !isTitle(text, 'booking') &&
      (isTextOfKind(text, 'booking') || asksToBook(text)),
  )
  if (heading) return { url: page.url, value: `heading "${heading.text}"` }
  const works = new Set(page.links.flatMap(({ url, text }) => (isWorkShown(url) ? [text] : [])))
  return isBylined(page) ? undefined : findWords(page, request, (line) => works.has(line))
}

/** "A deal is a deal" in Dutch. */
const isProverb = /afspraak is afspraak/i

/** "第10条（予約代行の範囲）", "§ 4 Reservations": a heading of terms says what is agreed, not what is offered. */
function isClause(heading: string): boolean {
  return /^(?:第\s?[\d一二三四五六七八九十]{1,4}\s?[条條]|제\s?\d{1,3}\s?조|§|art(?:icle|ículo|icolo|igo|ikel)?\.?\s?\d|madde\s?\d|статья\s?\d|(?:section|clause)\s\d)/iu.test(
    heading.trim(),
  )
}

function asksToBook(text: string): boolean {
  return appointment.test(text) || commands.test(text.replace(/^[^\p{L}]+/u, ''))
}

/** How a short text begins. "Reserva natural" and "Boeken" alone are something else. */
const commands =
  /^(?:reservar \p{L}+|reserva (?:ya|tus?|sus?|aquí|hoy|una?|el|la)|reserve (?:já|agora|o seu|a sua|your|yours)|buchen sie|reservieren sie|réservez|réserver|agende|agenda (?:ya|tus?|sus?|aquí|hoy|una)|agéndate|reserveer|boek (?:nu|je|uw|een|hier|online)|rezerwuj|zarezerwuj|umów|забронировать|записаться|احجز|đặt lịch)(?!\p{L})/iu

/** In the short text of a link or heading. Dutch and German join words: "Behandlungstermin buchen". */
const appointment =
  /(?<!\p{L})(?:(?<!(?:age at|after|since|upon|his|her|their) )appointments?|reservations?|book (?:a|an|your|now|online)|schedule (?:a|an|your) (?!a )|(?:book|schedule)(?: (?:an?|your|our))?(?: [\p{L}-]{2,15})? consultations?|terminvereinbarung|prendre rendez-vous|pedir cita|prenota)(?!\p{L})|(?:termine?|afspraak) (?:online )?(?:buchen|vereinbaren|anfragen|maken|boeken)(?!\p{L})/iu

/** In running text: words that ask the reader. */
const request =
  /(?<!\p{L})(?:(?:book|schedule|make|request|arrange|reserve)(?: (?:an?|your|the))?(?: [\p{L}-]{2,15}){0,2} (?:appointments?|reservations?|visit|table)|(?:book|schedule)(?: (?:an?|your))?(?: [\p{L}-]{2,15})? consultations?|(?:by|for|without) (?:an )?appointment(?: only)?|appointments? (?:are |is )?(?:available|required|necessary|preferred)|termin (?:buchen|vereinbaren)|nach (?:vereinbarung|terminvereinbarung)|terminvorschl(?:ag|äge)|vor-ort-termine?|termine [^.]{0,60}vergeben wir|wir vergeben (?:ihre )?termine|terminvereinbarung|vereinbaren sie (?:\p{L}+ ){0,3}(?:einen|ihren) termin|termine? (?:sind |ist )?[^.]{0,50}vereinbar(?:t werden)?|sur rendez-vous|prendre rendez-vous|prenez rendez-vous|con cita previa|pedir cita|(?:agenda|pide|reserva|solicita) (?:aquí )?(?:tu|su|una) (?:cita|hora|turno|consulta|evaluación|visita)|su appuntamento|(?:per|fissare|richiedere) (?:un )?appuntamento|prenota (?:un|una|il|la) \p{L}{3,15}|op afspraak|maak een afspraak|запишитесь|записаться на|вызовите (?:мастера|специалиста|технолога)|randevu al(?:ın|abilirsiniz)?|احجز موعد\p{L}*|marque (?:a )?sua consulta)(?!\p{L})|예약\s?(?:문의|안내|상담)|ご予約(?!はご遠慮)/iu
