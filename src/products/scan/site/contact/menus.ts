import { shown } from '../addresses.ts'
import { homeAddress } from '../below-home.ts'
import type { Site } from '../site.ts'

/** Where advice puts a page: a site of one page may have no menu, and its owner would look for one. */

/** "in the menu", for a page that a fix asks for. */
export function inMenuOf(site: Pick<Site, 'pages' | 'home' | 'origin'>): string {
  return hasMenu(site) ? 'in the menu' : `that is linked on ${shown(homeAddress(site))}`
}

/** "from the menu", for the link to it. */
export function fromMenuOf(site: Pick<Site, 'pages' | 'home' | 'origin'>): string {
  return hasMenu(site) ? 'from the menu' : `from ${shown(homeAddress(site))}`
}

/** The parts of one page are no pages that a menu lists. */
function hasMenu({ pages }: Pick<Site, 'pages'>): boolean {
  return pages.some(({ links }) => links.some(({ isNavigation, isInternal }) => isNavigation && isInternal))
}
