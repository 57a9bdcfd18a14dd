/**
 * Cleans text from a caller or a model to one line. Otherwise a line break in a company name could start a heading,
 * and an invisible control character could reverse the direction of all text after it.
 */

/**
 * Removes control characters, bidirectional overrides and lone surrogates, and joins runs of white space.
 * @param maxLength in characters; a longer text is cut between words and ends in "…".
 */
export function oneLine(text: string, maxLength = Number.POSITIVE_INFINITY): string {
  if (text.length <= maxLength && isPlainLine.test(text)) return text
  const line = text
    .toWellFormed()
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  const characters = Array.from(line)
  if (characters.length <= maxLength) return line
  const cut = characters.slice(0, maxLength - 1).join('')
  const atWord = cut.replace(/\s+\S*$/u, '')
  return `${(atWord || cut).trimEnd()}…`
}

/** Words of printable ASCII with one space between them: most texts, and nothing to clean. */
const isPlainLine = /^(?:[!-~]+(?: [!-~]+)*)?$/

/**
 * Cleans the text like `oneLine`.
 * @returns undefined for blank text.
 */
export function presentText(text: string | undefined, maxLength?: number): string | undefined {
  const line = oneLine(text ?? '', maxLength)
  return line === '' ? undefined : line
}

/** Joins items: "a", "a and b", "a, b, and c". */
export function listOf(items: readonly string[], conjunction = 'and'): string {
  if (items.length < 3) return items.join(` ${conjunction} `)
  return `${items.slice(0, -1).join(', ')}, ${conjunction} ${items.at(-1) ?? ''}`
}

/** Puts the first letter in upper case. */
export function capitalized(text: string): string {
  const [first = ''] = text
  return first.toUpperCase() + text.slice(first.length)
}

/** Adds a period unless the text already ends a sentence. */
export function sentence(text: string): string {
  return /[.!?…]["”’)]?$/u.test(text) ? text : `${text}.`
}
