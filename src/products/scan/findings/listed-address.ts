import { absolute, addressKey, isSameSite, pathOf } from '../site/addresses.ts'
import { isHtml } from '../site/files/headers.ts'
import { parseHtml } from '../site/html/parse-html.ts'
import { indexBansOf, isUnindexed } from '../site/indexable.ts'
import type { Page, Site } from '../site/site.ts'

/**
 * The address under which a list for engines names a page: its canonical one, where that is another spelling of its own
 * or its own without a query. A canonical address of another path may be a mistake, such as that of the home page on all.
 * So may `index.html` of a copied site be, where the page is at its folder.
 */
export function listedAddress({ $, url }: Page): string {
  const href = ($('link[rel~=canonical i]').first().attr('href') ?? '').trim()
  const canonical = absolute(href, url)
  if (canonical === undefined || !isSameSite(canonical, url)) return url
  if (/^index\.\w{2,5}$/i.test(href) && url.endsWith('/')) return url
  const isOwn = [url, url.replace(/\?.*$/, '')].some((own) => addressKey(own) === addressKey(canonical))
  return isOwn ? atOrigin(canonical, url) : url
}

/** The same path where the site was read. Which host is the right one is decided for all addresses of a block at once. */
export function atOrigin(address: string, base: string): string {
  const { pathname, search } = new URL(address)
  return `${new URL(base).origin}${pathname}${search}`
}

/**
 * Whether a list for engines may name an address of the site, as far as it was read: it is no page for errors, it answered
 * 200, and it does not ask engines to leave it out. Where the home page asks for that as well, it is a fault to mend.
 */
export function isListable(url: string, site: Site): boolean {
  if (isErrorAddress(url)) return false
  const reply = site.repliesByAddress.get(addressKey(url))
  if (reply === undefined) return true
  // A refusal may be meant for robots alone.
  if ([404, 410].includes(reply.status)) return false
  if (site.home === undefined || isUnindexed(site.home) || reply.status !== 200) return true
  const read = site.pages.find((page) => addressKey(page.url) === addressKey(url))
  if (read !== undefined) return !isUnindexed(read)
  const markup = reply.body !== '' && isHtml(reply) ? parseHtml(reply.body) : undefined
  return !indexBansOf(reply, markup).some(({ crawler }) => crawler === undefined)
}

/** Whether its address says that it is the page for errors: `/404.html`. */
function isErrorAddress(url: string): boolean {
  return /\/(?:404|500|error|not-found)(?:\.\w{2,5}|\/)?$/i.test(pathOf(url))
}
