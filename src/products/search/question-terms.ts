import { domainMark } from './entries.ts'
import { quoted } from './tsvector.ts'
import { type Word, wordsOf } from './words.ts'

/** The words of a question, each as a tsquery that finds them in the forms that a text may have. */

/** A word of a question that counts, or a domain. */
export interface Term {
  readonly query: string
  readonly matches: (word: string) => boolean
  readonly isOfDomain?: true
}

/** The words that count; all of them when the question has no others: `what can you do`. */
export function termsOf(text: string): Term[] {
  const found = text
    .split(/\s+/)
    .flatMap((part) => (isDomain.test(part) ? [domainTerm(part)] : wordTerms(part)))
  const telling = found.filter(({ word }) => !fillers.has(word))
  const kept = telling.length > 0 ? telling : found
  return [...new Map(kept.map((term) => [term.query, term])).values()]
}

type NamedTerm = Term & { readonly word: string }

function wordTerms(part: string): NamedTerm[] {
  return wordsOf(part)
    .filter(({ kind }) => kind !== 'tail')
    .map((word) => ({ word: word.text, ...formsOf(word) }))
}

/**
 * The forms of an English word that a text may have instead: `prices` and `pricing` for `price`. The end is left out and
 * any end is found, which needs no dictionary. Short words and those of other scripts are taken as they are.
 */
function formsOf({ text, kind }: Word): Term {
  if (kind === 'single') return prefix(text)
  if (!/^[a-z]{3,}$/.test(text)) return exact(text)
  const short = /^(...)s?$/.exec(text)?.[1]
  if (short !== undefined) {
    const plural = `${short}s`
    return {
      query: `(${quoted(short)} | ${quoted(plural)})`,
      matches: (word) => word === short || word === plural,
    }
  }
  return prefix(stemOf(text))
}

function stemOf(word: string): string {
  for (const [end, least] of ends) {
    const stem = word.slice(0, -end.length)
    if (word.endsWith(end) && stem.length >= least) return stem.replace(/([bdgmnprt])\1$/, '$1')
  }
  return word
}

/** Ends of words, with the least length of what is left. */
const ends = [
  ['ies', 4],
  ['ing', 4],
  ['ed', 4],
  ['es', 4],
  ['ss', Number.POSITIVE_INFINITY],
  ['s', 4],
  ['e', 4],
] as const

function prefix(stem: string): Term {
  return { query: `${quoted(stem)}:*`, matches: (word) => word.startsWith(stem) }
}

function exact(text: string): Term {
  return { query: quoted(text), matches: (word) => word === text }
}

const isDomain = /^(?:https?:\/\/)?[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?:[/:?#]\S*|[?!,.;:)]*)$/u

/** A domain finds every entry of its scan, as in a query. */
function domainTerm(part: string): NamedTerm {
  const host = part
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[/:?#!,;)].*$/, '')
    .replace(/^www\.(?=.+\.)|\.+$/g, '')
  const words = wordsOf(host)
  const names = new Set(words.map(({ text }) => text))
  const phrase = words.map(({ text }) => quoted(text)).join(' <-> ')
  return {
    word: host,
    query: `((${phrase}) | ${quoted(domainMark(host))}:*)`,
    matches: (word) => names.has(word),
    isOfDomain: true,
  }
}

/** Words that every text may have, and that tell nothing of what is asked. */
const fillers: ReadonlySet<string> = new Set(
  `a about all am an and any are as at be been before but by can could did do does for from get give had has have he help
  her here him his how i if in into is it its just know like list many me more most much my need no not of often on or other our out please
  should show so some such tell than that the their them then there these they this those to up us use want was we were what when
  where which who whom whose why will with would you your`.split(/\s+/),
)
