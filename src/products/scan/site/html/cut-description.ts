import type { Page } from '../site.ts'

/**
 * Whether the description ends at a straight quotation mark within its own text, as in `content="up to 85" and more"`.
 * Parsers read the rest as attributes, so engines show what stands before the mark.
 */
export function isDescriptionCut({ $, description }: Page): boolean {
  if (description === '') return false
  return $('meta[content]')
    .toArray()
    .some(
      ({ attribs }) =>
        attribs.name?.trim().toLowerCase() === 'description' &&
        Object.keys(attribs).some((name) => /["'“”,]/.test(name)),
    )
}
