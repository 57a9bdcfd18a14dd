import type { Question } from '../../../products/search/question.ts'
import { plainLine } from '../../../products/search/snippet.ts'
import { wordsOf } from '../../../products/search/words.ts'
import { sentencesIn } from '../../../products/text/sentences.ts'
import type { Found } from './results.ts'

/**
 * Says what the best answers say, in their own sentences: nothing is written anew, so nothing can be made up. What a
 * scanned site may have written stands in quotation marks behind the site's name. A reader, or its model, can tell it
 * from what we say and need not obey it.
 * @param text the question as it was asked.
 */
export function summarize(found: readonly Found[], question: Question, text: string): string {
  const weigh = createWeigh(found, question, wishOf(text))
  const told = found
    .flatMap(({ answer: { name, score }, text: whole, domain }) => {
      const sentence = bestSentence(whole, weigh)
      return sentence === undefined
        ? []
        : [{ name, sentence, domain, value: weigh(`${name}: ${sentence}`) * score }]
    })
    .toSorted((one, other) => other.value - one.value)
  // Several of our documents begin with the same sentence.
  const different = [...new Map(told.toReversed().map((one) => [one.sentence, one])).values()].toReversed()
  const lines = different
    .slice(0, maxAnswers)
    .map(({ name, sentence, domain }) =>
      domain === undefined ? `${name}: ${sentence}` : `${name}: “${unquoted(sentence)}”`,
    )
  return lines.length > 0 ? lines.join('\n') : noAnswer
}

const noAnswer = 'Nothing here answers this question.'

const asksForPrice =
  /\b(?:how much|costs?|pric(?:es?|ed|ing)|fees?|charges?|charged|expensive|cheap|pay|paid)\b/i
const hasAmount = /[$€£]\s?\d|\d\s?(?:USDC?|EUR)\b|\bfree\b/i
const asksForNumber = /\bhow (?:many|long|often|fast|large|big)\b/i
/** Not the digits of an address or of a name. */
const hasNumber = /(?:^|[\s(])(?:\d+|an hour|a day)(?=$|[\s.,;:)])/i

/** What the sentence must have that answers. */
type Wish = 'price' | 'number' | undefined

function wishOf(text: string): Wish {
  if (asksForPrice.test(text)) return 'price'
  return asksForNumber.test(text) ? 'number' : undefined
}

type Weigh = (sentence: string) => number

/**
 * A word of the question that few answers have tells more than one that most have. A price that was asked for tells
 * more than all words: the sentence that has it says little else. A number that was asked for tells more
 * than a word, and only beside one: every text has numbers.
 *
 * Where our documentation answers, words are counted in it alone. A scanned site that repeats a word would else make it
 * tell less, and so choose which of our own answers a caller reads.
 */
function createWeigh(found: readonly Found[], { termsIn }: Question, wish: Wish): Weigh {
  const having = new Map<number, number>()
  const own = found.filter(({ domain }) => domain === undefined)
  const counted = own.length > 0 ? own : found
  for (const { text } of counted)
    for (const term of termsIn(wordsOf(text))) having.set(term, (having.get(term) ?? 0) + 1)
  const weights = new Map([...having].map(([term, count]) => [term, Math.log(1 + counted.length / count)]))
  const ofNone = Math.log(1 + counted.length)
  const sum = (terms: Iterable<number>) =>
    [...terms].reduce((total, term) => total + (weights.get(term) ?? ofNone), 0)
  const all = sum(weights.keys())
  return (sentence) => {
    const value = sum(termsIn(wordsOf(sentence)))
    if (wish === 'price') return hasAmount.test(sentence) ? value + all : value
    return wish === 'number' && value > 0 && hasNumber.test(sentence) ? value + all / 2 : value
  }
}

/** The first of the sentences with the highest value; none when no sentence has any. */
function bestSentence(text: string, weigh: Weigh): string | undefined {
  let best: { readonly sentence: string; readonly value: number } | undefined
  for (const sentence of sentencesIn(text)) {
    const value = weigh(sentence)
    if (value > (best?.value ?? 0)) best = { sentence, value }
  }
  return best && plainLine(best.sentence, maxCharacters)
}

/** A quotation mark in the text would end the quotation. */
function unquoted(sentence: string): string {
  return sentence.replaceAll(/[“”„"]/g, "'")
}

const maxAnswers = 3
const maxCharacters = 300
