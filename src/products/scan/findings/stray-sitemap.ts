import { addressKey, isSameSite, shown } from '../site/addresses.ts'
import type { Site } from '../site/site.ts'
import { counted, listed } from './share.ts'

/** A sitemap most of whose entries lie at another site. */
interface StraySitemap {
  readonly reason: string
  readonly fix: string
  /** "28 of 28 pages on example.com". */
  readonly quote: string
}

/**
 * Tells when most addresses in the sitemap lie at another site: that of the template, "example.com", or the host where the
 * pages were made. Crawlers learn no page of this site from it. One check says so, and none may judge the site by such
 * entries: its owner would be told to add pages that are there already.
 */
export function straySitemap(site: Site): StraySitemap | undefined {
  const {
    sitemap: { urls },
    origin,
    pages,
  } = site
  const stray = urls.filter(({ loc }) => !isSameSite(loc, origin))
  const [first] = stray
  if (first === undefined || stray.length * 2 <= urls.length) return undefined
  const { host, pathname, search } = new URL(first.loc)
  const isKept = pages.some(({ url }) => addressKey(url) === addressKey(`${origin}${pathname}`))
  const path = isKept ? pathname : ownPath(new URL(first.loc))
  const quote = `${stray.length} of ${counted(urls.length, 'page')} on ${shown(host)}`
  return {
    quote,
    reason: `The sitemap can be read, and its addresses lie elsewhere: ${quote} or other hosts. Crawlers pass over them and learn no page of this site.`,
    fix: areOwn(stray, site)
      ? `Write the addresses with ${origin}, for example ${shown(`${origin}${path}${search}`)}. Where a program makes the file, its setting for the address of the site names ${shown(host)}.`
      : `Replace all addresses in the sitemap by those of your own pages, such as ${listed(pages.slice(0, maxNamed).map(({ url }) => shown(url)))}: it lists pages that were not found here.${site.robots.sitemaps.some((url) => !isSameSite(url, origin)) ? ` Let robots.txt name the sitemap of ${origin} as well.` : ''}`,
  }
}

const maxNamed = 5
const minForeign = 5

/** "lind.github.io/shop/about" of a project is "/about" at a domain of its own, unless a page has the whole path. */
function ownPath({ host, pathname }: URL): string {
  return /\.(?:github|gitlab)\.io$/.test(host) ? pathname.replace(/^\/[^/]+(?=\/)/, '') : pathname
}

/** Whether they are pages of this site under another host. Of a longer list nearly all are unknown where it is that of another site. */
function areOwn(stray: readonly { readonly loc: string }[], { origin, pages }: Site): boolean {
  const known = new Set(
    pages.flatMap(({ url, links }) => [url, ...links.map((link) => link.url)]).map(bareKey),
  )
  const isKnown = (path: string) => known.has(bareKey(`${origin}${path}`))
  const own = stray.filter(({ loc }) => isKnown(new URL(loc).pathname) || isKnown(ownPath(new URL(loc))))
  return stray.length < minForeign || own.length * 4 >= stray.length
}

/** `/about`, `/about/` and `/about.html` are one page. */
function bareKey(url: string): string {
  return addressKey(url)
    .replace(/\/(?:index\.html?)?$/, '')
    .replace(/\.html?$/, '')
}
