import { isAddsReview, type PortalEntry, portalEntriesOf } from '../../site/contact/portal-entries.ts'
import { pagesOfKind } from '../../site/linked-pages.ts'
import type { Page, Site } from '../../site/site.ts'

/**
 * The entries on maps and portals that the home page and the contact page of a business link: at most one of each portal.
 * Links to forms for reviews are left out.
 */
export function ownEntries(site: Site, home: Page): readonly PortalEntry[] {
  const found = new Map<string, PortalEntry>()
  for (const page of [home, ...pagesOfKind(site, 'contact')])
    for (const entry of portalEntriesOf(page))
      if (entry.isLink && !isAddsReview(entry.url) && !found.has(entry.portal)) found.set(entry.portal, entry)
  return [...found.values()]
}
