import { hasProperty } from '../../agents/structured-data/required-properties.ts'
import { addressKey, depthOf, shown } from '../../site/addresses.ts'
import { nodesOf } from '../../site/html/json-ld.ts'
import type { Page, Site } from '../../site/site.ts'
import type { Draft } from './block.ts'
import type { SiteFacts } from './facts.ts'
import { blockOfParts, maxPageCharacters } from './page-parts.ts'

/**
 * The way from the home page to each deep page, by the pages that exist above it: those that the scan read or that
 * the site links. A folder of the address that is no page is left out.
 */
export function breadcrumbBlock(site: Site, home: Page, facts: SiteFacts): Draft | undefined {
  const without = site.pages.filter(
    (page) =>
      depthOf(page.url) >= 2 &&
      !nodesOf(page, 'BreadcrumbList').some((node) => hasProperty(node, 'itemListElement')),
  )
  const isLong = without.some((page) => page.reply.body.length > maxPageCharacters)
  if (isLong || without.length === 0 || without.length > maxPages) return undefined
  const names = namesOf(site)
  const parts = without.map((page) => ({
    page,
    node: { '@type': 'BreadcrumbList', itemListElement: steps(page) },
  }))
  const { where, text, heads } = blockOfParts(parts)
  return {
    block: { kind: 'html', where, text, missing: [] },
    title: 'Paste the way from the home page into deeper pages, in the form that machines read.',
    why: 'Search engines show this way above a result. Without it they show the bare address.',
    pasted: { heads },
    aims: ['structured-data/breadcrumbs'],
  }

  function steps(page: Page): Record<string, unknown>[] {
    const above = foldersOf(page.url).flatMap((url) => {
      const name = names.get(addressKey(url))
      return name === undefined ? [] : [{ name, item: url }]
    })
    const own = page.headings.find(({ level }) => level === 1)?.text ?? page.title
    const way = [
      { name: facts.name ?? site.capture.domain, item: home.url },
      ...above,
      { name: shown(own === '' ? page.url : own, 120), item: page.url },
    ]
    return way.map((step, place) => ({ '@type': 'ListItem', position: place + 1, ...step }))
  }
}

const maxPages = 14

/** `/a/` and `/a/b/` of `/a/b/c`, in the spelling without a slash at the end. */
function foldersOf(url: string): string[] {
  const { origin, pathname } = new URL(url)
  const parts = pathname.split('/').filter((part) => part !== '')
  return parts.slice(0, -1).map((_, place) => `${origin}/${parts.slice(0, place + 1).join('/')}`)
}

/** What pages are called: by their main heading, else by the first link to them. A dead link names no page. */
function namesOf({ pages, repliesByAddress }: Site): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const { url, headings } of pages) {
    const heading = headings.find(({ level }) => level === 1)
    if (heading !== undefined) names.set(addressKey(url), shown(heading.text, 120))
  }
  for (const { url, text, isInternal } of pages.flatMap(({ links }) => links)) {
    const key = addressKey(url)
    if (isInternal && text !== '' && !names.has(key) && repliesByAddress.get(key)?.status === 200)
      names.set(key, shown(text, 120))
  }
  return names
}
