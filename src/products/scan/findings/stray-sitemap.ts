import { addressKey, isSameSite, shown } from '../site/addresses.ts'
import type { Site } from '../site/site.ts'
import { counted } from './share.ts'

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
export function straySitemap({ sitemap: { urls }, origin, pages }: Site): StraySitemap | undefined {
  const stray = urls.filter(({ loc }) => !isSameSite(loc, origin))
  const [first] = stray
  if (first === undefined || stray.length * 2 <= urls.length) return undefined
  const { host, pathname, search } = new URL(first.loc)
  // "lind.github.io/shop/about" of a project is "/about" at a domain of its own, unless a page has the whole path.
  const isKept = pages.some(({ url }) => addressKey(url) === addressKey(`${origin}${pathname}`))
  const path =
    /\.(?:github|gitlab)\.io$/.test(host) && !isKept ? pathname.replace(/^\/[^/]+(?=\/)/, '') : pathname
  const quote = `${stray.length} of ${counted(urls.length, 'page')} on ${shown(host)}`
  return {
    quote,
    reason: `The sitemap can be read, and its addresses lie elsewhere: ${quote} or other hosts. Crawlers pass over them and learn no page of this site.`,
    fix: `Write the addresses with ${origin}, for example ${shown(`${origin}${path}${search}`)}. Where a program makes the file, its setting for the address of the site names ${shown(host)}.`,
  }
}
