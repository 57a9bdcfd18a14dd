import type { Evidence } from '../findings/check.ts'
import { isSameSite, pathOf } from '../site/addresses.ts'
import { articlesOf } from '../site/articles.ts'
import { ownFacts } from '../site/contact/contact-pages.ts'
import { mailAddressesOf } from '../site/contact/mail-addresses.ts'
import { portalEntriesOf } from '../site/contact/portal-entries.ts'
import { datesIn } from '../site/dates.ts'
import { attributeOf, hasAttribute, type PageElement, spokenText } from '../site/html/elements.ts'
import { nodesOf, textOf } from '../site/html/json-ld.ts'
import { isBelowTitle } from '../site/html/main/main-part.ts'
import { withinNoticeWindows } from '../site/html/main/notice-windows.ts'
import { sectionsOfKind } from '../site/html/page-sections.ts'
import { around, type Element, isElement } from '../site/html/visible-text.ts'
import { asksQuestion, countWords } from '../site/html/words.ts'
import { folded, isTextOfKind } from '../site/kinds/kind-phrases.ts'
import { isByVisitors, isPathOfKind } from '../site/kinds/page-kinds.ts'
import { linksToKind, noticesOf } from '../site/linked-pages.ts'
import type { Page, Site } from '../site/site.ts'
import { findMessenger } from './contact/messengers.ts'
import { markedReviews } from './reviews/marked-reviews.ts'
import { findPressQuote } from './reviews/press-quotes.ts'
import { findTestimonial } from './reviews/testimonials.ts'
import { firstService, type Service } from './services.ts'
import { firstOf, nothing, type Signal } from './signal.ts'

/** Signals of how questions are answered and of what customers say about the business. */

export interface SupportSignal extends Signal<'service' | 'pages' | 'none'> {
  /** A shared mailbox such as support@ or hello@, not a person's own. */
  readonly mailbox: Evidence | undefined
}

/**
 * Looks for a chat or helpdesk service, then for pages that help: a help center, answered questions,
 * documentation.
 */
export function readSupport(site: Site, services: readonly Service[], faq: FaqSignal): SupportSignal {
  const mailbox = findMailbox(site)
  const service = firstService(services, 'chat', 'helpdesk') ?? firstOf(site.pages, findMessenger)
  if (service) return { how: 'service', evidence: [service], mailbox }
  const pages = findHelp(site, faq)
  if (pages) return { how: 'pages', evidence: [pages], mailbox }
  return { ...nothing(site, 'help'), mailbox }
}

function findHelp(site: Site, faq: FaqSignal): Evidence | undefined {
  const links = [
    ...linksToKind(site, 'help'),
    ...linksToKind(site, 'faq'),
    ...linksToKind(site, 'docs').filter(
      ({ url, text }) => !/integration|connector|(?:^|\/)apps/i.test(`${pathOf(url)} ${text}`),
    ),
  ]
  const [link] = links
  if (link) return { url: link.url, value: `link "${link.text}"` }
  const [section] = site.pages.flatMap((page) =>
    [...sectionsOfKind(page, 'help'), ...(faq.pairs > 0 ? sectionsOfKind(page, 'faq') : [])].map(
      ({ label }) => ({ url: page.url, value: `section "${label}"` }),
    ),
  )
  if (section) return section
  const marked = site.pages.find((page) => countMarkedPairs(page) > 0)
  if (marked) return { url: marked.url, value: 'FAQPage in JSON-LD' }
  return faq.how === 'pairs' ? faq.evidence[0] : undefined
}

export interface FaqSignal extends Signal<'pairs' | 'none'> {
  /** Questions with answers on the page that has most of them. */
  readonly pairs: number
  /** FAQPage markup with questions in it. */
  readonly isMarkedUp: boolean
}

export function readFaq(site: Site): FaqSignal {
  const isMarkedUp = site.pages.some((page) => markedQuestions(page).length > 0)
  let best: { page: Page; pairs: number } | undefined
  // The headings of a privacy notice ask nothing that a customer would.
  const notices = noticesOf(site)
  const articles = new Set(articlesOf(site).map(({ page }) => page))
  for (const page of site.pages.filter((one) => !(notices.has(one) || isByVisitors(one.url)))) {
    const pairs = Math.max(countMarkedPairs(page), countVisiblePairs(page, articles.has(page)))
    if (pairs > (best?.pairs ?? 0)) best = { page, pairs }
  }
  const evidence = best && [
    {
      url: best.page.url,
      value: best.pairs === 1 ? '1 question with an answer' : `${best.pairs} questions with their answers`,
    },
  ]
  const facts = { pairs: best?.pairs ?? 0, isMarkedUp }
  if (evidence && facts.pairs >= minPairs) return { how: 'pairs', evidence, ...facts }
  const absence = nothing(site, 'faq')
  // Questions on a page that was read are no page that was not.
  if (absence.how === 'unknown') return { ...absence, ...facts }
  return { ...absence, evidence: evidence ?? absence.evidence, ...facts }
}

/** A page with fewer questions does not count as an FAQ. */
export const minPairs = 4

/** Visitors read no markup: a question that stands only there is answered to none of them. */
function countMarkedPairs(page: Page): number {
  return markedQuestions(page).filter((question) => isInText(question, page)).length
}

function markedQuestions(page: Page): readonly string[] {
  if (nodesOf(page, 'FAQPage').length === 0) return []
  return nodesOf(page, 'Question').flatMap(({ properties }) => {
    const question = textOf(properties.name)
    return question === '' || properties.acceptedAnswer === undefined ? [] : [question]
  })
}

function isInText(question: string, page: Page): boolean {
  const wanted = folded(question.slice(0, 200))
  return wanted !== '' && foldedText(page).includes(wanted)
}

const foldedTexts = new WeakMap<Page, string>()

function foldedText(page: Page): string {
  const known = foldedTexts.get(page)
  if (known !== undefined) return known
  const text = folded(page.text.slice(0, 500_000))
  foldedTexts.set(page, text)
  return text
}

/**
 * Counts questions in `details` elements, in definition lists, in headings, in buttons that unfold an answer,
 * and in bold type, and returns the largest of the counts. The headings of an interview ask a guest.
 */
function countVisiblePairs(page: Page, isArticle: boolean): number {
  const notices = withinNoticeWindows(page.$)
  const elements = page.elements.filter(({ node }) => !notices.has(node))
  const unfolding = elements.filter(
    ({ name, node, isHidden }) =>
      !isHidden &&
      name === 'details' &&
      node.children.some(
        (child) => isElement(child) && child.name === 'summary' && isCommon(spokenText(child)),
      ),
  ).length
  const asked = (isPlace: (element: PageElement) => boolean) =>
    new Set(
      elements
        .filter((element) => !element.isHidden && isPlace(element) && isCommon(spokenText(element.node)))
        .map(({ node }) => spokenText(node)),
    ).size
  const defined = asked(({ name }) => name === 'dt')
  const buttons = asked(
    ({ name, node }) =>
      name === 'button' ||
      attributeOf(node, 'role') === 'button' ||
      hasAttribute(node, 'aria-expanded') ||
      ['data-toggle', 'data-bs-toggle'].some((toggle) => attributeOf(node, toggle) === 'collapse'),
  )
  const bold = asked(
    ({ name, node }) => (name === 'p' && isAllBold(node)) || name === 'strong' || name === 'b',
  )
  // Notes beside the lines of a program ask what the next line does.
  const isSource = page.mainPart.codeWords * 2 > countWords(page.mainText) && !isPathOfKind(page.url, 'faq')
  const headed = page.mainPart.sections.filter((section, _place, sections) => {
    const { heading, words, codeWords, isTeaser } = section
    return (
      isBelowTitle(section, sections) &&
      words > 0 &&
      !isTeaser &&
      (codeWords === 0 || words - codeWords >= 10) &&
      (isCommon(heading) || (words >= 10 && asksQuestion(heading)))
    )
  }).length
  const classed = asked(
    ({ name, node }) =>
      /^(?:div|span|li|p|a|label)$/.test(name) &&
      /(?:^|[\s_-])(?:question|faq-?(?:title|q|head(?:er|ing)?)|accordion-?(?:title|header|button|head))(?:$|[\s_-])/i.test(
        attributeOf(node, 'class').slice(0, 300),
      ),
  )
  const isTold = isArticle && !page.headings.some(({ text }) => isTextOfKind(text, 'faq'))
  return isSource || isTold
    ? Math.max(unfolding, buttons, classed)
    : Math.max(unfolding, defined, headed, buttons, bold, classed, countBoxes(elements))
}

/**
 * Counts boxes that stand beside each other, each with a question and then a text: a list of questions, whatever its
 * classes are called.
 */
function countBoxes(elements: readonly PageElement[]): number {
  const questions = new Map<Element, Set<string>>()
  for (const { node, name, isHidden } of elements) {
    if (isHidden || !/^(?:div|span|p|li|strong|b|h[2-6]|button|summary)$/.test(name)) continue
    // A slide has a box in its box.
    const lists = around(node)
      .slice(1, 3)
      .filter((list) => list.name !== 'body' && list.name !== 'html')
    if (lists.length === 0) continue
    const text = spokenText(node, 50)
    if (!isCommon(text) || !isAnswer(answerAfter(node))) continue
    for (const list of lists) questions.set(list, (questions.get(list) ?? new Set()).add(text))
  }
  const most = Math.max(0, ...[...questions.values()].map(({ size }) => size))
  return most >= 3 ? most : 0
}

/** The date below the title of an article is no answer to it. */
function isAnswer(text: string): boolean {
  return countWords(text) > (datesIn(text, 1).length > 0 ? 5 : 0)
}

/** The text of the element that follows in the same box. */
function answerAfter(question: Element): string {
  for (let next = question.next; next !== null && next !== undefined; next = next.next)
    if (isElement(next)) return isCommon(spokenText(next, 50)) ? '' : spokenText(next, 200)
  return ''
}

function isAllBold({ children }: Element): boolean {
  const parts = children.filter(
    (child) => isElement(child) || (child.type === 'text' && child.data.trim() !== ''),
  )
  return parts.length === 1 && parts.every((part) => isElement(part) && /^(?:strong|b)$/.test(part.name))
}

/** A question of a list has some words: "Why?" alone is none that a customer asks, unless it heads an answer. */
function isCommon(text: string): boolean {
  return countWords(text) >= 2 && asksQuestion(text)
}

export function readReviews(site: Site, services: readonly Service[]): ReviewSignal {
  const markup = markedReviews(site)
  if (markup?.isShown) return { how: 'markup', evidence: [markup.evidence] }
  const service = firstService(services, 'reviews')
  if (service) return { how: 'service', evidence: [service] }
  const section = firstOf(site.pages, (page) => {
    if (invented.test(page.mainText.slice(0, 200_000))) return undefined
    const heading = page.headings.find(
      ({ text }) =>
        (page === site.home || !isBibliography.test(text.trim())) &&
        (proofWords.test(text.slice(0, 200)) || isTextOfKind(text, 'proof')),
    )
    if (heading) return { url: page.url, value: `heading "${heading.text}"` }
    const label = page.lines.find((line) => line.length <= 30 && quoteLabel.test(line.trim()))
    if (label && ratingSigns.test(page.mainPart.prose.slice(0, 200_000)))
      return { url: page.url, value: `"${label}" above ratings` }
    const [part] = sectionsOfKind(page, 'proof')
    if (part) return { url: page.url, value: `section "${part.label}"` }
    const testimonial = findTestimonial(page) ?? findPressQuote(page)
    if (testimonial) return testimonial
    const reviews = page.links.find(({ text, isInternal }) => !isInternal && reviewLink.test(text.trim()))
    if (reviews) return { url: page.url, value: `link "${reviews.text}"` }
    const entry = portalEntriesOf(page).find(({ hasReviews }) => hasReviews)
    if (entry) return { url: page.url, value: `reviews at ${entry.url}` }
    const [stars] = ratingSigns.exec(page.mainPart.prose.slice(0, 200_000)) ?? []
    return stars === undefined ? undefined : { url: page.url, value: `"${stars}"` }
  })
  if (section) return { how: 'section', evidence: [section] }
  // "reviews.txt" may be what the referees of a paper wrote.
  const link = linksToKind(site, 'proof').find(
    ({ url }) => !/\.(?:txt|pdf|docx?|zip|csv)$/i.test(pathOf(url)),
  )
  if (link) return { how: 'section', evidence: [{ url: link.url, value: `link "${link.text}"` }] }
  if (markup) return { how: 'unseen', evidence: [markup.evidence] }
  return nothing(site, 'proof')
}

/** `unseen`: a rating stands in the markup, and no page that was read shows it. */
export type ReviewSignal = Signal<'markup' | 'service' | 'section' | 'unseen' | 'none'>

/** The list of sources at the end of an article. */
const isBibliography =
  /^(?:references|références|referências|referencias|referenze|referenties|参考文献|참고문헌)$/i

const proofWords =
  /testimonial|(?:customer|client|patient|guest|member)(?:s|['’]s|s['’])? voices|google reviews?\b|(?:customer|client|patient|guest|our|what) .{0,20}(?:reviews?\b|stories|say\b|saying)|\breviews\b|(?:^|our |customer |client )case stud(?:y|ies)$|success stor|trusted by|kundenstimmen|referenzen|témoignages|avis (?:clients|google)|testimoni(?:os|anze)|dicono di noi|recensioni|depoimentos|отзыв|müşteri yorum|referans|آراء|お客様の声|(?:活用|導入|施工|成功|制作|開発)事例|事例(?:の?ご?紹介|一覧|について|集)|患者様の声|口コミ|후기|客户评价|客戶評價|o que (?:os |as |nossos |nossas )?(?:\p{L}{3,15} )?(?:dizem|falam|acham)|(?:lo|qué) (?:que )?(?:nos )?(?:dicen|opinan)|(?:^|nuestras |las )(?:opiniones|reseñas)(?: de .{3,20})?$|ce que (?:disent|pensent)|(?:nos|mes) (?:clients|patients) (?:témoignent|parlent|disent)|cosa (?:dicono|pensano)|das sagen (?:unsere|meine)|was (?:unsere |meine )?\p{L}{3,20} sagen|wat (?:onze )?\p{L}{3,15} zeggen|(?:klant|patiënt)ervaringen|ne diyor|что (?:о нас )?говорят|患者さまの声|avaliações/iu

/** A label above quotes is often no heading. */
const quoteLabel =
  /^(?:testimonials|kundenstimmen|patientenstimmen|(?:kunden)?bewertungen|rezensionen|avis(?: clients)?|témoignages|testimonios|testimonianze|recensioni|depoimentos|avaliações|отзывы|müşteri yorumları)$/i

/** The page says that its quotes are samples: "Depoimentos ilustrativos". */
const invented =
  /(?<!\p{L})(?:depoimentos|relatos|testimonios|testimonianze|reseñas|opiniones) (?:\p{L}{2,6} ){0,2}(?:ilustrativ[oa]s|illustrativ[ei]|fict[ií]ci[oa]s|fittizie)|(?:illustrative|fictional|sample|example|placeholder) (?:testimonials|reviews|quotes)|(?:testimonials|reviews|quotes) (?:shown |above |here )?(?:are|is) (?:illustrative|fictional|examples|samples|placeholders)|témoignages (?:fictifs|illustratifs|d['’]exemple)|(?:beispielhafte|fiktive) (?:kundenstimmen|bewertungen|zitate)|(?:kundenstimmen|bewertungen|zitate) (?:sind|dienen) (?:beispiel|fiktiv|nur als)|вымышленные отзывы/iu

/** To reviews on another site. */
const reviewLink =
  /^(?:(?:see|read|view|all|our) ){0,3}(?:google|yelp|tripadvisor|trustpilot|facebook) (?:reviews|bewertungen|avis|reseñas|recensioni|avaliações|yorumları|отзывы)$|^(?:google[- ]?(?:bewertungen|rezensionen)|avis google|reseñas (?:de|en) google|recensioni (?:di |su )?google|avaliações (?:do|no) google|google yorumları)$|^(?:our |nos |les |voir (?:tous )?(?:nos )?)?(?:avis (?:clients?|patients?|google)(?: google)?|(?:client|customer|patient|guest) reviews(?: on google)?|kundenbewertungen|patientenbewertungen|recensioni (?:clienti|pazienti)|opiniones de (?:clientes|pacientes))$/i

/** Stars, grades out of five, and the number of reviews that a grade was made from. */
const ratingSigns =
  /事例(?:について|を)ご?紹介|(?:(?:★|⭐)\s?){4,5}|(?<![\p{L}\d.,/])[345][.,]\d\s?(?:★|⭐|\/\s?5(?![\d.,/])|(?:von|out of|sur|su|de) 5)|(?:★|⭐)\s?[1-5](?:[.,]\d)?(?![\d\p{L}])|(?:aus|from|based on|basado en|basées? sur|basate su|su|sur|op basis van|на основе) \d{1,5} (?:google[- ]?)?(?:bewertungen|rezensionen|reviews|avis|reseñas|opiniones|recensioni|avaliações|beoordelingen|отзыв(?:а|ов)?)(?!\p{L})/iu

/** At the domain of the site: an imprint names mailboxes of chambers and authorities, too. */
function findMailbox(site: Site): Evidence | undefined {
  return ownFacts(site, mailAddressesOf).find(
    ({ value }) =>
      sharedMailbox.test(value) && isSameSite(`http://${value.split('@')[1] ?? ''}/`, site.origin),
  )
}

const sharedMailbox =
  /^(?:support|help|helpdesk|service|customer\.?service|care|info|hello|hi|contact|office|team|mail|reception|frontdesk|kontakt|bonjour|hola)@/
