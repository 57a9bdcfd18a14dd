import { oneLine } from './plain-text.ts'

/**
 * Writes markdown from plain text. Every string passes through `inline` exactly once, so no field of a caller and no
 * sentence of a model can become a heading, a link, an image or HTML in what the buyer publishes.
 */

/**
 * Escapes plain text into one line of markdown that renders to the same characters. Angle brackets become entities
 * instead of backslash escapes, so that they stay harmless in a page that shows the markdown unrendered.
 */
export function inline(text: string): string {
  return oneLine(text)
    .replace(/&(?=#?[\p{L}\p{N}]+;)/gu, '&amp;')
    .replace(/[\\`*[\]~|]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/^(\d{1,9})([.)])/, '$1\\$2')
    .replace(/^[#+=-]/, '\\$&')
}

/** Writes a heading. `mark` is put before the text unescaped, such as the "1." of a ranking. */
export function heading(level: 1 | 2 | 3, text: string, mark = ''): string {
  return `${'#'.repeat(level)} ${mark}${inline(text)}`
}

/** Writes a paragraph that begins with a label in bold. */
export function labeled(label: string, text: string): string {
  return `**${inline(label)}:** ${inline(text)}`
}

export function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${inline(item)}`).join('\n')
}

export function numbered(items: readonly string[]): string {
  return items.map((item, index) => `${index + 1}. ${inline(item)}`).join('\n')
}

/** Joins blocks with blank lines, without the empty ones. */
export function blocks(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n')
}
