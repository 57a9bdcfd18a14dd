import { sentencesIn } from '../../../../text/sentences.ts'
import type { Block } from '../../../findings/results.ts'
import type { Work } from '../../../findings/work.ts'

/** What has to be changed, as a finding says it. */
export interface Change {
  /** Of the checks that pass once it is done. */
  readonly titles?: readonly string[] | undefined
  readonly fix: string
  /** The same in values. */
  readonly work?: Work | undefined
  readonly evidence: readonly Place[]
  /** Another step asks for the privacy notice, which the site does not have. */
  readonly isNoticeMissing?: boolean | undefined
  /** What only the owner knows, and adds. */
  readonly asks?: readonly string[] | undefined
}

/** How a message of ours begins. */
export const greeting = 'Please change this on our website.'

interface Place {
  readonly url: string
  readonly value: string
}

/** The first page that a fix names. */
export function pageNamedIn(fix: string): string | undefined {
  return /https?:\/\/[^\s,;]*[^\s,;.:]/.exec(fix)?.[0]
}

/**
 * A message that the owner sends to the person who looks after the website. Where nothing can be pasted, that person has
 * to change code, and needs to know what, at which places, and how to see that it is done.
 */
export function handOnBlock({ titles = [], fix, evidence, asks = [] }: Change): Block {
  const todo = [...ordersIn(inOurWords(fix)), ...otherOrders(evidence)]
  const lines = [
    greeting,
    '',
    'What to do:',
    ...todo.map((one, place) => `${place + 1}. ${one}`),
    ...(evidence.length === 0 ? [] : ['', 'Where it was seen:']),
    ...listOf(evidence),
    ...unlisted(fix, evidence),
    ...(evidence.some(({ value }) => /<[a-z]+\s[^<>]*>/i.test(value))
      ? ['', 'The elements are quoted in short. Leave everything else in their lines as it is.']
      : []),
    '',
    ...factsToAdd(asks),
    doneWhen(titles),
  ]
  return {
    kind: 'text',
    where: 'Send this to whoever looks after your website:',
    text: `${lines.join('\n')}\n`,
    missing: [...asks],
  }
}

/** One order each. A quote such as "Dr. Lind" is kept whole, and so is a question with what follows from its answer. */
function ordersIn(text: string): string[] {
  const sentences: string[] = []
  for (const part of sentencesIn(text)) {
    const last = sentences.at(-1)
    // An order begins with a capital letter: "2 more properties in all are enough" belongs to the one before it.
    if (last !== undefined && (isOpen(last) || last.endsWith('?') || !/^\p{Lu}/u.test(part)))
      sentences.splice(-1, 1, `${last} ${part}`)
    else sentences.push(part)
  }
  return sentences
}

function isOpen(text: string): boolean {
  return text.split('"').length % 2 === 0 || text.lastIndexOf('“') > text.lastIndexOf('”')
}

/**
 * The lines at the end of a message that the owner fills in. A single one is what the change is about; of several, not each
 * applies to everyone.
 */
export function factsToAdd(asks: readonly string[]): string[] {
  if (asks.length === 0) return []
  return [
    asks.every((one) => one.endsWith('if there are any'))
      ? 'Please add this. Nothing here means that there is nothing to add:'
      : asks.every((one) =>
            /, if (?:it is not “|it has a domain of its own|it does not|that in the lines|another line|you want|anything is(?:$|;))/.test(
              one,
            ),
          )
        ? 'Please use this. Nothing here means that all stays as it is above:'
        : asks.length === 1 && !asks.some((one) => one.includes('suggest one'))
          ? 'Please use this fact. If the answer is missing, ask me for it first:'
          : asks.some((one) => one.includes('suggest one'))
            ? 'Please use these facts:'
            : asks.every((one) => !/\bif\b|\(\w+(?:, \w+)*\)$/.test(one))
              ? 'Please use these facts. If one is missing, ask me for it first:'
              : asks.some((one) => /\(\w+(?:, \w+)*\)$|in the lines/.test(one))
                ? 'Please use these facts. What has no answer here stays as it is above:'
                : 'Please use these facts. Leave out what has no answer here:',
    ...asks.map(answerLine),
    '',
  ]
}

/** A question of a message, with room for the answer behind the colon. */
export function answerLine(ask: string): string {
  return `- ${inOurWords(ask)}: `
}

/** The owner sends the message, so the site is “ours” there. Quoted words, addresses and names stay as they are. */
export function inOurWords(text: string): string {
  return text
    .split(/("[^"]*"|“[^”]*”|<[^<>]*>|https?:\/\/\S+|[\w.-]*-your-?[\w.-]*|\byour?-[\w.-]+)/i)
    .map((part, place) => (place % 2 === 1 ? part : ofUs(part)))
    .join('')
}

function ofUs(text: string): string {
  return text
    .replace(/\b(Y|y)our(s?)\b/g, (_all, letter: string, s: string) => `${letter === 'Y' ? 'O' : 'o'}ur${s}`)
    .replace(object, 'us')
    .replace(/\byou\b/g, 'we')
}

/** "to you", "cite you", and "you" at the end of a clause. */
const object =
  /(?<=\b(?:to|of|for|from|by|with|about|between|call|cite|confirm|describe|find|know|name|quote|reach|recommend|see|show|tell|visit)s? )you\b|\byou(?=[.,;:!?)]|$)/g

/** How the reader of a message sees that the work is done, by the names of the checks. */
export function doneWhen(titles: readonly string[]): string {
  return `${doneStart} ${isDoneWhen(titles)}`
}

export const doneStart = 'I shall have the site scanned again.'

/** The same for owners, who scan the site themselves. */
export function isDoneWhen(titles: readonly string[]): string {
  const named = titles.slice(0, 6).map((one) => `“${one}”`)
  return named.length === 0
    ? 'It is done when the new report no longer has this step.'
    : `It is done when the new report no longer lists ${named.length === 1 ? 'the check' : 'the checks'} ${named.join(', ')}.`
}

/**
 * A fix names the first fault. Where other pages lack something else, each kind of fault is an order of its own, because
 * “the same” would be wrong there: an article without a date, and a business without an address.
 */
function otherOrders(evidence: readonly Place[]): string[] {
  const byKind = new Map<string, string[]>()
  for (const { url, value } of evidence) {
    const [, thing, lacking] = /^([A-Z]\w*)(?: "[^"]*")? without ([^"<>]+)$/.exec(value) ?? []
    if (thing === undefined || lacking === undefined) return []
    const kind = `Add ${lacking} to the ${thing} in the JSON-LD of`
    byKind.set(kind, [...(byKind.get(kind) ?? []), url])
  }
  return [...byKind].slice(1).map(([kind, urls]) => `${kind} ${[...new Set(urls)].join(', ')}.`)
}

/** Page by page where there are many, as the person who mends them works. */
function listOf(evidence: readonly Place[]): string[] {
  const byPage = new Map<string, string[]>()
  for (const { url, value } of evidence) byPage.set(url, [...(byPage.get(url) ?? []), value])
  if (evidence.length <= 5 || byPage.size === evidence.length)
    return evidence.map(({ url, value }) => `- ${url}: ${value}`)
  return [...byPage].flatMap(([url, values]) => [`On ${url}:`, ...values.map((value) => `- ${value}`)])
}

/** How many places are not in the list. */
function unlisted(fix: string, evidence: readonly Place[]): string[] {
  const [, others = '0'] = / headings of (\d+) more pages\./.exec(fix) ?? []
  const pages = new Set(evidence.map(({ url }) => url)).size
  if (Number(others) + 1 > pages && Number(others) > 0)
    return [`- and on ${Number(others) + 1 - pages} more pages of the site, in the same way.`]
  if (/ as listed\b/.test(fix)) return []
  const wanted = Array.from(
    // "and on 8 more pages" says where else one of them stands.
    fix.matchAll(/ (?:with|on|in) (?:(\d+) more|another) (?!pages?\b)/g),
    ([, more = '1']) => 1 + Number(more),
  )
  const listed = evidence.map(({ value }) => Number(/\((\d+) times\)$/.exec(value)?.[1] ?? 1))
  const more = sumOf(wanted) - sumOf(listed)
  if (wanted.length > 0)
    return more > 0 ? [`- and ${more} more of the same kind on these and other pages of the site.`] : []
  return evidence.length >= 5 ? ['There may be more on other pages of the site.'] : []
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0)
}
