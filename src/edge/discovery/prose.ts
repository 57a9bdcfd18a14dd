/**
 * Escapes text as one line of inline markdown that shows exactly these characters (CommonMark backslash
 * escapes).
 */
export function prose(words: string): string {
  return words
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>|~&]/g, '\\$&')
    .replace(/^([#+=-]|\d+(?=[.)]))/, (start) => (/\d/.test(start) ? `${start}\\` : `\\${start}`))
}
