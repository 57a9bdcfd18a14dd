import { addressKey } from '../../../site/addresses.ts'
import { pricesIn } from '../../../site/amounts.ts'
import { isDescriptionCut } from '../../../site/html/cut-description.ts'
import { isKeywordList } from '../../../site/html/words.ts'
import type { Page } from '../../../site/site.ts'
import { upToSentence, wholeSentences } from './whole-sentences.ts'

/**
 * What a page says of itself in its description, as far as a file may repeat it: whole sentences, without prices that
 * the pages state in another way. An assistant would quote the half sentence or the wrong price to customers.
 */
export function sayingOf(page: Page, pages: readonly Page[]): string {
  const said = wholeDescription(page)
  if (isKeywordList(said) || pricesIn(said, 1).length === 0) return isKeywordList(said) ? '' : said
  const sentences = said.match(/.+?(?:[.!?。]+(?=\s|$)|$)/gu) ?? []
  return sentences
    .filter((one) => !isContradicted(one, page, pages))
    .join('')
    .trim()
}

/** The description in whole sentences; empty where it is cut within the first one. */
export function wholeDescription(page: Page): string {
  return isDescriptionCut(page) ? upToSentence(page.description, 300) : wholeSentences(page.description)
}

/** Other amounts stand on the page, or "from" another amount there or in a link to it, or less than the sentence begins at. */
function isContradicted(sentence: string, page: Page, pages: readonly Page[]): boolean {
  const amounts = pricesIn(sentence, 10).map(figureOf)
  if (amounts.length === 0) return false
  const key = addressKey(page.url)
  const links = pages.flatMap((other) =>
    other.links.filter(({ url }) => addressKey(url) === key).map(({ text }) => text),
  )
  const starts = new Set([...page.lines.slice(0, 2_000), ...links].flatMap(startsIn))
  if (starts.size > 0) return amounts.some((amount) => amount !== least(starts))
  const own = pricesIn(page.text, 200).map(figureOf)
  const said = startsIn(sentence)
  return amounts.some((amount) =>
    said.includes(amount)
      ? own.some((one) => numberOf(one) < numberOf(amount))
      : own.length > 0 && !own.includes(amount),
  )
}

/** "From" names the least: a page that starts at 120 and has a part from 180 does not contradict itself. */
function least(figures: ReadonlySet<string>): string | undefined {
  return [...figures].toSorted((one, other) => numberOf(one) - numberOf(other))[0]
}

function numberOf(figure: string): number {
  return Number(figure.replace(',', '.'))
}

/** "24" of "£24.00" and of "24 pounds". */
function figureOf(amount: string): string {
  return amount.replace(/[^\d.,]/g, '').replace(/[.,]00$/, '')
}

/** The amounts behind "from" or "starting at". */
function startsIn(line: string): string[] {
  return [...line.slice(0, 500).matchAll(from)].flatMap(({ index, 0: { length } }) => {
    const behind = line.slice(index + length, index + length + 20)
    const [amount] = pricesIn(behind, 1)
    return amount !== undefined && behind.indexOf(amount) < 3 ? [figureOf(amount)] : []
  })
}

const from =
  /(?<!\p{L})(?:from|starting(?: at| from)?|starts at|ab|à partir de|dès|desde|a partire da|a partir de|vanaf|от|od)(?!\p{L})/giu
