/**
 * Words of the scripts that write none apart: Chinese, Japanese, Thai, Lao, Khmer and Burmese. Counted by the runs
 * between their spaces, a Thai page of 500 words would have 100, and counted by characters, a Japanese one of 150 would
 * have 300. The dictionaries of the runtime tell where a word ends.
 */

/** Whether a run of letters is written in such a script; runs hold one kind of script. */
export function isUnspaced(run: string): boolean {
  return unspaced.test(run.slice(0, 2))
}

const unspaced =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u

/** The words of a run. */
export function splitUnspaced(run: string): string[] {
  return Array.from(words.segment(run.slice(0, maxCharacters)))
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment)
}

/**
 * How many words the runs hold. A lookup in a dictionary costs a microsecond for each character, and a hostile page has
 * millions of them, so what follows the first 20,000 characters is counted by the length of the words before.
 */
export function countUnspaced(runs: readonly string[]): number {
  let characters = 0
  let read = 0
  let count = 0
  for (const run of runs) {
    characters += run.length
    if (read >= maxCharacters) continue
    const part = run.slice(0, maxCharacters - read)
    read += part.length
    for (const { isWordLike } of words.segment(part)) if (isWordLike) count += 1
  }
  return read === 0 ? 0 : Math.round((count * characters) / read)
}

const maxCharacters = 20_000

/** It finds the dictionary by the script, whatever its language is. */
const words = new Intl.Segmenter('en', { granularity: 'word' })
