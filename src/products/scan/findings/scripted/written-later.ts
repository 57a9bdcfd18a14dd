import { attributeOf } from '../../site/html/elements.ts'
import { isPlaceholderText } from '../../site/html/opening-noise.ts'
import { textWithin } from '../../site/html/visible-text.ts'
import { countWords } from '../../site/html/words.ts'
import type { Page, Site } from '../../site/site.ts'
import { isFilledPage, longEnough } from './filled-pages.ts'
import { includesText } from './included-parts.ts'
import { isShellPage } from './shell.ts'

/**
 * Whether scripts write the text of a page in a browser. The scan runs none, so a check that counts words or looks for a
 * paragraph would call missing what every visitor reads; `js-shell` tells the owner once.
 */
export function isWrittenLater(page: Page, site: Site): boolean {
  if (countWords(page.mainText.slice(0, 20_000)) >= longEnough) return false
  return (
    isShellPage(page) ||
    page.lines.slice(0, 300).some(isPlaceholderText) ||
    hasEmptyMount(page) ||
    includesText(page) ||
    isFilledPage(page, site)
  )
}

/** The element that a framework fills with the page has no text as sent. */
export function hasEmptyMount({ elements }: Page): boolean {
  return (
    elements.some(({ name }) => name === 'script') &&
    elements
      .filter(({ node }) => mountIds.includes(attributeOf(node, 'id')))
      .slice(0, mountIds.length)
      .some(({ node }) => textWithin([node]) === '')
  )
}

/** Ids of the elements that common frameworks fill with the page. */
export const mountIds = ['root', 'app', '__next', '___gatsby', '__nuxt']
