import { isAbout, services } from '../scan/crawl/pages/page-topics.ts'
import { readFacts as readScannedFacts } from '../scan/report/blocks/facts/facts.ts'
import { normalized } from '../scan/signals/brand-name.ts'
import { statedNames } from '../scan/signals/company-name.ts'
import { isDentalTreatment } from '../scan/signals/industry/dental-treatments.ts'
import { addressKey, decodedPathOf, depthOf, shown } from '../scan/site/addresses.ts'
import { nodesOf, textOf } from '../scan/site/html/json-ld.ts'
import { type Element, linesWithin, textWithin } from '../scan/site/html/visible-text.ts'
import { isTemplateText, wholeWords } from '../scan/site/html/words.ts'
import { isTextOfKind } from '../scan/site/kinds/kind-phrases.ts'
import { pageKinds } from '../scan/site/kinds/page-kinds.ts'
import type { JsonLdNode, Page, Site } from '../scan/site/site.ts'

/** What a site sells, for how much and where: from its markup first, else from its headings and price lists. */

const maxOffers = 8
const maxNameCharacters = 60

/**
 * Names of offers, as the site writes them. A heading may be a slogan or what a template left, and a text that sells one
 * of these as a treatment is worse than one that names none.
 * @param name of the business.
 */
export function offersOf(site: Site, name: string): string[] {
  const marked = site.pages.flatMap((page) =>
    nodesOf(page, 'Service', 'Product', 'MedicalProcedure', 'Course', 'MenuItem').flatMap(({ properties }) =>
      textOf(properties.name),
    ),
  )
  const offered = site.pages.flatMap((page) =>
    nodesOf(page, 'Offer').map(({ properties }) => textOf(properties.name) || textOf(properties.itemOffered)),
  )
  const linked = linkedNames(site)
  const listed = site.pages.flatMap((page) => headingsOfOffers(page, site, linked))
  const own = [name, ...statedNames(site)].map(normalized)
  const names = [...marked, ...offered, ...listed].map(nameOf).filter((each) => !isOwnName(each, own))
  return withoutLonger(distinct(names)).slice(0, maxOffers)
}

/**
 * Headings below the page's own. On a page of services each names one, without those that stand on other pages as well. On
 * the home page most name something else, so one counts if a page of its own bears its name, or if it is a treatment.
 */
function headingsOfOffers(page: Page, site: Site, linked: ReadonlySet<string>): string[] {
  const below = page.headings.filter(({ level }) => level > 1 && level < 5).map(({ text }) => text.trim())
  const isLinked = (text: string) => linked.has(normalized(text))
  if (isOfServices(page)) {
    const others = site.pages.filter((other) => other !== page)
    const elsewhere = new Set(others.flatMap(({ headings }) => headings.map(({ text }) => text.trim())))
    const sure = below.filter((text) => isLinked(text) || isDentalTreatment(text))
    // Beside several that are named twice, "Paid by insurers" and "Direct" head something else.
    return sure.length >= minSure ? sure : below.filter((text) => !elsewhere.has(text) || sure.includes(text))
  }
  return page === site.home ? below.filter((text) => isLinked(text) || isDentalTreatment(text)) : []
}

const minSure = 2

function isOfServices({ url }: Page): boolean {
  const path = decodedPathOf(url).toLowerCase()
  const parts = path.split('/').filter((part) => part !== '')
  return offerPath.test(path) || isAbout({ parts }, services)
}

/** What the pages are called that the site links: by the words of the link, and by the address, `/gum-treatment.html`. */
function linkedNames({ pages }: Site): ReadonlySet<string> {
  return new Set(
    pages.flatMap(({ links, url: from }) =>
      links.flatMap(({ url, text, isInternal }) =>
        isInternal && depthOf(url) > 0 && addressKey(url) !== addressKey(from)
          ? [text, lastPartOf(url)].map(normalized)
          : [],
      ),
    ),
  )
}

function lastPartOf(url: string): string {
  return (
    decodedPathOf(url)
      .split('/')
      .findLast((part) => part !== '') ?? ''
  ).replace(/\.\w{2,5}$/, '')
}

const offerPath =
  /\/(?:services?|treatments?|products?|menu|courses?|classes|programs?|solutions?|what-we-do|practice-areas|offers?|shop|rooms|features)\b/

function nameOf(text: string): string {
  const name = shown(text, 200).replace(/[\s.:–—-]+$/u, '')
  const words = name.split(' ')
  const isName =
    name.length >= 3 &&
    name.length <= maxNameCharacters &&
    words.length <= 7 &&
    /\p{L}/u.test(name) &&
    !/[?!。！？%]|\.\s/u.test(name) &&
    !generic.test(name) &&
    !addressesAnyone.test(name) &&
    // "Comfort, Compassion, Convenience"
    name.split(',').length < 3 &&
    // "Portfolio 4" of a template
    !/^\p{L}+\s?#?\d{1,2}$/u.test(name) &&
    !isTemplateText(name) &&
    !pageKinds.some((kind) => isTextOfKind(name, kind)) &&
    !addressesReader.test(name)
  return isName ? name : ''
}

/** "Swaram Dental Clinic" and "Dental Clinic" say who sells, and not what. */
function isOwnName(offer: string, own: readonly string[]): boolean {
  const words = normalized(offer).split(' ')
  return own.some((name) => {
    const ofName = name.split(' ')
    return words.every((word) => ofName.includes(word)) || ` ${words.join(' ')} `.includes(` ${name} `)
  })
}

/** "Root canal treatment in Leeds" is the offer "Root canal treatment" once more. */
function withoutLonger(names: readonly string[]): string[] {
  const begins = (name: string, start: string) => name.toLowerCase().startsWith(`${start.toLowerCase()} `)
  return names.filter((name) => !names.some((other) => begins(name, other)))
}

/** A slogan speaks of those who read it, or of those who write it. */
const addressesAnyone = wholeWords(
  'you|your|yours|we|our|ours|us|my|me|ihre?|ihren|ihrem|ihrer|wir|uns|unser\\p{L}*|euch|euer|eure\\p{L}*',
  'vous|votre|vos|nous|notre|nos|usted\\p{L}*|nosotros|nuestr\\p{L}+|tus?|voi|vostr\\p{L}+|noi|nostr\\p{L}+|você|nós|noss\\p{L}+|onze?|jouw?|uw',
  'sizin|sizi|bizim|biz|için|\\p{L}+[ıiuü]m[ıiuü]z|ваш\\p{L}*|наш\\p{L}*|мы|вы',
)

/** Text that speaks to a program instead of a customer. It is quoted nowhere. */
export const addressesReader =
  /\b(?:ignore|disregard|forget|override)\b.{0,30}\b(?:previous|prior|above|all|earlier|your)\b.{0,20}\b(?:instructions?|rules|prompts?|text|context)|\b(?:system prompt|reveal your|your instructions|language model|as an ai|you are (?:now |an? )?(?:ai|assistant|chatgpt|llm))\b|^\s*(?:system|assistant|user)\s*:/i

/** Headings that every site has. */
const generic =
  /^(?:(?:dental|medical|other|all|more|general|main)? ?(?:services?|clinics?|treatments?|care|practice|office|categories|archives?)$|our |the |about |meet |why |how |what |who |where |when |your |we |get |book (?:now|online|an? |your |today)|call |visit |find |contact|welcome|home|news|blog|latest|faq|frequently|questions|reviews?|testimonials?|team|location|opening|hours|address|follow|subscribe|newsletter|share|menu|search|services?$|treatments?$|products?$|pricing$|prices$|plans$|features$|solutions$|areas? we|read|learn|more|ready|start|join|sign|log ?in|related|recent|featured|popular|new |what's|quick|useful|links|legal|privacy|terms|cookies?|\d+$|step \d)|\b(?:stories|say about us|in touch|us$|with us|today$|now$)/i

function distinct(names: readonly string[]): string[] {
  const known = new Map<string, string>()
  for (const name of names)
    if (name !== '' && !known.has(name.toLowerCase())) known.set(name.toLowerCase(), name)
  return [...known.values()]
}

const maxPrices = 6
const money =
  /(?:(?:[$€£₹¥₩]|US\$|CA\$|A\$|CHF|USD|EUR|GBP)\s?\d[\d.,]*|\d[\d.,]*\s?(?:€|£|USD|EUR|GBP|CHF|zł|kr|TL|₽|円|원))(?:\s?(?:\/|per|a)\s?\p{L}{2,12})?/u

const sums = new RegExp(money.source, 'gu')

/** Prices with what they are for. A number without a name says nothing. */
export function pricesOf(site: Site): string[] {
  const marked = site.pages.flatMap((page) =>
    nodesOf(page, 'Product', 'Service', 'Offer').flatMap(markedPrice),
  )
  const written = site.pages.flatMap(writtenPrices)
  return distinct([...marked, ...written]).slice(0, maxPrices)
}

function markedPrice({ properties }: JsonLdNode): string[] {
  const offer = Array.isArray(properties.offers) ? properties.offers[0] : properties.offers
  const source: unknown = typeof offer === 'object' && offer !== null ? offer : properties
  const price = textOf(memberOf(source, 'price'))
  const currency = textOf(memberOf(source, 'priceCurrency'))
  const name = textOf(properties.name) || textOf(properties.itemOffered)
  if (!/^\d/.test(price) || name === '') return []
  return [shown(`${name}: ${price} ${currency}`.trim(), 100)]
}

function memberOf(node: unknown, name: string): unknown {
  return typeof node === 'object' && node !== null
    ? Object.getOwnPropertyDescriptor(node, name)?.value
    : undefined
}

/** Rows of price lists: a short line with one sum. */
function writtenPrices(page: Page): string[] {
  return page
    .$('tr, li, dt, dd, p, h3, h4')
    .toArray()
    .slice(0, 800)
    .flatMap((element) => {
      const text = textWithin([element])
      // A sentence that mentions a sum is no price list.
      const maxLength = element.name === 'p' ? 50 : 110
      if (text.length < 5 || text.length > maxLength || !money.test(text) || /。/.test(text)) return []
      const [sum] = money.exec(text) ?? []
      // Three sums are a comparison of plans, and two of them a range.
      if ((text.match(sums) ?? []).length > 2) return []
      const isRow = text.replace(sum ?? '', '').replace(/[^\p{L}]/gu, '').length >= 4
      return isRow ? [shown(text, 100).replace(/^[•·*✓–-]\s*|\.$/g, '')] : []
    })
}

/** Towns of the markup, else the address that a scan reads, else the lines of `address` elements. Each place once. */
export function placesOf(site: Site): string[] {
  const marked = site.pages.flatMap((page) =>
    nodesOf(page, 'PostalAddress').map(({ properties }) =>
      joined([properties.addressLocality, properties.addressRegion, properties.addressCountry].map(textOf)),
    ),
  )
  const places = distinctPlaces(marked)
  if (places.length > 0) return places
  const address = site.home && readScannedFacts(site, site.home).address
  const { streetAddress = '', postalCode = '', addressLocality = '', addressRegion = '' } = address ?? {}
  const read = joined([streetAddress, `${postalCode} ${addressLocality}`, addressRegion])
  const lines = site.pages.flatMap((page) => page.$('address').toArray().slice(0, 5).map(writtenPlace))
  // A street without its town is read where the lines say more.
  const written = distinctPlaces(addressLocality === '' ? lines : [read])
  return written.length > 0 ? written : distinctPlaces([read])
}

/** The lines above the first label, number or mail address. */
function writtenPlace(element: Element): string {
  const lines = linesWithin([element])
  const end = lines.findIndex((line) => /[:：@]|\+?[\d()][\d()\s.-]{6,}\d/.test(line))
  return joined(end < 0 ? lines : lines.slice(0, end))
}

function joined(parts: readonly string[]): string {
  return parts
    .flatMap((part) => part.split(','))
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(', ')
}

/** One place may be written in three ways: the fullest is kept. What has a label in it is none. */
function distinctPlaces(texts: readonly string[]): string[] {
  const places = distinct(texts.filter((text) => text !== '' && text.length <= 100 && !/[:：]/.test(text)))
  const partsOf = (place: string) => place.toLowerCase().split(', ')
  const isWithin = (place: string, other: string) =>
    partsOf(place).every((part) => partsOf(other).includes(part))
  return places
    .filter((place) => !places.some((other) => other !== place && isWithin(place, other)))
    .slice(0, 3)
}
