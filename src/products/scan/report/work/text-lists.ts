import { repliesFor } from '../../site/capture.ts'
import type { Site } from '../../site/site.ts'

/**
 * Whether a script writes the texts of the site from lists of words, one for each language: `data-i18n="heroText"`. Changed in
 * the HTML alone, a sentence would be read by engines and never be seen by visitors. The marks are of no use where no script
 * reads them; a script that was not fetched may.
 */
export function hasTextLists({ pages, capture }: Pick<Site, 'pages' | 'capture'>): boolean {
  const isMarked = pages.some(
    ({ $ }) => $('[data-i18n], [data-i18n-key], [data-translate], [data-lang-key]').length >= fewest,
  )
  if (!isMarked) return false
  const files = repliesFor(capture, 'script')
  const isUnread =
    files.some(({ status }) => status !== 200) ||
    (files.length === 0 && pages.some(({ $ }) => $('script[src]').length > 0))
  return (
    isUnread ||
    files.some(({ body }) => reading.test(body)) ||
    pages.some(({ $ }) => reading.test($('script:not([src])').text().slice(0, maxCode)))
  )
}

const fewest = 5
const maxCode = 300_000
/** How a script names the marks: `[data-i18n]`, `dataset.langKey`. */
const reading = /data-(?:i18n|translate|lang-key)|dataset\.(?:i18n|translate|langKey)|\bi18n\b/
