import { termsOf } from './question-terms.ts'
import type { Word } from './words.ts'

/**
 * A question in plain language, as PostgreSQL and the snippets need it. A question has words that its answer lacks
 * (`how much does an article cost`), so half of its words are enough, and more of them rank higher. `readQuery` wants all
 * words and would find nothing.
 */
export interface Question {
  /** A tsquery for each word that counts. */
  readonly terms: readonly string[]
  /** How many of them an answer must have. */
  readonly needed: number
  /** A tsquery that any of them fulfills: what has none of them is not looked at. */
  readonly any: string
  /** The same for whole scans. A question that names domains is about their scans alone. */
  readonly document: string
  /** The same with the words of earlier questions, which raise the rank and are not needed. */
  readonly rank: string
  /** Whether a word of a text is one of the words that count. */
  readonly words: { readonly has: (word: string) => boolean }
  /** Which of the words that count a text has, by their places in the question. */
  readonly termsIn: (words: readonly Word[]) => readonly number[]
}

export const maxQuestionTerms = 32

/**
 * @param previous earlier questions of the same conversation, the latest last.
 * @returns `no word` when there is nothing to find, `too many` beyond `maxQuestionTerms`.
 */
export function readQuestion(
  text: string,
  previous: readonly string[] = [],
): Question | 'no word' | 'too many' {
  const terms = termsOf(text)
  if (terms.length === 0) return 'no word'
  if (terms.length > maxQuestionTerms) return 'too many'
  const asked = new Set(terms.map(({ query }) => query))
  const earlier = previous
    .toReversed()
    .flatMap(termsOf)
    .map(({ query }) => query)
    .filter((query) => !asked.has(query))
  const domains = terms.filter(({ isOfDomain }) => isOfDomain).map(({ query }) => query)
  const any = [...asked].join(' | ')
  return {
    terms: [...asked],
    needed: Math.ceil(asked.size / 2),
    any,
    document: domains.length > 0 ? domains.join(' | ') : any,
    rank: [...asked, ...new Set(earlier.slice(0, maxEarlierTerms))].join(' | '),
    words: { has: (word) => terms.some(({ matches }) => matches(word)) },
    termsIn: (words) =>
      terms.flatMap(({ matches }, place) => (words.some(({ text: word }) => matches(word)) ? [place] : [])),
  }
}

const maxEarlierTerms = 32
