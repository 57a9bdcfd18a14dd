import type { TextEngine } from '../../text/engine.ts'
import { shown } from '../site/addresses.ts'

export interface Rephrased {
  readonly text: string
  /** Why the text is the one that came in, for the log; undefined when it is the engine's. */
  readonly keptBecause: string | undefined
}

/**
 * Lets a model word the summary of a scan better, and nothing else. The summary quotes the scanned site,
 * whose author may speak to the model, so the answer is taken only if every number, address and piece of
 * markup in it stands in the summary too, the scores are told in the same order and the share that was
 * measured is not left out. Whatever goes wrong, the report keeps the text that was measured.
 * @throws the signal's reason when the scan itself is aborted
 */
export async function rephraseSummary(
  text: string,
  engine: TextEngine,
  signal: AbortSignal,
): Promise<Rephrased> {
  try {
    const answer = await engine.rephrase(text, AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]))
    const fault = faultOf(text, answer)
    return fault === undefined ? { text: answer, keptBecause: undefined } : { text, keptBecause: fault }
  } catch (error) {
    signal.throwIfAborted()
    return { text, keptBecause: error instanceof Error ? `${error.name}: ${error.message}` : 'unknown' }
  }
}

/** A better sentence is not worth a longer wait: the scan is finished without it. */
const deadlineMs = 20_000

function faultOf(text: string, answer: string): string | undefined {
  if (answer === text) return undefined
  if (answer.trim() === '') return 'the answer is empty'
  if (answer.length > 2 * text.length) return 'the answer is more than twice as long'
  if (shown(answer, answer.length * 2) !== answer) return 'the answer has characters that cannot be seen'
  const [summaryNumbers, answerNumbers] = [numbersIn(text), numbersIn(answer)]
  if (answerNumbers.some((number) => !summaryNumbers.includes(number)))
    return 'the answer has a number of its own'
  if (scoresIn(answer).join() !== scoresIn(text).join()) return 'the scores differ'
  if (summaryNumbers.some((number) => number.endsWith('%') && !answerNumbers.includes(number)))
    return 'the answer leaves a share out'
  const summaryWords = new Set(specialWordsIn(text))
  if (specialWordsIn(answer).some((word) => !summaryWords.has(word)))
    return 'the answer has an address or markup of its own'
  return undefined
}

/** In digits, with their per cent sign, and in words: "94%", "94 %", "1,200", "twelve". */
function numbersIn(text: string): string[] {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const digits = text.match(/\p{N}[\p{N}.,]*(?:\s?%)?/gu) ?? []
  return [
    ...digits.map((number) => number.replace(/\s/, '').replace(/[.,]{1,9}(?=%?$)/, '')),
    ...words.filter((word) => numberWords.has(word)),
  ]
}

/** "One" and "first" are left out: they are as often no number. */
const numberWords = new Set(
  `two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
  eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands
  million millions billion dozen dozens half halve halved quarter double doubled twice triple tripled percent
  cent percentage`.split(/\s+/),
)

function scoresIn(text: string): string[] {
  return Array.from(text.matchAll(/(\d{1,3}) of 100/g), ([, score = '']) => score)
}

/** Words that are more than words: addresses of pages and people, and anything that could be markup. */
function specialWordsIn(text: string): string[] {
  return text
    .split(/\s+/)
    .filter((word) => /[<>`*_[\]{}|@#\\/:]|\p{L}\.\p{L}/u.test(word.replace(/[:]$/, '')))
    .map((word) => word.replace(/^[("“'‘]{1,3}/, '').replace(/[)"”'’.,;:!?]{1,5}$/, ''))
}
