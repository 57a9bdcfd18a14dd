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

/** Replaces hidden characters by `?`, but for the ones in `kept`. */
export function harmless(text: string, kept = '\n\t'): string {
  return text.replace(hidden, (character) => (kept.includes(character) ? character : '?'))
}
