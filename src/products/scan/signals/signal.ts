import type { Evidence } from '../findings/check.ts'
import { isUnseen } from '../findings/scripted/shell.ts'
import { cutPage, type UnreadPlace, unreadPlace } from '../findings/unread-places.ts'
import { addressKey } from '../site/addresses.ts'
import type { PageKind } from '../site/kinds/page-kinds.ts'
import type { Site } from '../site/site.ts'

/**
 * What a site shows about one subject, with the evidence. `unknown`: the page that would show it is linked
 * but was not read, or no page could be read. Nothing may be concluded from it.
 */
export interface Signal<How extends string> {
  readonly how: How | 'unknown'
  readonly evidence: readonly Evidence[]
}

/**
 * The signal for something that was not found: `none` when enough pages were read to say so, else `unknown`.
 * A light scan reads one page and cannot speak for the pages behind it, the shell of an application holds
 * nothing before its scripts run, and a page of several megabytes is not read to its end.
 * @param kind of a page that would show it, which may be one that was not read
 */
export function nothing(
  site: Site,
  kind?: PageKind,
): {
  readonly how: 'none' | 'unknown'
  readonly evidence: readonly Evidence[]
} {
  const { home, capture } = site
  const unread = (kind && unreadPlace(site, kind)) ?? cutPage(site)
  if (unread !== undefined) return unreadSignal(unread)
  const hasMore =
    home?.links.some(({ url, isInternal }) => isInternal && addressKey(url) !== addressKey(home.url)) ?? false
  const isOpen = site.pages.length === 0 || (capture.depth === 'light' && hasMore) || isUnseen(site)
  return { how: isOpen ? 'unknown' : 'none', evidence: isOpen ? [] : seenPages(site) }
}

/** Nothing is concluded while a page that may show it was not read. */
export function unreadSignal({ url, reason }: UnreadPlace): {
  readonly how: 'unknown'
  readonly evidence: readonly Evidence[]
} {
  return { how: 'unknown', evidence: [{ url, value: reason }] }
}

/** The pages that were searched without success. */
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

/** Returns the first item that `find` finds, in the order of the sources: pages, or their texts. */
export function firstOf<Source, Item>(
  sources: readonly Source[],
  find: (source: Source) => Item | undefined,
): Item | undefined {
  for (const source of sources) {
    const item = find(source)
    if (item !== undefined) return item
  }
  return undefined
}
