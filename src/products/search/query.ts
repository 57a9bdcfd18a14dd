import { domainMark } from './entries.ts'
import { quoted } from './tsvector.ts'
import { fold, type Word, wordsOf } from './words.ts'

/** What a caller searches for, as PostgreSQL and the snippets need it. */
export interface SearchQuery {
  /** A tsquery over an entry: all words and phrases, and none of the excluded ones. */
  readonly entry: string
  /** A tsquery over a document, which every scan with such an entry fulfills: the words alone. */
  readonly document: string
  /** The words that a snippet shows. */
  readonly words: ReadonlySet<string>
}

export const maxTerms = 32

/**
 * Reads a query: words, "phrases", and -words or -"phrases" that must not occur. A word also finds the domains that
 * begin with it. A quotation mark without its partner opens a phrase that ends with the query; every other sign only
 * separates words. No text makes it fail.
 * @returns `no word` when there is nothing to find, `too many` beyond `maxTerms`.
 */
export function readQuery(text: string): SearchQuery | 'no word' | 'too many' {
  const terms = [...text.matchAll(termForm)].flatMap(([, minus, phrase, bare]) => {
    const source = phrase ?? bare ?? ''
    const words = wordsOf(source).filter(({ kind }) => kind !== 'tail')
    return words.length === 0
      ? []
      : [{ source, words, isExcluded: minus === '-', isPhrase: phrase !== undefined }]
  })
  if (terms.length > maxTerms) return 'too many'
  const wanted = terms.filter(({ isExcluded }) => !isExcluded)
  if (wanted.length === 0) return 'no word'
  const either = wanted.map(({ source, words, isPhrase }) => ({
    words,
    domain: isPhrase ? undefined : domainStart(source),
  }))
  const entry = [
    ...either.map(({ words, domain }) => anyOf(follow(words), domain)),
    ...terms.filter(({ isExcluded }) => isExcluded).map(({ words }) => `!${follow(words)}`),
  ]
  const document = either.map(({ words, domain }) => anyOf(together(words), domain))
  return {
    entry: entry.join(' & '),
    document: document.join(' & '),
    words: new Set(wanted.flatMap(({ words }) => words.map((word) => word.text))),
  }
}

/** A phrase in quotation marks, or signs up to the next white space; either may be excluded by a minus. */
const termForm = /(-?)(?:["“”„«»「](.*?)(?:["“”«»」]|$)|([^\s"“”„«»「」]+))/gsu

function anyOf(words: string, domain: string | undefined): string {
  return domain === undefined ? words : `(${words} | ${quoted(domainMark(domain))}:*)`
}

/** The words one after the other, at the distances that they have in the query. */
function follow(words: readonly Word[]): string {
  const terms = words.map((word, index) => {
    const before = words[index - 1]
    return before === undefined ? asTerm(word) : `<${word.position - before.position}> ${asTerm(word)}`
  })
  return `(${terms.join(' ')})`
}

function together(words: readonly Word[]): string {
  return `(${words.map(asTerm).join(' & ')})`
}

/** A single character of a script without spaces begins a pair wherever it occurs. */
function asTerm({ text, kind }: Word): string {
  return kind === 'single' ? `${quoted(text)}:*` : quoted(text)
}

/**
 * The beginning of a domain that a word may be: `shop.ex` of `https://www.shop.ex/`. A shorter one would find too
 * much.
 */
function domainStart(source: string): string | undefined {
  const host = fold(source)
    .replace(/^https?:\/\//, '')
    .replace(/^www\.(?=.)/, '')
    .replace(/[/:?#].*$/, '')
  return /^[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}.-]{1,252})$/u.test(host) ? host : undefined
}
