import { elementsWithin } from '../../../site/html/elements.ts'
import { textOf } from '../../../site/html/json-ld.ts'
import { around, type Element, elementBefore, textWithin } from '../../../site/html/visible-text.ts'
import { wholeWords, wordsOf } from '../../../site/html/words.ts'
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
  const tables = new Map<Element, PriceTable>()
  const tableOf = (row: Element, page: Page): PriceTable | undefined => {
    const table = around(row).find(({ name }) => name === 'table')
    if (table === undefined) return undefined
    const known = tables.get(table) ?? readTable(table, page)
    tables.set(table, known)
    return known
  }
  for (const page of pages.filter(({ url }) => isPathOfKind(url, 'pricing'))) {
    for (const row of page.$('main tr, body tr').toArray().slice(0, maxRows)) {
      const cells = page.$(row).children('td, th').toArray()
      const [first = '', ...others] = cells.map((cell) => textWithin([cell]).trim())
      const item = first.replace(footnote, '')
      const price = others.flatMap((cell) => priceOf(cell, dollar) ?? [])
      const [only] = price
      if (only === undefined || price.length > 1 || item.length < 2 || isAddition.test(item)) continue
      // "Mouthguard", "coloured", "£130": what stands between says which one it is.
      const at = others.findIndex((cell) => priceOf(cell, dollar) !== undefined)
      const table = tableOf(row, page)
      const isOther = table !== undefined && (!table.isFixed || isOtherColumn(table, at + 1, cells.length))
      if (isOther || isNoPrice([first, ...others])) continue
      const [variant = ''] = others.slice(0, at).filter((cell) => /\p{L}{2}/u.test(cell) && cell.length <= 40)
      const name = withHeading(variant === '' ? item : `${item} (${variant})`, row)
      if (name.length <= 80 && !found.has(name)) found.set(name, { name, ...only })
    }
  }
  return found.size > maxPrices ? [] : [...found.values()]
}

interface PriceTable {
  /** No head, caption or line beside it says "from". */
  readonly isFixed: boolean
  /** What stands in the rows that head its columns, by the number of their cells. */
  readonly heads: readonly (readonly string[])[]
}

function readTable(table: Element, { $ }: Page): PriceTable {
  const rows = elementsWithin(table, 'tr').slice(0, maxRows)
  const first = cellsOf(rows[0], $)
  const heads = rows
    .filter((row, place) => place === 0 || $(row).children('td').length === 0)
    .map((row) => cellsOf(row, $))
    .filter((cells) => cells.every((cell) => !/\d/.test(cell)))
  return {
    // Not one where a name stands beside several rows, each with its price.
    isFixed:
      ![...first, ...heads.flat()].some((head) => lowest.test(head)) &&
      !isHeadedLowest(table, $) &&
      elementsWithin(table, '[rowspan]').length === 0,
    heads,
  }
}

function cellsOf(row: Element | undefined, $: Page['$']): string[] {
  const cells = row === undefined ? [] : $(row).children('td, th').toArray().slice(0, 20)
  return cells.map((cell) => textWithin([cell]).trim())
}

/** Whether the head of a column says "You save". "Time (min)" is the head of another column. */
function isOtherColumn({ heads }: PriceTable, column: number, width: number): boolean {
  return heads
    .flatMap((cells) => (cells.length === width ? (cells[column] ?? []) : cells))
    .some((head) => isOtherSum(head))
}

/** Whether the caption, the heading or the line at a table says that its sums are no fixed prices. */
function isHeadedLowest(table: Element, $: Page['$']): boolean {
  const readText = (element: Element) => textWithin([element]).trim()
  const above = elementAbove(table)
  const isTitle = above !== undefined && /^h[1-6]$/.test(above.name)
  const before = above === undefined || isTitle ? undefined : elementBefore(above)
  const titles = [
    ...elementsWithin(table, 'caption'),
    ...[above, before].flatMap((one) => (one !== undefined && /^h[1-6]$/.test(one.name) ? [one] : [])),
  ].map(readText)
  const isLine = above?.name === 'p' || (above?.name === 'div' && $(above).children().length === 0)
  const lines = above === undefined || !isLine ? [] : [readText(above)]
  const notes = $(table).next('p').toArray().map(readText)
  return (
    titles.some((title) => formerSums.test(title) || partSums.test(title) || isMissed(title)) ||
    [...titles, ...lines].some(
      (text) => endsInFrom.test(text) || (text.length <= 150 && startsAt.test(text)),
    ) ||
    [...titles, ...lines, ...notes].some((text) => text.length <= 150 && lowestPrices.test(text))
  )
}

const lowest =
  /(?<!\p{L})(?:from|starting|guide|approx\p{L}*|ab|circa|ca|dès|à partir|desde|a partir|da|vanaf|от|od|itibaren|fra|från)(?!\p{L})/iu

/** "All prices from:", "Crown (from)", and not "Prices from January". */
const endsInFrom =
  /(?<!\p{L})(?:from|ab|dès|à partir(?: de)?|desde|a partire?(?: d[ae])?|vanaf|от|od|fra|från)\s?[:.…)]{0,3}$/iu

const startsAt = wholeWords(
  'start(?:s|ing)? (?:at|from)|beginnen bei|starten bei|commencent à|empiezan en|partono da',
)

const lowestPrices = wholeWords(
  '(?:starting|guide|minimum|lowest) (?:prices?|fees?|costs?)|mindest(?:preise?|honorare?)|ab-preise?|(?:prix|tarifs?) (?:minimums?|minimaux|de départ|indicatifs)',
  '(?:precios|tarifas) (?:mínim[oa]s|orientativ[oa]s)|(?:prezzi|tariffe) (?:minim[ie]|indicativ[ie])|preços mínimos|(?:minimum|start|vanaf)-?(?:prijzen|tarieven)|ceny minimalne|başlangıç fiyat\\p{L}*|минимальн\\p{L}+ цен\\p{L}*|startpris\\p{L}*',
)

/** "Deposit", "Per month", "You save", "Old price": no price at which the treatment can be had. */
function isOtherSum(head: string): boolean {
  return [lowestSums, partSums, formerSums].some((words) => words.test(head)) || soleWords.test(head)
}

const lowestSums = wholeWords(
  'min\\.? (?:price|fee|cost|preis)|minimum|lowest|mindest\\p{L}*|mínim[oa]|minim[oae]|minimal\\p{L}*|en az|asgari|минимальн\\p{L}+|最低',
)

const partSums = wholeWords(
  // Paid before, or in parts.
  'deposits?|down ?payments?|anzahlung(?:en)?|acomptes?|arrhes|anticipo|señal|acconto|caparra|aanbetaling|kapora|zaliczka|депозит|предоплата|аванс|handpenning',
  '(?:per|a|each|every|/) ?(?:month|week)|monthly|weekly|instal?ments?|pro monat|im monat|monatlich\\p{L}*|monatsraten?|ratenzahlung|par mois|mensuel\\p{L}*|mensualités?|al mes|mensual\\p{L}*|cuotas?|por mês|mensal|mensalidades?',
  'al mese|mensil[ei]|per maand|maandelijks\\p{L}*|aylık|taksit\\p{L}*|miesięczn\\p{L}+|rat[ay]|в месяц|ежемесячн\\p{L}+|рассрочк\\p{L}*|i måneden|per månad',
  // Taken off.
  'discount|you save|savings?|rabatt|ersparnis|sie sparen|nachlass|remise(?! en)|économies?|réduction|descuento|ahorr[oa]s?|sconto|risparmi[oa]?|desconto|korting|besparing|indirim|zniżka|rabat|скидк\\p{L}*',
)

const formerSums = wholeWords(
  '(?:old|previous|former|original) (?:prices?|fees?|costs?)|rrp|alter preis|bisher\\p{L}*|früher\\p{L}*|statt|ancien (?:prix|tarif)|prix barré|precio (?:anterior|antiguo)|prezzo (?:precedente|vecchio)|preço (?:antigo|anterior)|oude prijs|eski fiyat\\p{L}*|(?:stara|poprzednia) cena|старая цена',
  // What an insurer pays, or leaves to pay.
  '\\p{L}{0,20}zuschuss|kassenanteil|eigenanteil|erstattung\\p{L}*|remboursement\\p{L}*|reste à charge|subsid(?:y|ies)|insurance pays|co-?pay\\p{L}*|rebate|subvención|reembolso|rimborso|comparticipação|vergoeding|eigen bijdrage|refundacj\\p{L}+|возмещени\\p{L}+',
  // Of those who pay for a plan as well.
  '(?<!non[- ])members?|(?:plan|club) (?:prices?|fees?|patients?)|mitglieder\\p{L}*|adhérents?|abonnés?|socios|membros|soci|üyeler\\p{L}*|członk\\p{L}+',
)

/** "Min" of a price stands alone. Beside other words it is short for minutes. */
const soleWords =
  /^(?:min\.?(?:\s?\(?[€£$]\)?)?|old|was|before|previous(?:ly)?|former(?:ly)?|avant|antes|prima|vorher|voorheen|önce|przedtem|раньше|было)$/iu

/** "Crown from", "Invisalign per month", "Missed appointment": a row without a fixed price of a treatment. */
function isNoPrice([item = '', ...others]: readonly string[]): boolean {
  return (
    [item, ...others].some((cell) => endsInFrom.test(cell)) ||
    partSums.test(item) ||
    missed.test(item) ||
    // "We ask for a deposit" is a note on the treatment.
    others.some((cell) => cell.length <= 40 && partSums.test(cell) && isOnly(cell, partSums))
  )
}

const missed = wholeWords(
  '(?:missed|failed|broken|late) (?:appointments?|visits?|cancell?ations?|arrivals?|payments?)|cancell?ation(?: fee| charge)?s?|no-?shows?|ausfall(?:honorar|gebühr|entschädigung)|versäumte\\p{L}* termine?|nicht abgesagt\\p{L}*|storno\\p{L}*|mahn(?:gebühr|kosten)',
  '(?:rendez-vous|rdv) (?:manqués?|non (?:honorés?|annulés?))|annulation|citas? (?:perdidas?|no (?:anuladas?|canceladas?))|inasistencia|anulación|cancelación|(?:appuntament[oi]|visita) mancat[oai]|mancat[oa] (?:appuntamento|disdetta|presentazione)|consulta (?:não desmarcada|perdida)|faltas?|cancelamento',
  'gemiste afspra(?:ak|ken)|niet verschenen|annulering|(?:nieodwołana|odwołana) wizyta|odwołanie wizyty|randevu iptal\\p{L}*|(?:неявка|отмена)(?: визита| приема| приёма)?|uteblivande|udeblivelse',
)

/** "Fees and cancellation" heads other prices as well. */
function isMissed(title: string): boolean {
  return (
    title.length <= 100 &&
    missed.test(title) &&
    isOnly(title.replace(/fees?|charges?|polic(?:y|ies)/giu, ''), missed)
  )
}

function isOnly(text: string, words: RegExp): boolean {
  return !/\p{L}/u.test(text.replace(words, ''))
}

/** "Dentures: Full Upper" of a row in the table below "Dentures". A heading whose words the row has adds nothing. */
function withHeading(item: string, row: Element): string {
  const table = around(row).find(({ name }) => name === 'table')
  const before = table && elementAbove(table)
  if (before === undefined || !/^h[3-6]$/.test(before.name)) return item
  const heading = textWithin([before]).replace(/\s*:$/, '')
  const isRepeated = wordsOf(heading).some((word) => item.toLowerCase().includes(word.replace(/s$/, '')))
  return heading === '' || isVague.test(heading) || isRepeated ? item : `${heading}: ${item}`
}

/** What stands right before a table, or before a box around it. */
function elementAbove(table: Element): Element | undefined {
  return [table, ...around(table)].flatMap((one) => elementBefore(one) ?? [])[0]
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
