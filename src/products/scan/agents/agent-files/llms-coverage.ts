import { fail, notApplicable, type Outcome, pass, unmeasured, warn } from '../../findings/check.ts'
import { isListable, listedAddress } from '../../findings/listed-address.ts'
import { counted } from '../../findings/share.ts'
import { absolute, addressKey, depthOf, pathOf, shown } from '../../site/addresses.ts'
import { bareAddresses, markdownLinks } from '../../site/files/markdown-links.ts'
import { isPathOfKind, noticeKinds } from '../../site/kinds/page-kinds.ts'
import type { Site } from '../../site/site.ts'
import type { Guide } from './guide-text.ts'

/**
 * How many of the site's main pages llms.txt names. A guide need not name all pages, but one that leaves out what the
 * site's own menu shows sends agents past the offer or the prices.
 */
export function judgeCoverage(site: Site, { url, text }: Guide): Outcome {
  const named = namedIn(text, url)
  if (named.size === 0) return notApplicable('llms.txt names no addresses.')
  if (site.sitemap.urls.length === 0)
    return site.sitemap.files.some(({ state }) => state === 'unread')
      ? unmeasured('The sitemap was not read.')
      : notApplicable('There is no sitemap to compare llms.txt with.')
  const pages = mainPages(site)
  if (pages.length < fewPages) return notApplicable('The sitemap names too few main pages to compare.')
  const missing = pages.filter((page) => !named.has(addressKey(page)))
  const good = pages.length - missing.length
  const statement = `llms.txt names ${good} of ${counted(pages.length, 'main page')} of the sitemap.`
  const evidence = missing.slice(0, 5).map((page) => ({ url, value: `does not name ${shown(page)}` }))
  if (good * 2 >= pages.length) return pass(statement, { url, value: statement })
  return (good * 4 >= pages.length ? warn : fail)(
    `${statement} Agents that follow the guide miss the other pages.`,
    `Add a link to ${shown(missing[0] ?? url)} and to the other main pages in ${url}.`,
    ...evidence,
  )
}

const fewPages = 3
const maxPages = 30

/** Pages of the sitemap that the menu links; where the menu links too few, those right below the root. */
export function mainPages(site: Site): string[] {
  const { sitemap, home, origin, pages: read } = site
  const listedAt = new Map(read.map((page) => [addressKey(page.url), listedAddress(page)]))
  const inMenu = new Set(
    home?.links.flatMap(({ url, isNavigation }) => (isNavigation ? [addressKey(url)] : [])) ?? [],
  )
  const pages = new Map<string, string>()
  for (const { loc } of sitemap.urls) {
    const stated = absolute(loc, origin)
    const page = stated === undefined ? undefined : (listedAt.get(addressKey(stated)) ?? stated)
    if (page === undefined || depthOf(page) === 0 || isSmallPrint(page) || !isPage(page)) continue
    const key = addressKey(page)
    if (!isListable(page, site)) continue
    if (!pages.has(key)) pages.set(key, page)
  }
  const all = [...pages]
  const linked = all.filter(([key]) => inMenu.has(key))
  const main = linked.length >= fewPages ? linked : all.filter(([, page]) => depthOf(page) === 1)
  return main.slice(0, maxPages).map(([, page]) => page)
}

/** Files for programs may stand in a sitemap, too. Visitors do not read them. */
function isPage(address: string): boolean {
  const path = pathOf(address).toLowerCase()
  return !(
    /\.(?!(?:x?html?|php\d?|aspx?|jsp|cfm)$)[a-z][a-z0-9]{1,9}$/.test(path) ||
    path.startsWith('/.well-known/')
  )
}

function isSmallPrint(page: string): boolean {
  return noticeKinds.some((kind) => isPathOfKind(page, kind))
}

/** The keys of all addresses that the guide links. A link to the Markdown copy of a page names the page. */
function namedIn(text: string, base: string): ReadonlySet<string> {
  const keys = new Set<string>()
  for (const target of [...markdownLinks(text, base), ...bareAddresses(text)]) {
    const url = new URL(target)
    url.pathname = url.pathname.replace(/(?:\/index\.html\.md|(?:\.html)?\.mdx?)$/, '')
    keys
      .add(addressKey(target))
      .add(addressKey(url.href))
      .add(addressKey(`${url.href}.html`))
  }
  return keys
}
