import { hasProperty } from '../../agents/structured-data/required-properties.ts'
import { listedAddress } from '../../findings/listed-address.ts'
import { isSidePage } from '../../findings/side-pages.ts'
import { addressKey, shown } from '../../site/addresses.ts'
import { depthBelowHome } from '../../site/below-home.ts'
import { nodesOf } from '../../site/html/json-ld.ts'
import { type Step, shownTrail } from '../../site/shown-trail.ts'
import type { Page, Site } from '../../site/site.ts'
import type { Draft } from './block.ts'
import { nameOfPage, stepsOf } from './breadcrumb-trail.ts'
import type { SiteFacts } from './facts/facts.ts'
import { blockOfParts, isTooLong } from './page-parts.ts'

/**
 * The way from the home page to each deep page: the one that the page shows, else the pages that exist above it, those
 * that the scan read or that the site links. A folder of the address that is no page is left out.
 */
export function breadcrumbBlock(site: Site, home: Page, facts: SiteFacts): Draft | undefined {
  const without = site.pages.filter(
    (page) =>
      depthBelowHome(page.url, site) >= 2 &&
      !isSidePage(page) &&
      !nodesOf(page, 'BreadcrumbList').some((node) => hasProperty(node, 'itemListElement')),
  )
  if (without.some(isTooLong) || without.length === 0 || without.length > maxPages) return undefined
  const known = stepsOf(site)
  const parts = without.map((page) => ({
    page,
    node: {
      '@type': 'BreadcrumbList',
      itemListElement: listed((shownTrail(page) ?? way(page)).map(atOwnAddress)),
    },
  }))
  const { where, text, heads } = blockOfParts(parts)
  return {
    block: {
      kind: 'html',
      where: `${where} It covers the pages that the scan read. Write the same for your other deep pages.`,
      text,
      missing: [],
    },
    title: 'Paste the way from the home page into deeper pages, in the form that machines read.',
    why: 'Search engines show the way to a page above a result. Where no page states it, they show the bare address.',
    pasted: { heads },
    aims: ['structured-data/breadcrumbs'],
  }

  /** By the address that the page names as its own: "/" and not "/index.html". */
  function atOwnAddress({ name, item }: Step): Step {
    const page = site.pages.find(({ url }) => addressKey(url) === addressKey(item))
    return { name, item: page === undefined ? item : listedAddress(page) }
  }

  function way(page: Page): Step[] {
    const key = addressKey(page.url)
    // `/imprint/` of `/imprint/index.html` is the page itself.
    const above = foldersOf(page.url).flatMap((url) =>
      addressKey(url) === key ? [] : (known.get(addressKey(url)) ?? []),
    )
    const own = known.get(key)?.name ?? shown(nameOfPage(page, site.pages) || page.url, 120)
    return [
      { name: facts.name ?? site.capture.domain, item: home.url },
      ...above,
      { name: own, item: page.url },
    ]
  }
}

function listed(steps: readonly Step[]): Record<string, unknown>[] {
  return steps.map((step, place) => ({ '@type': 'ListItem', position: place + 1, ...step }))
}

const maxPages = 14

/** `/a/` and `/a/b/` of `/a/b/c`, in the spelling without a slash at the end. */
function foldersOf(url: string): string[] {
  const { origin, pathname } = new URL(url)
  const parts = pathname.split('/').filter((part) => part !== '')
  return parts.slice(0, -1).map((_, place) => `${origin}/${parts.slice(0, place + 1).join('/')}`)
}
