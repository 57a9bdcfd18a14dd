import { wordsOf } from './words.ts'

/** What a word counts for in the rank of an entry: A most, D least. */
type Weight = 'A' | 'B' | 'C' | 'D'

export interface WeightedText {
  readonly text: string
  readonly weight: Weight
}

/**
 * The words of some texts as a tsvector, with positions for phrases. A phrase does not go on from one text to the
 * next.
 * @param marks further words, at no position that a phrase could reach.
 */
export function tsvectorOf(texts: readonly WeightedText[], marks: readonly string[] = []): string {
  const places = new Map<string, string[]>()
  let offset = 0
  for (const { text, weight } of texts) {
    let last = 0
    for (const word of wordsOf(text)) {
      last = word.position
      const at = offset + word.position
      if (at > maxPosition) break
      const known = places.get(word.text)
      if (known === undefined) places.set(word.text, [`${at}${weight}`])
      else if (known.length < maxPlaces) known.push(`${at}${weight}`)
    }
    offset += last + gap
  }
  const words = [...places].map(([word, at]) => `${quoted(word)}:${at.join(',')}`)
  return [...words, ...marks.map((mark) => `${quoted(mark)}:${maxPosition}A`)].join(' ')
}

/** All words of some texts as a tsvector without positions. */
export function bareTsvectorOf(texts: readonly string[], marks: readonly string[]): string {
  const words = new Set(texts.flatMap((text) => wordsOf(text).map((word) => word.text)))
  return [...words, ...marks].map(quoted).join(' ')
}

/** A word as tsvector and tsquery read it. */
export function quoted(word: string): string {
  return `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

/** PostgreSQL's limits for the positions of a tsvector. */
const maxPosition = 16_383
const maxPlaces = 255
const gap = 10
