import type { Site } from '../../site/site.ts'

/**
 * Whether a script writes the texts of the site from lists of words, one for each language: `data-i18n="heroText"`. Changed in
 * the HTML alone, a sentence would be read by engines and never be seen by visitors.
 */
export function hasTextLists({ pages }: Pick<Site, 'pages'>): boolean {
  return pages.some(
    ({ $ }) => $('[data-i18n], [data-i18n-key], [data-translate], [data-lang-key]').length >= fewest,
  )
}

const fewest = 5
