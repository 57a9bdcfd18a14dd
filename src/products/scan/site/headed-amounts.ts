import { amountsIn } from './amounts.ts'
import { elementsWithin } from './html/elements.ts'
import { textWithin } from './html/visible-text.ts'
import type { Page } from './site.ts'

/**
 * The amounts of tables that name their currency in the head of a column, "Price (₹)", and hold bare numbers below:
 * each with the sign before it, as other pages write it.
 */
export function headedAmounts({ $ }: Pick<Page, '$'>): readonly string[] {
  const seen = known.get($)
  if (seen !== undefined) return seen
  const found = read($)
  known.set($, found)
  return found
}

const known = new WeakMap<Page['$'], readonly string[]>()

/** Tables that hold others lay a page out. */
function read($: Page['$']): readonly string[] {
  return $('table')
    .toArray()
    .slice(0, maxTables)
    .filter((table) => elementsWithin(table, 'table').length === 0)
    .flatMap((table) => {
      const [head = [], ...rows] = $(table)
        .find('tr')
        .toArray()
        .slice(0, maxRows)
        .map((row) =>
          $(row)
            .children('th, td')
            .toArray()
            .slice(0, maxColumns)
            .map((cell) => textWithin([cell])),
        )
      const signs = head.map(signOf)
      return rows.flatMap((cells) =>
        cells.flatMap((cell, column) => {
          const sign = signs[column]
          return sign !== undefined && bare.test(cell) ? [`${sign}${cell}`] : []
        }),
      )
    })
}

const maxTables = 50
const maxRows = 300
const maxColumns = 20

/** The currency of a column: "₹" of "Price Range(₹)", "EUR" of "Preis in EUR". */
function signOf(head: string): string | undefined {
  if (head.length > 60 || /\d/.test(head)) return undefined
  const [sign] =
    /(?:R|US|A|C)\$|[€£¥₹₩₺₽₴₪฿₱₫$]|(?<![A-Z])(?:EUR|USD|GBP|CHF|INR|PLN|CZK|SEK|NOK|DKK|AED|SAR)(?![A-Z])|(?<!\p{L})(?:Rs|Euro)\.?(?!\p{L})/u.exec(
      head,
    ) ?? []
  return sign !== undefined && amountsIn(`${sign} 100`, 1).length > 0 ? sign : undefined
}

/** "3000", "6,000-8,000", "90.00". */
const bare = /^(?:ab |from )?\d[\d.,' ]{0,12}(?:\s?(?:-|–|to|bis)\s?\d[\d.,' ]{0,12})?(?:\/?-)?$/iu
