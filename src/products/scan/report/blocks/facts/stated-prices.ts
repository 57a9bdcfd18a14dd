import { textOf } from '../../../site/html/json-ld.ts'
import { around, type Element, elementBefore, textWithin } from '../../../site/html/visible-text.ts'
import { wordsOf } from '../../../site/html/words.ts'
import { isPathOfKind } from '../../../site/kinds/page-kinds.ts'
import type { Page } from '../../../site/site.ts'

export interface StatedPrice {
  readonly name: string
  /** In digits with a point: `62.00`. */
  readonly price: string
  /** The ISO code. */
  readonly currency: string
}

/**
 * Reads the prices that a page of prices states in its tables: a row with a name and exactly one amount. Ranges and
 * "from" prices are left out, because markup of one price would promise it. So is an amount in dollars, unless the
 * site's markup or text says whose dollars. Of a very long list nothing is taken: its first rows alone would look like all.
 */
export function statedPrices(pages: readonly Page[]): readonly StatedPrice[] {
  const dollar = dollarOf(pages)
  const found = new Map<string, StatedPrice>()
  for (const page of pages.filter(({ url }) => isPathOfKind(url, 'pricing'))) {
    for (const row of page.$('main tr, body tr').toArray().slice(0, maxRows)) {
      const cells = page.$(row).children('td, th').toArray()
      const [first = '', ...others] = cells.map((cell) => textWithin([cell]).trim())
      const item = first.replace(footnote, '')
      const price = others.flatMap((cell) => priceOf(cell, dollar) ?? [])
      const [only] = price
      if (only === undefined || price.length > 1 || item.length < 2 || isAddition.test(item)) continue
      if (!hasFixedPrices(row, page)) continue
      // "Mouthguard", "coloured", "£130": what stands between says which one it is.
      const at = others.findIndex((cell) => priceOf(cell, dollar) !== undefined)
      const [variant = ''] = others.slice(0, at).filter((cell) => /\p{L}{2}/u.test(cell) && cell.length <= 40)
      const name = withHeading(variant === '' ? item : `${item} (${variant})`, row)
      if (name.length <= 80 && !found.has(name)) found.set(name, { name, ...only })
    }
  }
  return found.size > maxPrices ? [] : [...found.values()]
}

/** Not in a table whose head says "Fee from", nor in one where a name stands beside several rows, each with its price. */
function hasFixedPrices(row: Element, { $ }: Page): boolean {
  const table = around(row).find(({ name }) => name === 'table')
  if (table === undefined) return true
  const heads = $(table)
    .find('th, tr:first-child td')
    .toArray()
    .slice(0, 20)
    .map((cell) => textWithin([cell]))
  return !heads.some((head) => lowest.test(head)) && $(table).find('[rowspan]').length === 0
}

const lowest =
  /(?<!\p{L})(?:from|starting|guide|approx\p{L}*|ab|circa|ca|dès|à partir|desde|a partir|da|vanaf|от|od|itibaren|fra|från)(?!\p{L})/iu

/** "Dentures: Full Upper" of a row in the table below "Dentures". A heading whose words the row has adds nothing. */
function withHeading(item: string, row: Element): string {
  const table = around(row).find(({ name }) => name === 'table')
  const [before] =
    table === undefined ? [] : [table, ...around(table)].flatMap((one) => elementBefore(one) ?? [])
  if (before === undefined || !/^h[3-6]$/.test(before.name)) return item
  const heading = textWithin([before]).replace(/\s*:$/, '')
  const isRepeated = wordsOf(heading).some((word) => item.toLowerCase().includes(word.replace(/s$/, '')))
  return heading === '' || isVague.test(heading) || isRepeated ? item : `${heading}: ${item}`
}

/** "per addition, add", "for gold, add": a part of the price in the row above. */
const isAddition =
  /^(?:per|each|plus|add|additional|je|pro|zzgl|zuzüglich|par|por)(?!\p{L})|,\s?(?:add|plus|zzgl\.?)$/iu

/** "Miscellaneous" says nothing of what is below. */
const isVague =
  /^(?:misc(?:ellaneous)?|others?|general|various|sonstiges|weiteres|divers|autres|otros|altro|prices|fees|preise|tarifs?|precios|prezzi)$/iu

/** The mark behind "Class, paid in advance *" leads to a note that the block does not hold. */
const footnote = /[\s*†‡]+$/u

const maxRows = 100
const maxPrices = 30

/** The price in a text that holds one amount and nothing else. */
export function priceOf(cell: string, dollar: string | undefined): Omit<StatedPrice, 'name'> | undefined {
  const { before, amount = '', after } = exact.exec(cell)?.groups ?? {}
  const sign = (before ?? after)?.toUpperCase()
  const currency = sign === '$' ? dollar : currencies.get(sign ?? '')
  const price = plainAmount(amount)
  return currency === undefined || price === undefined ? undefined : { price, currency }
}

const exact =
  /^(?<before>[€£$]|EUR|GBP|USD|CHF)?\s?(?<amount>\d[\d.,' ]{0,12}?)\s?(?<after>€|£|EUR|Euro|GBP|USD|CHF)?$/iu

const currencies: ReadonlyMap<string, string> = new Map([
  ['€', 'EUR'],
  ['EUR', 'EUR'],
  ['EURO', 'EUR'],
  ['£', 'GBP'],
  ['GBP', 'GBP'],
  ['CHF', 'CHF'],
  ['USD', 'USD'],
])

/** `1299.50` of "1,299.50" and "1.299,50"; undefined where the marks can be read in two ways. */
function plainAmount(written: string): string | undefined {
  const text = written.replace(/[ '](?=\d{3})/g, '')
  const [, whole = '', cents = ''] = /^(\d{1,3}(?:[.,]\d{3})*|\d+)(?:[.,](\d{2}))?$/.exec(text) ?? []
  if (whole === '' || Number(whole.replace(/\D/g, '')) === 0) return undefined
  return `${whole.replace(/\D/g, '')}${cents === '' ? '' : `.${cents}`}`
}

/** "$" is the sign of many currencies. */
export function dollarOf(pages: readonly Page[]): string | undefined {
  const stated = new Set(
    pages.flatMap(({ jsonLd }) =>
      jsonLd.nodes
        .map(({ properties }) => textOf(properties.priceCurrency))
        .filter((code) => /^[A-Z]{2}D$/.test(code)),
    ),
  )
  const [only] = stated
  return stated.size === 1 ? only : undefined
}
