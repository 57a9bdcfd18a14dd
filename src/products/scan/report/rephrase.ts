import type { TextEngine } from '../../text/engine.ts'
import { shown } from '../site/addresses.ts'

export interface Rephrased {
  readonly text: string
  /** Why the original text was kept, for the log; undefined when the text is the engine's. */
  readonly keptBecause: string | undefined
}

/**
 * Lets a model reword the summary of a scan. The summary quotes the scanned site, whose author may try to
 * instruct the model. So the reply is accepted only if every number, address and piece of markup in it is in
 * the summary too, the scores have the same order, and no percentage is missing. In every other case the
 * report keeps the summary.
 * @throws the signal's reason when the scan itself is aborted
 */
export async function rephraseSummary(
  summary: string,
  engine: TextEngine,
  signal: AbortSignal,
): Promise<Rephrased> {
  try {
    const reply = await engine.rephrase(summary, AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]))
    const fault = faultOf(reply, summary)
    return fault === undefined
      ? { text: reply, keptBecause: undefined }
      : { text: summary, keptBecause: fault }
  } catch (error) {
    signal.throwIfAborted()
    const keptBecause = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown'
    return { text: summary, keptBecause }
  }
}

/** The scan must not wait longer for better wording. */
const deadlineMs = 20_000

/** Returns what is wrong with the model's reply; undefined when it says the same as the summary. */
function faultOf(reply: string, summary: string): string | undefined {
  if (reply === summary) return undefined
  if (reply.trim() === '') return 'the reply is empty'
  if (reply.length > 2 * summary.length) return 'the reply is more than twice as long'
  if (shown(reply, reply.length * 2) !== reply) return 'the reply has invisible characters'
  const [summaryNumbers, replyNumbers] = [numbersIn(summary), numbersIn(reply)]
  if (replyNumbers.some((number) => !summaryNumbers.includes(number))) return 'the reply adds a number'
  if (scoresIn(reply).join() !== scoresIn(summary).join()) return 'the scores differ'
  if (summaryNumbers.some((number) => number.endsWith('%') && !replyNumbers.includes(number)))
    return 'the reply omits a percentage'
  const summaryWords = new Set(specialWordsIn(summary))
  if (specialWordsIn(reply).some((word) => !summaryWords.has(word)))
    return 'the reply adds an address or markup'
  return undefined
}

/** Returns the numbers in digits, with their percent sign, and in words: "94%", "94 %", "1,200", "twelve". */
function numbersIn(text: string): string[] {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const digits = text.match(/\p{N}[\p{N}.,]*(?:\s?%)?/gu) ?? []
  return [
    ...digits.map((number) => number.replace(/\s/, '').replace(/[.,]{1,9}(?=%?$)/, '')),
    ...words.filter((word) => numberWords.has(word)),
  ]
}

/** "One" and "first" are left out, because they often do not mean a number. */
const numberWords = new Set(
  `two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
  eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands
  million millions billion dozen dozens half halve halved quarter double doubled twice triple tripled percent
  cent percentage`.split(/\s+/),
)

function scoresIn(text: string): string[] {
  return Array.from(text.matchAll(/(\d{1,3}) of 100/g), ([, score = '']) => score)
}

/** Returns addresses of pages and people and everything that could be markup. */
function specialWordsIn(text: string): string[] {
  return text
    .split(/\s+/)
    .filter((word) => /[<>`*_[\]{}|@#\\/:]|\p{L}\.\p{L}/u.test(word.replace(/[:]$/, '')))
    .map((word) => word.replace(/^[("“'‘]{1,3}/, '').replace(/[)"”'’.,;:!?]{1,5}$/, ''))
}
