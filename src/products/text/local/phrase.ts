import { capitalized, oneLine } from '../plain-text.ts'
import { actionVerbs, ordinaryStems } from './vocabulary.ts'
import { stem, wordsOf } from './words.ts'

/**
 * A caller's phrase in the forms that sentences need. A topic may be a noun, a command or a question; sentences say
 * "about …" or "on …", and every phrase is brought into a form that can follow these words.
 */
export interface Phrase {
  /** Follows "about" or "on" in a sentence: "appointment reminders", "how to cut no-shows". */
  readonly about: string
  /** Begins a heading or title. */
  readonly heading: string
  /** Whether it is too long to be repeated. */
  readonly isLong: boolean
  readonly isQuestion: boolean
}

/** Reads a phrase as the caller wrote it, cut to `maxLength` characters. */
export function readPhrase(text: string, maxLength: number): Phrase {
  const line = oneLine(text, maxLength)
  const bare = line.replace(/[\s.!?…:;,]+$/u, '') || line
  const isLong = wordsOf(bare).length > 8 || bare.length > 60
  const first = wordsOf(bare)[0] ?? ''
  const isAction = actionVerbs.has(first) && wordsOf(bare).length > 1
  const isQuestion = questionWords.has(first) && wordsOf(bare).length > 2
  const lowered = toSentenceCase(bare)
  const about = isAction ? `how to ${lowered}` : lowered
  return {
    about: yesNoWords.has(first) && isQuestion ? `the question “${bare}?”` : isLong ? `“${bare}”` : about,
    heading: isAction ? `How to ${lowered}` : capitalized(bare),
    isLong,
    isQuestion: isQuestion && line.endsWith('?'),
  }
}

/**
 * Puts the ordinary words of a title in lower case: "Appointment Reminders" changes, "Salesforce" and "CRM" stay.
 */
function toSentenceCase(phrase: string): string {
  return phrase.replace(/[\p{L}\p{N}]+/gu, (word) =>
    /^\p{Lu}\p{Ll}*$/u.test(word) && isOrdinary(word.toLowerCase()) ? word.toLowerCase() : word,
  )
}

function isOrdinary(word: string): boolean {
  return (
    ordinaryStems.has(stem(word)) ||
    actionVerbs.has(word) ||
    questionWords.has(word) ||
    /^\p{Ll}{4,}ing$/u.test(word)
  )
}

const questionWords = new Set(
  wordsOf('how why what when where which who can could should will would is are do does did has have'),
)

const yesNoWords = new Set(wordsOf('can could should will would is are do does did has have'))
