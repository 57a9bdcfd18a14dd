import type { Evidence } from '../../findings/check.ts'
import { silentFormsOf } from '../../findings/forms/silent-forms.ts'
import { type UnreadPlace, unreadEntry, unreadPlace } from '../../findings/unread-places.ts'
import { pathOf, shown } from '../../site/addresses.ts'
import { mailAddressesOf } from '../../site/contact/mail-addresses.ts'
import { formsOf } from '../../site/html/forms.ts'
import { countWords } from '../../site/html/words.ts'
import { isPathOfKind } from '../../site/kinds/page-kinds.ts'
import { isSettled, linksToKind, pagesOfKind, unreadForm, unreadOfKind } from '../../site/linked-pages.ts'
import type { Page, Site } from '../../site/site.ts'
import {
  findAmounts,
  findAnsweredPrice,
  findMarkedPrice,
  findNamedPrice,
  findOffer,
  findPriceInSection,
  findPriceOnEachPage,
  findStartingPrice,
  minAmounts,
} from '../offers/prices.ts'
import { firstService, readServices, type Service } from '../services.ts'
import { firstOf, nothing, type Signal, unreadSignal } from '../signal.ts'
import { kindOfSite } from '../site-kind/site-kind.ts'
import {
  findForm,
  findMail,
  findOwnMail,
  findPhone,
  findWords,
  unknown,
  withoutArticles,
} from './contact-finders.ts'
import { findMessenger } from './messengers.ts'
import { widgetForContact } from './script-widgets.ts'

/**
 * Signals of how people reach the business: enquiries, prices, applications; `booking-signal.ts` has appointments. They
 * are read from the pages of the capture. When a contact page is linked but was not read, the signal is `unknown`
 * unless another page settles it.
 */

export interface LeadSignal extends Signal<'form' | 'mailto' | 'messenger' | 'phone' | 'none'> {
  /** A telephone number, whatever other way there is. */
  readonly phone: Evidence | undefined
  /** Whether the pages have a form for enquiries that delivers nothing. */
  readonly hasFormInVain: boolean
}

/**
 * Reads how enquiries arrive. A form for appointments or applications also takes a message, so it counts
 * where no better way is found.
 */
export function readLeads(site: Site, services: readonly Service[]): LeadSignal {
  const hasFormInVain =
    silentFormsOf(site).some(({ use }) => use !== 'newsletter' && use !== 'comment') ||
    site.pages.flatMap(formsOf).some(({ use }) => use === 'unfinished' || use === 'no-reply')
  return { ...readWays(site, services), hasFormInVain }
}

function readWays(site: Site, services: readonly Service[]): Omit<LeadSignal, 'hasFormInVain'> {
  const phone = findPhone(site)
  const form = findForm(site, 'lead') ?? firstService(services, 'form') ?? findForm(site, 'booking')
  if (form) return { how: 'form', evidence: [form], phone }
  const unread = unreadPlace(site, 'contact') ?? widgetForContact(site)
  if (unread) return { ...unreadSignal(unread), phone }
  const promised = unreadForm(site)
  if (site.pages.length === 0 || promised) return { ...unknown(promised), phone }
  const mail = findOwnMail(site)
  if (mail) return { how: 'mailto', evidence: phone ? [mail, phone] : [mail], phone }
  const messenger = firstOf(site.pages, findMessenger)
  if (messenger) return { how: 'messenger', evidence: phone ? [messenger, phone] : [messenger], phone }
  const application = findForm(site, 'application')
  if (application) return { how: 'form', evidence: [application], phone }
  if (phone) return { how: 'phone', evidence: [phone], phone }
  return { ...nothing(site), phone }
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
      ? (firstOf(withoutArticles(site), findAnsweredPrice) ??
        firstOf(withoutArticles(site), findNamedPrice) ??
        firstOf(withoutArticles(site), findStartingPrice) ??
        firstOf(withoutArticles(site), (page) => findAmounts(page, minAmounts)) ??
        findPriceOnEachPage(withoutArticles(site)))
      : undefined)
  if (amounts) return { how: 'amounts', evidence: [amounts] }
  // One page may tell how it is paid, and another one what it costs.
  const unread = unreadPlace(site, 'pricing') ?? unreadPrices(site)
  if (unread) return unreadSignal(unread)
  if (site.pages.length === 0) return unknown(undefined)
  if (kindOfSite(site) !== 'business') return { how: 'absent', evidence: [] }
  const request = firstOf(site.pages, (page) => findWords(page, onRequest))
  if (request) return { how: 'on-request', evidence: [request] }
  const entry = site.home && unreadEntry(site.home, site)
  if (entry) return unreadSignal(entry)
  const absence = nothing(site)
  const few = firstOf(withoutArticles(site), (page) => findAmounts(page, 1))
  return few && absence.how === 'none' ? { how: 'few', evidence: [few] } : absence
}

function unreadPrices(site: Site): UnreadPlace | undefined {
  const link = linksToKind(site, 'pricing').find(({ url, isInternal }) => isInternal && !isSettled(site, url))
  return link && { url: link.url, reason: `${shown(link.url)} is linked and was not read` }
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
  const pages = pagesOfKind(site, 'careers').filter(
    (page) =>
      !isEmptyBesideFooter(page, site) &&
      !saysNoVacancy(page) &&
      !seeksPlayers(page) &&
      (namesJobs(page) ? !listsOtherJobs(page) : hires.test(page.text.slice(0, 100_000))),
  )
  const service = firstService(services, 'hiring')
  if (service) return { how: 'service', evidence: [service] }
  const form =
    findForm(site, 'application', pages) ??
    // Each job may have a page of its own.
    (pages.length > 0 ? findForm(site, 'application') : undefined) ??
    firstOf(pages, (page) => firstService(readServices([page]), 'form'))
  if (form) return { how: 'form', evidence: [form] }
  const mail = firstOf(pages, findMail)
  if (mail) return { how: 'mailto', evidence: [mail] }
  const [page] = pages
  if (page) return { how: 'none', evidence: [{ url: page.url, value: 'no form, job board or mail address' }] }
  const unread = unreadOfKind(site, 'careers')
  if (site.pages.length === 0 || unread) return unknown(unread)
  return { how: 'absent', evidence: [] }
}

/** "/jobs" may list work that is open in a project, or what a printer has to do: no heading there speaks of jobs or applying. */
function listsOtherJobs({ url, title, headings, text }: Page): boolean {
  const named = [title, ...headings.map((heading) => heading.text)].join(' | ').slice(0, 5_000)
  return (
    /\/jobs?(?:\.\w{2,5})?\/?$/i.test(pathOf(url)) &&
    !hires.test(named) &&
    !offersWork.test(text.slice(0, 100_000))
  )
}

function namesJobs({ url }: Page): boolean {
  return (
    isPathOfKind(url, 'careers') &&
    !/\/(?:karriere|career|carri[eè]re|carriera|carrera|kariyer)(?:\.\w{2,5})?\/?$/i.test(pathOf(url))
  )
}

/** What a page for applicants says besides "jobs". */
const offersWork =
  /(?<!\p{L})(?:hiring|vacanc(?:y|ies)|appl(?:y|ications?|icants?)|openings?|positions?|roles?|interns?(?:hips?)?|recruit\p{L}*|careers?|salary|full[- ]time|part[- ]time|remote|team|resumes?|résumés?|cv|experience|bewerb\p{L}*|bewirb|stellen?|\p{L}*stellen(?:angebot|anzeige)\p{L}*|ausbildung\p{L}*|wir suchen|mitarbeiter\p{L}*|verstärkung|praktik\p{L}*|emplois?|postes?|postule[rz]?|candidat\p{L}*|recrut\p{L}*|embauch\p{L}*|empleos?|vacantes?|trabaj\p{L}*|puestos?|currículum|lavor\p{L}*|curriculum|assunzion\p{L}*|vagas?|emprego|trabalh\p{L}*|vacatures?|sollicit\p{L}*|başvur\p{L}*|pozisyon\p{L}*|ваканси\p{L}*|резюме|работ\p{L}*|prac\p{L}*|stilling\p{L}*|وظائف|وظيفة|توظيف|التوظيف)(?!\p{L})|採用|求人|応募|募集|채용|지원|모집|招聘|应聘|應徵|职位|職缺|加入我/iu

/** "Karriere" may also head the life of a singer. A page about jobs speaks of jobs or of applying. */
const hires =
  /(?<!\p{L})(?:jobs?|hiring|vacanc(?:y|ies)|appl(?:y|ications?|icants?)|openings?|positions?|roles?|interns?(?:hips?)?|recruit\p{L}*|work (?:with|for) us|join (?:us|our)|resumes?|résumés?|bewerb\p{L}*|bewirb|stellen?|\p{L}*stellen(?:angebot|anzeige)\p{L}*|ausbildung\p{L}*|wir suchen|mitarbeiter\p{L}* gesucht|verstärkung|praktik\p{L}*|emplois?|postes?|postule[rz]?|candidat\p{L}*|recrut\p{L}*|embauch\p{L}*|cv|empleos?|vacantes?|trabaj[aeo]\p{L}*|puestos?|currículum|lavor[aoi]\p{L}*|curriculum|assunzion\p{L}*|vagas?|emprego|trabalh\p{L}*|vacatures?|solliciteer|solliciteren|sollicitatie|iş (?:ilan|başvuru)\p{L}*|başvur\p{L}*|pozisyon\p{L}*|ваканси\p{L}*|резюме|работ\p{L}*|praca|oferty pracy|pracovn\p{L}*|stilling\p{L}*|jobb|وظائف|وظيفة|توظيف|التوظيف|سيرة)(?!\p{L})|採用|求人|応募|募集|채용|지원|모집|招聘|应聘|應徵|职位|職缺|加入我/iu

/** "Zur Zeit haben wir keine offenen Stellen." */
const noVacancy =
  /(?<!\p{L})(?:no (?:current |open |job ){0,2}(?:vacanc(?:y|ies)|openings|positions)|not (?:currently |presently )?(?:hiring|recruiting)|keine (?:offenen|freien) stellen|keine stellen(?:angebote)? (?:frei|offen|zu besetzen)|pas de poste (?:vacant|disponible|à pourvoir)|aucun poste|sin vacantes|no hay vacantes|nessuna posizione aperta|geen vacatures)(?!\p{L})/iu

/** The vacancies of a band or a club are seats for those who join it. */
function seeksPlayers({ mainText }: Page): boolean {
  const text = mainText.slice(0, 20_000)
  return players.test(text) && !paidWork.test(text)
}

const players =
  /(?<!\p{L})(?:new (?:players|singers|members|musicians)|players|singers|rehears\p{L}+|cornet|euphonium|trombone|sopranos?|tenors?|neue (?:spieler|sänger|mitglieder)(?:innen)?|musiker(?:innen)? gesucht)(?!\p{L})/iu
const paidWork =
  /(?<!\p{L})(?:salary|salaries|wages?|paid|pay|employ\p{L}+|full[- ]time|part[- ]time|cv|résumé|resume|gehalt|vergütung|vollzeit|teilzeit|bewerbung(?:en)?|\d\s?(?:€|£|\$))(?!\p{L})/iu

function saysNoVacancy({ mainText }: Page): boolean {
  const text = mainText.slice(0, 100_000)
  return noVacancy.test(text) && !seeks.test(text)
}

const seeks =
  /(?<!\p{L})(?:gesucht|wir suchen|open application|initiativbewerbung|we are (?:hiring|looking for)|join us|nous recherchons|buscamos|cerchiamo)(?!\p{L})/iu

/** A page that is still empty gives no address of its own: its footer is that of all pages. */
function isEmptyBesideFooter(page: Page, { home }: Site): boolean {
  const shared = new Set(home === undefined ? [] : mailAddressesOf(home))
  return countWords(page.mainText) < 5 && mailAddressesOf(page).some((address) => shared.has(address))
}

const onRequest =
  /(?<!\p{L})(?:(?:contact|call|ask) (?:us |our team )?(?:for|about) (?:a )?(?:pricing|prices?|quotes?|rates)|(?:request|get) (?:a|your) (?:free )?(?:quote|estimate)|free (?:quote|estimate)s?|contact sales|talk to sales|prices? on request|preise? auf anfrage|sur devis|prix sur demande|prix nous consulter|(?:le )?prix [^.]{0,60}vous (?:est|sera) communiqué|prezz[oi] su richiesta|preci?os? (?:a consultar|bajo petición|sob consulta)|preço sob consulta|prijs op aanvraag|cena na zapytanie|цена по запросу)(?!\p{L})/iu
