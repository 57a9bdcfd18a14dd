import type { Evidence } from '../findings/check.ts'
import { isShell } from '../findings/shell.ts'
import { addressKey } from '../site/page-kinds.ts'
import type { Page, Site } from '../site/site.ts'

/**
 * What was found and where. `unknown`: the page that would show it is linked and was not read, or no page
 * could be read at all; nothing may be concluded then.
 */
export interface Signal<How extends string> {
  readonly how: How | 'unknown'
  readonly evidence: readonly Evidence[]
}

/**
 * Nothing was found: `none` when enough pages were read to say so. A light scan reads one page of a site
 * that links others, and what is not on its front may well stand behind it; the shell of an application
 * holds nothing before its scripts run.
 */
export function nothing(site: Site): {
  readonly how: 'none' | 'unknown'
  readonly evidence: readonly Evidence[]
} {
  const { home, capture } = site
  const hasMore =
    home?.links.some(({ url, isInternal }) => isInternal && addressKey(url) !== addressKey(home.url)) ?? false
  const isOpen = site.pages.length === 0 || (capture.depth === 'light' && hasMore) || isShell(site)
  return { how: isOpen ? 'unknown' : 'none', evidence: isOpen ? [] : seenPages(site) }
}

/** Where something was looked for and not found. */
export function seenPages(site: Site): Evidence[] {
  const [first] = site.pages
  if (first === undefined) return []
  const count = site.pages.length
  return [
    {
      url: first.url,
      value:
        count === 1
          ? 'not found on this page'
          : `not found on this and ${count - 1} more ${count === 2 ? 'page' : 'pages'}`,
    },
  ]
}

/** The first thing that is found on a page, in the order of the pages. */
export function firstOf<Found>(
  pages: readonly Page[],
  find: (page: Page) => Found | undefined,
): Found | undefined {
  for (const page of pages) {
    const item = find(page)
    if (item !== undefined) return item
  }
  return undefined
}
