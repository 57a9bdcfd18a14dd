import { oneLine } from './plain-text.ts'

/**
 * Writes markdown from plain text. Everything below the renderers is plain text and passes through
 * `inline` exactly once, so no caller's field and no model's sentence can become a heading, a link, a
 * picture or HTML in what the buyer publishes.
 */

/**
 * Plain text as one line of markdown that renders to the same characters. Angle brackets become
 * entities and not backslash escapes, so that they stay harmless even if someone puts the markdown
 * into a page unrendered.
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

/** A heading; `mark` is ours, such as the "1." of a ranking, and stands before the text unescaped. */
export function heading(level: 1 | 2 | 3, text: string, mark = ''): string {
  return `${'#'.repeat(level)} ${mark}${inline(text)}`
}

/** A paragraph that opens with a label in bold. */
export function labelled(label: string, text: string): string {
  return `**${inline(label)}:** ${inline(text)}`
}

export function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${inline(item)}`).join('\n')
}

export function numbered(items: readonly string[]): string {
  return items.map((item, index) => `${index + 1}. ${inline(item)}`).join('\n')
}

/** Puts blocks below each other; empty ones leave no gap. */
export function blocks(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n')
}
