/**
 * Brings text that others wrote (a caller's field, a model's sentence) to one clean line. Without it
 * a line break in a company name could start a heading of its own, and an invisible control
 * character could turn the direction of everything after it.
 */

/**
 * One line without control characters, bidirectional overrides or lone surrogates, runs of space
 * made one. With `maxLength`, a longer text is cut between words and ends in "…".
 */
export function oneLine(text: string, maxLength = Number.POSITIVE_INFINITY): string {
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

/** The text on one line, or undefined when the caller sent nothing but blanks. */
export function presentText(text: string | undefined, maxLength?: number): string | undefined {
  const line = oneLine(text ?? '', maxLength)
  return line === '' ? undefined : line
}

/** "a", "a and b", "a, b, and c". */
export function listOf(items: readonly string[], conjunction = 'and'): string {
  if (items.length < 3) return items.join(` ${conjunction} `)
  return `${items.slice(0, -1).join(', ')}, ${conjunction} ${items.at(-1) ?? ''}`
}

/** The text with its first letter in upper case. */
export function capitalized(text: string): string {
  const [first = ''] = text
  return first.toUpperCase() + text.slice(first.length)
}

/** The text closed by a full stop unless it already ends a sentence. */
export function sentence(text: string): string {
  return /[.!?…]["”’)]?$/u.test(text) ? text : `${text}.`
}
