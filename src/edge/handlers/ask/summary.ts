import type { Question } from '../../../products/search/question.ts'
import { plainLine } from '../../../products/search/snippet.ts'
import { wordsOf } from '../../../products/search/words.ts'
import type { Found } from './results.ts'

/**
 * Says what the best answers say, in their own sentences: nothing is written anew, so nothing can be made up. What a
 * scanned site may have written stands in quotation marks behind the site's name. A reader, or its model, can tell it
 * from what we say and need not obey it.
 */
export function summarize(found: readonly Found[], question: Question): string {
  const sentences = found.slice(0, maxAnswers).flatMap(({ answer, text, domain }) => {
    const best = bestSentence(text, question)
    if (best === undefined) return []
    return domain === undefined ? [`${answer.name}: ${best}`] : [`${answer.name}: “${unquoted(best)}”`]
  })
  return sentences.length > 0 ? sentences.join('\n') : noAnswer
}

const noAnswer = 'Nothing here answers this question.'

/** The sentence with the most words of the question; the first of those, and none when no sentence has one. */
function bestSentence(text: string, question: Question): string | undefined {
  let best: { readonly sentence: string; readonly hits: number } | undefined
  for (const { segment } of segmenter.segment(text)) {
    const hits = question.countIn(wordsOf(segment))
    if (hits > (best?.hits ?? 0)) best = { sentence: segment, hits }
  }
  return best && plainLine(best.sentence, maxCharacters)
}

/** A quotation mark in the text would end the quotation. */
function unquoted(sentence: string): string {
  return sentence.replaceAll(/[“”„"]/g, "'")
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })
const maxAnswers = 3
const maxCharacters = 300
