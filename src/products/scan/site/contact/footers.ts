import { shown } from '../addresses.ts'
import { homeAddress } from '../below-home.ts'
import { isFooterBox } from '../html/main/boxes-beside.ts'
import { around } from '../html/visible-text.ts'
import type { Page, Site } from '../site.ts'

/** The footers of a page. Many small pages have none, and advice that names one would send their owners to look for it. */
export function footersOf(home: Page): Page['elements'] {
  return home.elements.filter(
    ({ node, isHidden }) =>
      !isHidden &&
      isFooter(node) &&
      // The card of an article has a footer of its own.
      !around(node).some(({ name }) => name === 'article' || name === 'li'),
  )
}

function isFooter(node: Page['elements'][number]['node']): boolean {
  return node.name === 'footer' || node.attribs.role === 'contentinfo' || isFooterBox(node)
}

/** Where advice puts what belongs to the bottom of the home page: "in the footer of example.com/", or at its end. */
export function atBottomOf(site: Pick<Site, 'home' | 'origin'>): string {
  const hasFooter = site.home !== undefined && footersOf(site.home).length > 0
  return `${hasFooter ? 'in the footer' : 'at the end'} of ${shown(homeAddress(site))}`
}
