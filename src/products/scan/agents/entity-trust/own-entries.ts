import { knownName } from '../../signals/company-name.ts'
import { folded } from '../../signals/name-sources.ts'
import { kindOfSite } from '../../signals/site-kind/site-kind.ts'
import { decodedPathOf } from '../../site/addresses.ts'
import { isAddsReview, type PortalEntry, portalEntriesOf } from '../../site/contact/portal-entries.ts'
import { pagesOfKind } from '../../site/linked-pages.ts'
import type { Page, Site } from '../../site/site.ts'

/**
 * The entries on maps and portals that the home page and the contact page of a business link: at most one of each portal.
 * Links to forms for reviews are left out, and so are those to a place with another name, such as a beach nearby.
 */
export function ownEntries(site: Site, home: Page): readonly OwnEntry[] {
  // A library has no entry on a portal for practices: its pages show what others built with it.
  if (kindOfSite(site) === 'library') return []
  const found = new Map<string, OwnEntry>()
  for (const page of [home, ...pagesOfKind(site, 'contact')])
    for (const entry of portalEntriesOf(page))
      if (
        entry.isLink &&
        !isAddsReview(entry.url) &&
        !isOtherPlace(entry.url, site) &&
        !found.has(entry.portal)
      )
        found.set(entry.portal, { ...entry, page: page.url })
  return [...found.values()]
}

interface OwnEntry extends PortalEntry {
  /** The page that links it. */
  readonly page: string
}

/** By the name in the address of a map. A street with a number, or a pair of degrees, is a place, and no entry of the business. */
function isOtherPlace(url: string, site: Site): boolean {
  const name = /\/maps\/place\/([^/@]{1,200})/.exec(decodedPathOf(url))?.[1]?.replaceAll('+', ' ') ?? ''
  if (/\d\s?°|^-?\d{1,3}\.\d+,\s?-?\d{1,3}\.\d+/.test(name) || isPostalAddress.test(name)) return true
  const own = folded(`${knownName(site) ?? ''} ${site.home?.title ?? ''} ${site.registrableDomain}`)
  const words = folded(name).match(/[\p{L}]{3,}/gu) ?? []
  return words.length > 0 && !words.some((word) => own.includes(word))
}

/** "Via Colombo, 4, 35020 Albignasego PD", "12 Fore St, Totnes TQ9 5RH": a pin at the house, whatever is in it. */
const isPostalAddress =
  /^[^,]{3,60},\s?\d{1,4}\w?,?\s(?:[^,]{0,40},\s?)?\d{4,6}(?!\d)|^\d{1,5}\w?\s[^,]{3,60},.{0,80}(?<!\d)(?:\d{5}(?!\d)|[A-Z]{1,2}\d[\dA-Z]?\s?\d[A-Z]{2}(?![A-Z]))/u
