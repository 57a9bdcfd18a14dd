import type { Evidence } from '../../findings/check.ts'
import { pricesIn } from '../../site/amounts.ts'
import { headedAmounts } from '../../site/headed-amounts.ts'
import { dialogTexts } from '../../site/html/dialogs.ts'
import { attributeOf, spokenText } from '../../site/html/elements.ts'
import { nodesOf, textOf } from '../../site/html/json-ld.ts'
import { around, type Element, isElement, textWithin } from '../../site/html/visible-text.ts'
import { isTextOfKind } from '../../site/kinds/kind-phrases.ts'
import type { Page } from '../../site/site.ts'
import { languageOf } from '../page-language.ts'

/** Finds the prices of a page: in its text, in a section of their own and in its markup. */

/** This many amounts on one page make a price list; a single one may be a bonus, a fine or a turnover. */
export const minAmounts = 3

/** Its first amounts, when it has enough of them. */
export function findAmounts(page: Page, minCount: number): Evidence | undefined {
  const amounts = amountsOf(page).slice(0, Math.max(minCount, 3))
  return amounts.length < minCount ? undefined : { url: page.url, value: amounts.join(', ') }
}

/** Without samples of code, choices of what the visitor would spend, years and the sum of an empty cart. */
function amountsOf(page: Page): readonly string[] {
  const code = page.elements
    .filter(
      ({ name, node }) => name === 'code' || name === 'pre' || name === 'math' || asksBudget(name, node),
    )
    .slice(0, 200)
    .map(({ node }) => spokenText(node))
    .join(' ')
  return [
    ...[page.text, ...dialogTexts(page)].flatMap((text) => pricesIn(text, 50)),
    ...swissAmounts(page),
    ...dashAmounts(page),
    ...headedAmounts(page),
  ].filter((amount) => !code.includes(amount) && !isYear(amount) && !isNothing(amount))
}

/** "155.-" alone in a cell: Swiss price lists leave the currency out. "12.- Datos" would number a paragraph. */
function swissAmounts({ elements }: Page): readonly string[] {
  return elements
    .filter(({ name, isHidden }) => /^(?:td|dd|span|strong|b|p|div|li)$/.test(name) && !isHidden)
    .slice(0, 2_000)
    .map(({ node }) => (node.children.length === 1 ? spokenText(node, 12) : ''))
    .filter((text) => /^(?:ab )?\d{2,4}\.(?:-{1,2}|–|—)$/.test(text))
}

/** "134,- für 2 Personen": in German, Dutch and the languages of Scandinavia a dash stands for the cents, and the currency is left out. */
function dashAmounts(page: Page): readonly string[] {
  if (!/^(?:de|nl|da|sv|no|nb)$/.test(languageOf(page).code ?? '')) return []
  return Array.from(
    page.text
      .slice(0, 200_000)
      .matchAll(/(?<![\d.,:/-])(?!(?:19|20)\d\d,)(?!0)\d{1,3}(?:\.?\d{3})?,(?:-{1,2}|–|—)(?![\d\p{L}])/gu),
    ([amount]) => amount,
  ).slice(0, 50)
}

function asksBudget(name: string, node: Element): boolean {
  return (
    name === 'select' &&
    /budget|montant|presupuesto|orçamento|preisrahmen|income|salary|turnover/i.test(
      `${attributeOf(node, 'name')} ${attributeOf(node, 'id')}`,
    )
  )
}

/**
 * A hotel may have a page for each room, with its price: as many pages that each have an amount of their own. What stands
 * on several pages, such as the capital of the firm in the footer, is no price.
 */
export function findPriceOnEachPage(pages: readonly Page[]): Evidence | undefined {
  const perPage = pages.slice(0, 50).map((page) => ({ page, amounts: [...new Set(amountsOf(page))] }))
  const all = perPage.flatMap(({ amounts }) => amounts)
  const own = perPage.flatMap(({ page, amounts }) => {
    const value = amounts.find((amount) => all.filter((other) => other === amount).length === 1)
    return value === undefined ? [] : [{ url: page.url, value }]
  })
  return own.length < minAmounts ? undefined : own[0]
}

/** The sum of an empty cart: "R$ 0,00". */
function isNothing(amount: string): boolean {
  return !/[1-9١-٩۱-۹１-９]/.test(amount)
}

/** "USD 2030": the prices of that year. */
function isYear(amount: string): boolean {
  return /^[A-Z]{3} (?:19|20)\d{2}$/.test(amount)
}

/**
 * A single page may have its prices in a section: a heading or an id that names them. An amount elsewhere on the page may
 * be a saving or part of a picture of the product.
 */
export function findPriceInSection(page: Page): Evidence | undefined {
  const named = page.elements.filter(
    ({ name, node, isHidden }) =>
      !isHidden &&
      (/^(?:pricing|prices|preise|tarifs|precios|prezzi)$/i.test(attributeOf(node, 'id')) ||
        (/^h[1-6]$/.test(name) && isTextOfKind(textWithin([node]).slice(0, 100), 'pricing'))),
  )
  for (const { node } of named.slice(0, 10)) {
    const isHeading = /^h[1-6]$/.test(node.name)
    const places = isHeading
      ? around(node)
          .slice(0, 4)
          .filter(({ name }) => !/^(?:html|body|main)$/.test(name))
      : [node]
    const amounts = places
      .map((place) => pricesIn(textWithin([place]), 3).filter((amount) => !isNothing(amount)))
      .find((found) => found.length > 0)
    if (amounts) return { url: page.url, value: amounts.join(', ') }
    if (isHeading && isElement(node.parent) && /^(?:body|main)$/.test(node.parent.name))
      return findAmounts(page, 1)
  }
  return undefined
}

/** Prices in microdata or in meta elements for previews, which shops fill by scripts otherwise. */
export function findMarkedPrice(page: Page): Evidence | undefined {
  for (const { name, node, isHidden } of page.elements) {
    // simpleCart reads the price of an article from this class.
    const cart = /(?:^|\s)item_price(?:\s|$)/.test(attributeOf(node, 'class').slice(0, 300))
    const held = cart && !isHidden ? attributeOf(node, 'value') || textWithin([node]).slice(0, 40) : ''
    if (/\d/.test(held)) return { url: page.url, value: `item_price ${held}` }
    const property = attributeOf(node, 'itemprop') || (name === 'meta' ? attributeOf(node, 'property') : '')
    if (!/^(?:price|lowPrice|(?:product|og):price:amount)$/.test(property)) continue
    const price = attributeOf(node, 'content') || (isHidden ? '' : textWithin([node]).slice(0, 40))
    if (/\d/.test(price)) return { url: page.url, value: `${property} ${price}` }
  }
  return undefined
}

export function findOffer(page: Page): Evidence | undefined {
  for (const { properties } of nodesOf(page, 'Offer', 'AggregateOffer')) {
    const price = textOf(properties.price) || textOf(properties.lowPrice)
    if (price !== '')
      return { url: page.url, value: `Offer with price ${price} ${textOf(properties.priceCurrency)}` }
  }
  return undefined
}

/** An amount in the answer to "How much does a visit cost?": the page itself says that it is a price. */
export function findAnsweredPrice({ url, lines }: Page): Evidence | undefined {
  for (const [place, line] of lines.slice(0, 2_000).entries()) {
    if (line.length > 200 || !asksCost.test(line)) continue
    const answer = lines.slice(place, place + 4).join(' ')
    const amounts = pricesIn(answer, 3).filter((amount) => !isNothing(amount) && !isYear(amount))
    if (amounts.length > 0) return { url, value: amounts.join(', ') }
  }
  return undefined
}

/** "From £25 per head", "ab 120 € pro Nacht": a starting price says of itself that it is one. */
export function findStartingPrice({ url, lines }: Page): Evidence | undefined {
  for (const line of lines.slice(0, 2_000)) {
    if (line.length > 2_000) continue
    let end = 0
    for (const amount of pricesIn(line, 10)) {
      const at = line.indexOf(amount, end)
      if (at < 0) continue
      const [start] = beforeStart.exec(line.slice(Math.max(end, at - 30), at)) ?? []
      end = at + amount.length
      if (!isNothing(amount) && start !== undefined && perUnit.test(line.slice(end)))
        return { url, value: `${start.trim()} ${amount}` }
    }
  }
  return undefined
}

/** "Prijs: € 20,00": the line itself says that it is a price. */
export function findNamedPrice({ url, lines }: Page): Evidence | undefined {
  for (const line of lines.slice(0, 2_000)) {
    if (line.length > 120) continue
    const [before] = named.exec(line) ?? []
    const rest = before === undefined ? '' : line.slice(before.length)
    const [amount] = pricesIn(rest, 1).filter((one) => !isNothing(one))
    if (amount !== undefined && rest.startsWith(amount))
      return { url, value: `"${line.trim().slice(0, 60)}"` }
  }
  return undefined
}

const named =
  /^\W{0,4}(?:(?:our |total |unit )?price|preis|prix|tarif|precio|prezzo|preço|prijs|cena|цена|fiyat)\s?[:：]\s{0,3}(?:(?:from|only|just|ab|nur|à partir de|dès|desde|a partire da|a partir de|vanaf|od|от) )?/iu

const beforeStart =
  /(?<!\p{L})(?:from|starting (?:at|from)|starts at|ab|à partir de|dès|desde|a partire da|a partir de|vanaf|от|od|fra|från)(?: (?:only|just|nur|apenas|soli|slechts))?[\s:]{0,2}$/iu

const perUnit =
  /^[\s,.–-]{0,3}(?:\/|(?:per|pro|par|por|a|je|p\.?p\.?|each|al|all’|à|za|за)(?!\p{L}))\s?\p{L}/iu

const asksCost =
  /^(?=.*\?)(?=.*(?:how much|what .{0,60}(?:cost|charge|fee|price)|was kostet|wie viel kostet|wieviel kostet|combien co[uû]te|cu[aá]nto (?:cuesta|vale)|quanto costa|quanto custa|wat kost))/i
