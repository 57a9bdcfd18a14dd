import { pathOf, shown } from '../scan/site/addresses.ts'
import { nodesOf, textOf } from '../scan/site/html/json-ld.ts'
import { textWithin } from '../scan/site/html/visible-text.ts'
import type { JsonLdNode, Page, Site } from '../scan/site/site.ts'

/** What a site sells, for how much and where: from its markup first, else from its headings and price lists. */

const maxOffers = 8
const maxNameCharacters = 60

/** Names of offers, as the site writes them. */
export function offersOf(site: Site): string[] {
  const marked = site.pages.flatMap((page) =>
    nodesOf(page, 'Service', 'Product', 'MedicalProcedure', 'Course', 'MenuItem', 'OfferCatalog').flatMap(
      ({ properties }) => textOf(properties.name),
    ),
  )
  const offered = site.pages.flatMap((page) =>
    nodesOf(page, 'Offer').map(({ properties }) => textOf(properties.name) || textOf(properties.itemOffered)),
  )
  const listed = site.pages.flatMap(headingsOfOffers)
  return distinct([...marked, ...offered, ...listed].map(nameOf)).slice(0, maxOffers)
}

/** Headings below the page's own: on a page of services each names one, on the home page most do. */
function headingsOfOffers(page: Page): string[] {
  const isOffers = offerPath.test(pathOf(page.url))
  if (!isOffers && pathOf(page.url) !== '/') return []
  return page.headings.filter(({ level }) => level > 1 && level < 5).map(({ text }) => text)
}

const offerPath =
  /\/(?:services?|treatments?|products?|menu|courses?|classes|programs?|solutions?|what-we-do|practice-areas|offers?|pricing|prices|plans|shop|rooms|features)\b/i

function nameOf(text: string): string {
  const name = shown(text, 200).replace(/[\s.:–—-]+$/u, '')
  const words = name.split(' ')
  const isName =
    name.length >= 3 &&
    name.length <= maxNameCharacters &&
    words.length <= 7 &&
    /\p{L}/u.test(name) &&
    !/[?!.]$|\.\s/u.test(name) &&
    !generic.test(name)
  return isName ? name : ''
}

/** Headings that every site has. */
const generic =
  /^(?:our |the |about |meet |why |how |what |who |where |when |your |we |get |book |call |visit |find |contact|welcome|home|news|blog|latest|faq|frequently|questions|reviews?|testimonials?|team|location|opening|hours|address|follow|subscribe|newsletter|share|menu|search|services?$|treatments?$|products?$|pricing$|prices$|plans$|features$|solutions$|areas? we|read|learn|more|ready|start|join|sign|log ?in|related|recent|featured|popular|new |what's|quick|useful|links|legal|privacy|terms|cookies?|\d+$|step \d)|\b(?:stories|say about us|in touch|us$|with us|today$|now$)/i

function distinct(names: readonly string[]): string[] {
  const known = new Map<string, string>()
  for (const name of names)
    if (name !== '' && !known.has(name.toLowerCase())) known.set(name.toLowerCase(), name)
  return [...known.values()]
}

const maxPrices = 6
const money =
  /(?:(?:[$€£₹¥₩]|US\$|CA\$|A\$|CHF|USD|EUR|GBP)\s?\d[\d.,]*|\d[\d.,]*\s?(?:€|£|USD|EUR|GBP|CHF|zł|kr|TL|₽|円|원))(?:\s?(?:\/|per|a)\s?\p{L}{2,12})?/u

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
      if (text.length < 5 || text.length > 110 || !money.test(text)) return []
      const [sum] = money.exec(text) ?? []
      const isRow = text.replace(sum ?? '', '').replace(/[^\p{L}]/gu, '').length >= 4
      return isRow ? [shown(text, 100).replace(/\.$/, '')] : []
    })
}

/** Towns of the markup, else the lines of `address` elements. */
export function placesOf(site: Site): string[] {
  const marked = site.pages.flatMap((page) =>
    nodesOf(page, 'PostalAddress').map(({ properties }) =>
      [properties.addressLocality, properties.addressRegion, properties.addressCountry]
        .map(textOf)
        .filter((part) => part !== '')
        .join(', '),
    ),
  )
  const written = site.pages.flatMap((page) =>
    page
      .$('address')
      .toArray()
      .slice(0, 5)
      .map((element) => textWithin([element]).replace(/\S+@\S+|\+?[\d()][\d()\s.-]{6,}\d/g, ' ')),
  )
  return distinct([...marked, ...written].map((text) => shown(text, 100).trim())).slice(0, 3)
}
