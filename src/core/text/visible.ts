/**
 * Characters that show nothing themselves, and control a terminal, the direction of text or the end of a line.
 * The two joiners are left out, because words of some languages are written with them.
 */
const hidden = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/gu

/** Fillers, variation selectors and the empty Braille cell are letters or signs by category, and show nothing. */
const shown = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Whether each character of a text can be seen or separates words, and at least one can be seen. */
export function isVisible(text: string): boolean {
  return shown.test(text) && text.search(hidden) === -1
}

/**
 * Writes the hidden characters of a JSON line as escapes. It is the same JSON, and a terminal that shows the line
 * obeys none of them.
 */
export function escapeHidden(line: string): string {
  return line.replace(hidden, (character) =>
    character === '\n'
      ? character
      : Array.from({ length: character.length }, (_, at) => escapeUnit(character.charCodeAt(at))).join(''),
  )
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`
}

/** Replaces hidden characters by `?`, but for the ones in `kept`. */
export function harmless(text: string, kept = '\n\t'): string {
  return text.replace(hidden, (character) => (kept.includes(character) ? character : '?'))
}
