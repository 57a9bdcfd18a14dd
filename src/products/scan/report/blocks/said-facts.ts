import { listOf } from '../../../text/plain-text.ts'
import { daysOfWeek } from '../../signals/contact/days-and-times.ts'
import { hoursInWords } from '../../signals/contact/hours-by-day.ts'
import { shown, shownInQuotes } from '../../site/addresses.ts'
import { isRecord, textOf } from '../../site/html/json-ld.ts'
import { splitCamelCase } from '../../site/html/words.ts'

/**
 * What a node of JSON-LD says of a business, in plain words. Its owner reads no code: a telephone number that is not the
 * right one, or hours that lack four days, would be published unseen. What has no words of its own here is listed by the
 * name of its property.
 */
export function saidFacts(node: Node): readonly string[] {
  const text = (name: string) => shown(textOf(node[name]), 200)
  const type = [node['@type']].flat().map((one) => shown(splitCamelCase(textOf(one), ' ').toLowerCase(), 60))
  const facts: readonly (readonly [label: string, value: string])[] = [
    // A name that is not known is asked for.
    ['your name', text('name').startsWith('WRITE ') ? '' : text('name')],
    [kindSaid, type[0] === 'web site' ? '' : listOf(type)],
    [
      'description',
      textOf(node.description) === '' ? '' : `“${shownInQuotes(textOf(node.description), 300)}”`,
    ],
    ['logo', text('logo')],
    ['picture', text('image')],
    ['telephone', shown(textOf(node.telephone), 40)],
    ['e-mail', shown(textOf(node.email), 80)],
    ['address', addressOf(node.address)],
    ['opening hours', hoursOf(node)],
    ['your entries elsewhere', listOf([node.sameAs ?? []].flat().map((one) => shown(textOf(one), 200)))],
    ['fixed prices', pricesOf(node.makesOffer)],
    ...Object.entries(node)
      .filter(([name]) => !told.has(name))
      .slice(0, maxOthers)
      .map(([name, value]) => [labelOf(name), plain(value)] as const),
  ]
  return facts.flatMap(([label, value]) => (value === '' ? [] : [`${label}: ${value}`]))
}

/** How the line begins that says of which kind a business is; a description of the site alone has none. */
export const kindSaid = 'what you are'

type Node = Readonly<Record<string, unknown>>

/** What has words of its own above, and what says nothing of the business. */
const told: ReadonlySet<string> = new Set([
  ...[
    '@type',
    '@id',
    '@context',
    'url',
    'mainEntityOfPage',
    'name',
    'description',
    'logo',
    'image',
    'telephone',
  ],
  ...[
    'email',
    'address',
    'openingHours',
    'openingHoursSpecification',
    'contactPoint',
    'sameAs',
    'makesOffer',
  ],
])
const maxOthers = 30

/** Of several addresses each, as its country writes it. */
function addressOf(value: unknown): string {
  return [value ?? []]
    .flat()
    .map((one) => (isRecord(one) ? addressLine(one) : shown(textOf(one), 200)))
    .filter((one) => one !== '')
    .join('; ')
}

export function addressLine(node: Node): string {
  const part = (name: string) => shown(textOf(node[name]), 120)
  const [code, town, region, country] = [
    'postalCode',
    'addressLocality',
    'addressRegion',
    'addressCountry',
  ].map(part)
  const isCodeLast = /^(?:US|CA|GB|UK|IE|AU|NZ|IN)$/i.test(country ?? '')
  const place = isCodeLast
    ? [town, [region, code].filter((one) => one !== '').join(' ')]
    : [[code, town].filter((one) => one !== '').join(' '), region]
  return [part('streetAddress'), ...place, country]
    .filter((one) => one !== undefined && one !== '')
    .join(', ')
}

function hoursOf({ openingHours, openingHoursSpecification, contactPoint }: Node): string {
  const lines = [openingHours ?? []].flat().map((one) => shown(textOf(one), 60))
  if (lines.length > 0)
    return lines.every((one) => plainHours.test(one)) ? hoursInWords(lines) : lines.join('; ')
  const point = [contactPoint ?? []].flat().find(isRecord)
  const spans = [openingHoursSpecification ?? point?.hoursAvailable ?? []].flat().filter(isRecord)
  const usual = spans.flatMap((one) => usualHours(one) ?? [])
  return usual.length === spans.length ? hoursInWords(usual) : spans.map(spanInWords).join('; ')
}

/** `Mo,Tu 08:00-12:00`; undefined for the hours of a season, and for a day on which the door stays closed. */
function usualHours(span: Node): string | undefined {
  const days = daysIn(span).map((name) => daysOfWeek.find((one) => name.startsWith(one)))
  const line = `${days.join(',')} ${textOf(span.opens)}-${textOf(span.closes)}`
  const isUsual =
    !('validFrom' in span || 'validThrough' in span) && textOf(span.opens) !== textOf(span.closes)
  return isUsual && !days.includes(undefined) && plainHours.test(line) ? line : undefined
}

function spanInWords(span: Node): string {
  const [opens, closes, from, through] = ['opens', 'closes', 'validFrom', 'validThrough'].map((name) =>
    shown(textOf(span[name]), 30),
  )
  return [
    listOf(daysIn(span)),
    opens === closes ? 'closed' : `${opens}–${closes}`,
    ...(from === '' ? [] : [`from ${from}`]),
    ...(through === '' ? [] : [`until ${through}`]),
  ].join(' ')
}

/** "Monday" of "https://schema.org/Monday". */
function daysIn({ dayOfWeek }: Node): string[] {
  return [dayOfWeek ?? []].flat().map((day) => shown(textOf(day).replace(/^.*\//, ''), 30))
}

const day = '(?:Mo|Tu|We|Th|Fr|Sa|Su)'
const plainHours = new RegExp(`^${day}(?:[-,]${day})* \\d{2}:\\d{2}-\\d{2}:\\d{2}$`)

function pricesOf(offers: unknown): string {
  const all = [offers ?? []].flat().filter(isRecord)
  return listOf(
    all
      .slice(0, maxPrices)
      .map(({ name, price, priceCurrency }) =>
        [name, price, priceCurrency]
          .map((one) => shown(textOf(one), 60))
          .filter((one) => one !== '')
          .join(' '),
      )
      .concat(all.length > maxPrices ? [`${all.length - maxPrices} more`] : []),
  )
}

const maxPrices = 40

/** A value of a property, with all that stands within it: what is not shown here is published unseen. */
function plain(value: unknown, depth = 0): string {
  const all = [value ?? []].flat()
  const words = all.slice(0, maxValues).map((one) => {
    if (!isRecord(one)) return shown(typeof one === 'boolean' ? String(one) : textOf(one), 150)
    return depth === maxDepth ? shown(textOf(one.name), 60) : plainNode(one, depth + 1)
  })
  return [
    ...new Set(words.filter((one) => one !== '')),
    ...(all.length > maxValues ? [`${all.length - maxValues} more`] : []),
  ].join(depth === 0 ? '; ' : ', ')
}

/** Its name first. What is only a list in the code gets no words of its own. */
function plainNode(node: Node, depth: number): string {
  const { name, ...others } = node
  const rest = Object.entries(others)
    .filter(([key]) => !key.startsWith('@') && !unsaid.has(key))
    .slice(0, maxValues)
    .flatMap(([key, inner]) => {
      const text = key === 'address' ? addressOf(inner) : plain(inner, depth)
      return text === '' ? [] : [lists.has(key) ? text : `${labelOf(key)} ${text}`]
    })
  return [shown(textOf(name), 100), ...rest].filter((one) => one !== '').join(', ')
}

const maxValues = 30
const maxDepth = 4

const lists: ReadonlySet<string> = new Set(['itemListElement', 'itemOffered', 'item', 'mainEntity'])
const unsaid: ReadonlySet<string> = new Set([
  'credentialCategory',
  'position',
  'geoMidpoint',
  'geoRadius',
  'latitude',
  'longitude',
])

/** As owners call it, where the name of the property does not say it. */
const labels: Readonly<Record<string, string>> = {
  hasOfferCatalog: 'what you offer',
  alternateName: 'your other name',
  aggregateRating: 'rating in all reviews',
  alumniOf: 'school',
  hasCredential: 'degrees',
  hasMap: 'map',
  geo: 'place on the map',
}

function labelOf(property: string): string {
  return labels[property] ?? shown(splitCamelCase(property, ' ').toLowerCase(), 40)
}
