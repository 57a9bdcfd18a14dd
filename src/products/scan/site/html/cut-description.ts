import type { Page } from '../site.ts'

/**
 * Whether the description ends at a straight quotation mark within its own text, as in `content="up to 85" and more"`.
 * Parsers read the rest as attributes, so engines show what stands before the mark.
 */
export function isDescriptionCut({ $, description }: Page): boolean {
  if (description === '') return false
  const first = $('meta[content]')
    .toArray()
    .find(({ attribs }) => attribs.name?.trim().toLowerCase() === 'description')
  // A mark without words behind it cuts nothing.
  return Object.keys(first?.attribs ?? {}).some((name) => /["'“”,]/.test(name) && /[\p{L}\p{N}]/u.test(name))
}
