/**
 * The words of a text, as search stores and asks for them. One reader serves both sides and both stores, so a query
 * in any script finds the text that it was copied from. PostgreSQL's own parser depends on the server's locale, and
 * takes a sentence without spaces for one word.
 */
export interface Word {
  readonly text: string
  /** Counts from 1. Words that follow each other in the text have neighboring positions. */
  readonly position: number
  /** Where it begins in the text, in UTF-16 units. */
  readonly at: number
  /**
   * Of scripts without spaces: `pair` has two characters, `tail` is the last one of a run again, and `single` is a run
   * of its own.
   */
  readonly kind: 'word' | 'pair' | 'tail' | 'single'
}

/** At most so many words are read of one text. A tsvector holds positions up to 16,383. */
const maxWords = 2_000
/** Longer words are cut. PostgreSQL takes up to 2,046 bytes. */
const maxLength = 60

export function wordsOf(text: string): Word[] {
  const words: Word[] = []
  let position = 0
  for (const { 0: run, index: at } of text.matchAll(letters)) {
    for (const part of fold(run).match(parts) ?? []) {
      if (words.length >= maxWords) return words
      if (!isUnspaced(part)) {
        position += 1
        words.push({ text: part.slice(0, maxLength).toWellFormed(), position, at, kind: 'word' })
        continue
      }
      // Such scripts write no spaces: each pair of characters is a word, so any part of a sentence can be found.
      const characters = [...part]
      for (const [index, character] of characters.entries()) {
        position += 1
        const next = characters[index + 1]
        const kind = next !== undefined ? 'pair' : index === 0 ? 'single' : 'tail'
        words.push({ text: `${character}${next ?? ''}`, position, at, kind })
      }
    }
  }
  return words
}

/**
 * Equates spellings: case, full and half width, ligatures, and the accents and vowel points that writers leave out.
 */
export function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFD')
    .replace(optionalMarks, '')
    .normalize('NFC')
    .replaceAll('ς', 'σ')
}

const letters = /[\p{L}\p{N}\p{M}]+/gu
/** Combining accents, Hebrew points, and Arabic vowel signs with the stretching stroke. */
const optionalMarks =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/g
/** Scripts that write no spaces between words, and Korean, which joins particles to words. */
const unspaced =
  '\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{scx=Bopo}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmr}\\p{sc=Mymr}\\p{sc=Tibt}'
/** Folding may bring signs into a word, like the fraction slash of `½`. */
const parts = new RegExp(
  `(?:(?=[\\p{L}\\p{N}\\p{M}])[${unspaced}])+|(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}])+`,
  'gu',
)
const startsUnspaced = new RegExp(`^[${unspaced}]`, 'u')

function isUnspaced(text: string): boolean {
  return startsUnspaced.test(text)
}
