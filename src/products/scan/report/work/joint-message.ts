import { listOf } from '../../../text/plain-text.ts'
import type { Message } from '../../findings/results.ts'
import { takingSentences } from '../blocks/facts/asked-once.ts'
import { answerLine, doneStart, greeting, inOurWords } from '../blocks/snippets/hand-on-block.ts'
import { answersToo, webPerson } from './messages.ts'

/** One part of a joint message, and the number of its step in the report. */
export interface Part {
  readonly step: number
  readonly message: Message
}

/**
 * Joins the messages of several actions into the one that the owner sends. An owner who has to send fifteen messages sends
 * three of them, and what one changes would be missing from the next.
 *
 * All that only the owner knows is asked for at its top, once and with numbers: an owner does not look for a colon below
 * forty lines of code. A part names the answer that it needs. Its reader is told that a scan can be wrong, because the owner
 * cannot judge the parts.
 * @param parts in the order of the report
 * @returns undefined for fewer than two parts
 */
export function jointMessage(parts: readonly Part[]): Message | undefined {
  if (parts.length < 2) return undefined
  const messages = parts.map(({ message }) => message)
  const all = new Set(messages.flatMap((one) => one.asks))
  // "The right one" of two numbers answers the question for the number, too.
  const askedAs = (ask: string) => [...all].find((other) => answersToo(other, ask)) ?? ask
  const asks = [...new Set([...all].map(askedAs))]
  return {
    to: webPerson,
    says: messages.flatMap(({ says }) => [...says]),
    asks,
    text: [
      `${greeting} It has ${parts.length} parts. What cannot be done now can wait.`,
      'They come from a scan of the site by a program, which can be wrong. Does a part not fit our site, or is it done already? Then leave it out, and tell me why.',
      ...answersOf(asks, messages, askedAs),
      ...httpsFirst(messages),
      ...parts.flatMap((part, at) => [
        headingOf(part, `Part ${at + 1} of ${parts.length}`),
        ...(part.message.to === webPerson
          ? []
          : [`This part is for ${inOurWords(part.message.to)}. Is that not you? Then please pass it on.`]),
        bodyOf(withAnswers(part.message, asks, askedAs)),
      ]),
      `${doneStart} It is done when the new report no longer lists the checks that the parts are for.\n`,
    ].join('\n\n'),
    checks: messages.flatMap(({ checks }) => [...checks]),
  }
}

/** The lines of the other parts were read while the site had no https, so they name it with http. */
function httpsFirst(messages: readonly Message[]): string[] {
  const at = messages.findIndex(({ text }) => servesHttps.test(text))
  return at >= 0 && messages.some(({ text }, place) => place !== at && text.includes('http://'))
    ? [
        `Do part ${at + 1} first, if it can be done: it moves our site to https. Then write https:// in place of http:// in all addresses of our site below.`,
      ]
    : []
}

const servesHttps = new RegExp(`^${greeting}\\n\\nWhat to do:\\n1\\. Serve http://\\S+ over https\\b`)

function headingOf({ step, message: { checks } }: Part, part: string): string {
  const what =
    checks.length === 0 ? 'done when it is there' : `for ${listOf(checks.map((one) => `“${one}”`))}`
  return `--- ${part} (step ${step} of the report), ${what}`
}

/** The questions with room for the answers, each with the parts that need it. */
function answersOf(
  asks: readonly string[],
  messages: readonly Message[],
  askedAs: (ask: string) => string,
): string[] {
  if (asks.length === 0) return []
  const lines = asks.map((ask, at) => {
    const needing = messages.flatMap((one, place) =>
      one.asks.some((own) => askedAs(own) === ask) || takenIn(one.text, ask).length > 0
        ? [String(place + 1)]
        : [],
    )
    return `${at + 1}. ${inOurWords(ask)} (${needing.length === 1 ? 'part' : 'parts'} ${listOf(needing)}): `
  })
  return [
    [
      'Our answers. Nothing behind a colon means that we have none. What corrects a fact holds for each part that has it:',
      ...lines,
    ].join('\n'),
  ]
}

/** The sentences of a message that take the answer to a question, as it has them. */
function takenIn(text: string, ask: string): readonly string[] {
  return takingSentences(ask)
    .map(inOurWords)
    .filter((sentence) => text.includes(sentence))
}

/** "answer 1 above" for "an earlier answer". The lines to paste hold words of the site, and none of these sentences. */
function withNumbers(text: string, asks: readonly string[]): string {
  return asks.reduce(
    (all, ask, at) =>
      takenIn(all, ask).reduce(
        (one, sentence) =>
          one.replace(sentence, () => sentence.replace('an earlier answer', `answer ${at + 1} above`)),
        all,
      ),
    text,
  )
}

/**
 * In place of room for an answer, its number at the top. Only whole lines behind the last request are questions: the site's
 * own words may be the same.
 */
function withAnswers(
  { text, asks: own }: Message,
  asks: readonly string[],
  askedAs: (ask: string) => string,
): string {
  const start = text.lastIndexOf('\nPlease ')
  if (start < 0) return withNumbers(text, asks)
  const numbers = new Map(own.map((ask) => [answerLine(ask), asks.indexOf(askedAs(ask)) + 1]))
  const lines = text
    .slice(start)
    .split('\n')
    .map((line) => {
      const number = numbers.get(line)
      return number === undefined ? line : `${line}see answer ${number} above`
    })
  return withNumbers(`${text.slice(0, start)}${lines.join('\n')}`, asks)
}

/** Without the first and the last line, which the joint message has once. */
function bodyOf(text: string): string {
  const lines = text
    .slice(text.startsWith(greeting) ? greeting.length : 0)
    .trim()
    .split('\n')
  return (lines.at(-1)?.startsWith(doneStart) ? lines.slice(0, -1) : lines).join('\n').trim()
}
