import { listOf } from '../../../text/plain-text.ts'
import { hoursInWords } from '../../signals/contact/hours-by-day.ts'
import { shown, shownInQuotes } from '../../site/addresses.ts'
import { textOf } from '../../site/html/json-ld.ts'
import { splitCamelCase } from '../../site/html/words.ts'

/**
 * What a node of JSON-LD says of a business, in plain words. Its owner reads no code: a telephone number that is not the
 * right one, or hours that lack four days, would be published unseen.
 */
export function saidFacts(node: Readonly<Record<string, unknown>>): readonly string[] {
  const text = (name: string) => shown(textOf(node[name]), 200)
  const type = [node['@type']].flat().map((one) => splitCamelCase(textOf(one), ' ').toLowerCase())
  const facts: readonly (readonly [label: string, value: string])[] = [
    // A name that is not known is asked for.
    ['your name', text('name').startsWith('WRITE ') ? '' : text('name')],
    ['what you are', type[0] === 'web site' ? '' : listOf(type)],
    [
      'description',
      textOf(node.description) === '' ? '' : `“${shownInQuotes(textOf(node.description), 300)}”`,
    ],
    ['telephone', text('telephone')],
    ['e-mail', text('email')],
    ['address', addressOf(node.address)],
    ['opening hours', hoursOf(node)],
    ['your entries elsewhere', listOf([node.sameAs ?? []].flat().map((one) => shown(textOf(one), 200)))],
    ['prices', pricesOf(node.makesOffer)],
  ]
  return facts.flatMap(([label, value]) => (value === '' ? [] : [`${label}: ${value}`]))
}

/** Of several addresses each. */
function addressOf(value: unknown): string {
  return [value ?? []]
    .flat()
    .map((one) =>
      isNode(one)
        ? ['streetAddress', 'postalCode', 'addressLocality', 'addressRegion', 'addressCountry']
            .map((name) => shown(textOf(one[name]), 120))
            .filter((part) => part !== '')
            .join(', ')
        : shown(textOf(one), 200),
    )
    .filter((one) => one !== '')
    .join('; ')
}

function hoursOf({
  openingHours,
  openingHoursSpecification,
  contactPoint,
}: Readonly<Record<string, unknown>>): string {
  const lines = [openingHours ?? []].flat().map((one) => textOf(one))
  if (lines.length > 0)
    return lines.every((one) => plainHours.test(one)) ? hoursInWords(lines) : lines.join('; ')
  const point = [contactPoint ?? []].flat().find(isNode)
  return [openingHoursSpecification ?? point?.hoursAvailable ?? []]
    .flat()
    .filter(isNode)
    .map((one) => {
      const days = [one.dayOfWeek ?? []].flat().map((day) => textOf(day).replace(/^.*\//, ''))
      return `${listOf(days)} ${textOf(one.opens)}-${textOf(one.closes)}`
    })
    .join('; ')
}

const day = '(?:Mo|Tu|We|Th|Fr|Sa|Su)'
const plainHours = new RegExp(`^${day}(?:[-,]${day})* \\d{2}:\\d{2}-\\d{2}:\\d{2}$`)

function pricesOf(offers: unknown): string {
  const all = [offers ?? []].flat().filter(isNode)
  return listOf(
    all
      .slice(0, maxPrices)
      .map(
        ({ name, price, priceCurrency }) =>
          `${shown(textOf(name), 60)} ${textOf(price)} ${textOf(priceCurrency)}`,
      )
      .concat(all.length > maxPrices ? [`${all.length - maxPrices} more`] : []),
  )
}

const maxPrices = 40

function isNode(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
