import { findAmounts } from '../../signals/offers/prices.ts'
import { findTestimonial } from '../../signals/reviews/testimonials.ts'
import { nodesOf, typeName } from '../../site/html/json-ld.ts'
import type { JsonLdNode, Page } from '../../site/site.ts'

/**
 * The properties that consumers of schema.org markup require of the most used types. A node without them is
 * valid, so the site's owner gets no error, but consumers ignore it. Markup states only what visitors can read, so prices,
 * reviews and ratings are asked for only where the page shows them.
 */
export interface Requirement {
  readonly type: string
  /** Empty when the node has all of them. Alternatives read "offers or review". */
  readonly missing: readonly string[]
  /** The node lacks a price or a review, and its page shows none that it could state. */
  readonly isUnstated: boolean
}

/** Returns one entry for each node of a type with requirements. */
export function missingProperties(page: Page): Requirement[] {
  return [
    ...[...ofOwnNodes].flatMap(([type, required]) => compare(page, type, required, ({ isTop }) => isTop)),
    ...[...ofAllNodes].flatMap(([type, required]) => compare(page, type, required, () => true)),
  ]
}

/** Whether the node has the property and its value is not empty. */
export function hasProperty({ properties }: JsonLdNode, name: string): boolean {
  return Object.hasOwn(properties, name) && isSomething(properties[name])
}

/** `{"@type": "Organization", "@id": "…"}` only refers to another node. */
export function isReference({ properties }: JsonLdNode): boolean {
  return Object.hasOwn(properties, '@id') && Object.keys(properties).length === 1
}

/**
 * For nodes that stand by themselves. Inside another node ("the product that this reviews") a name is
 * enough.
 */
const ofOwnNodes: ReadonlyMap<string, readonly string[]> = new Map([
  ['Article', ['headline', 'datePublished', 'author']],
  ['Product', ['name', 'offers|review|aggregateRating']],
  ['LocalBusiness', ['name', 'address|areaServed']],
  ['Organization', ['name']],
  ['Person', ['name']],
  ['WebSite', ['name', 'url']],
  ['BreadcrumbList', ['itemListElement']],
  ['ItemList', ['itemListElement']],
  ['FAQPage', ['mainEntity']],
  ['Event', ['name', 'startDate', 'location']],
  [
    'JobPosting',
    ['title', 'description', 'datePosted', 'hiringOrganization', 'jobLocation|applicantLocationRequirements'],
  ],
  ['Recipe', ['name', 'image']],
  ['HowTo', ['name', 'step']],
  ['VideoObject', ['name', 'thumbnailUrl', 'uploadDate']],
  ['SoftwareApplication', ['name', 'offers|aggregateRating|review']],
  ['Course', ['name', 'description']],
  ['Dataset', ['name', 'description']],
])

/** For nodes at any depth. The offer of a service may omit its price. */
const ofAllNodes: ReadonlyMap<string, readonly string[]> = new Map([
  ['Offer', ['price|priceSpecification|itemOffered', 'priceCurrency|priceSpecification|itemOffered']],
  ['AggregateOffer', ['lowPrice', 'priceCurrency']],
  ['AggregateRating', ['ratingValue', 'ratingCount|reviewCount']],
  ['Review', ['author', 'reviewRating|reviewBody']],
  ['Question', ['name|text', 'acceptedAnswer|suggestedAnswer']],
])

function compare(
  page: Page,
  type: string,
  required: readonly string[],
  isMeant: (node: JsonLdNode) => boolean,
): Requirement[] {
  return nodesOf(page, type)
    .filter((node) => node.isSchemaOrg && isMeant(node) && !isReference(node))
    .filter((node) => type !== 'LocalBusiness' || !describesPerson(node))
    .map((node) => {
      const lacking = required
        .map((names) => names.split('|'))
        .filter((names) => !names.some((name) => hasProperty(node, name)))
        // The offers of a group are those of its variants.
        .filter((names) => !(names.includes('offers') && hasProperty(node, 'hasVariant')))
        .map((names) => names.filter((name) => isShown(name, names, page)))
      return {
        type: typeName(node, type),
        missing: inWords(lacking.filter((names) => names.length > 0)),
        isUnstated: lacking.some((names) => names.length === 0),
      }
    })
}

/** Price and currency belong together, and what is offered may stand in place of both. */
function inWords(lacking: readonly (readonly string[])[]): readonly string[] {
  return lacking.length > 1 && lacking.every((names) => names.includes('itemOffered'))
    ? ['price and priceCurrency, or itemOffered']
    : lacking.map((names) => names.join(' or '))
}

/** "Physician" is a business, and many write it of a doctor who works for one. */
function describesPerson(node: JsonLdNode): boolean {
  return ['givenName', 'familyName', 'jobTitle', 'worksFor'].some((name) => hasProperty(node, name))
}

/** Whether the page shows what the property would state, where it is one of prices, reviews and ratings. */
function isShown(name: string, alternatives: readonly string[], page: Page): boolean {
  if (!alternatives.includes('offers')) return true
  switch (name) {
    case 'offers':
      return findAmounts(page, 1) !== undefined
    case 'review':
      return findTestimonial(page) !== undefined
    case 'aggregateRating':
      return rating.test(page.text.slice(0, 100_000))
    default:
      return true
  }
}

/** "4.8/5", "4,8 von 5", "4.8 out of 5 stars", "4.8 ★ (120)". */
const rating =
  /(?<![\d.,])[0-5](?:[.,]\d{1,2})?\s?(?:\/\s?5(?![\d/.,])|(?:out of|von|sur|de|su|van) 5(?![\d.,])|[★⭐])/u

/** JSON may nest lists without end; four levels are searched. */
function isSomething(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.trim() !== ''
  if (Array.isArray(value)) return depth < 4 && value.some((member) => isSomething(member, depth + 1))
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return value !== undefined && value !== null
}
