import { isListable } from '../../findings/listed-address.ts'
import { isSidePage } from '../../findings/side-pages.ts'
import { isSoft404 } from '../../findings/soft-404.ts'
import { absolute, addressKey, isAction } from '../../site/addresses.ts'
import { repliesFor } from '../../site/capture.ts'
import { isHtml } from '../../site/files/headers.ts'
import { forwardTarget } from '../../site/forwarding.ts'
import type { Page, Site } from '../../site/site.ts'

/**
 * The pages that a list for engines names: each once, and no address that does something. A shop shows one page at
 * many addresses and names the canonical one in each. A canonical address counts only between pages of one title,
 * because some sites name their home page as the canonical address of all pages.
 */
export function listedPages(pages: readonly Page[]): readonly Page[] {
  const named = new Map<string, Page>()
  for (const page of pages.filter((one) => !isAction(one.url) && !isSidePage(one))) {
    const key = `${canonicalKey(page)} ${page.title}`
    const known = named.get(key)
    if (known === undefined || (!isCanonical(known) && isCanonical(page))) named.set(key, page)
  }
  const kept = new Set(named.values())
  return pages.filter((page) => kept.has(page))
}

/**
 * Addresses of linked pages that the scan has not read. It asked for each whether it is there, and got the answer 200.
 * Empty where the site answers so for pages that do not exist.
 */
export function answeredAddresses(site: Site): readonly string[] {
  if (isSoft404(site)) return []
  const read = new Set(site.pages.map(({ url }) => addressKey(url)))
  const found = new Map<string, string>()
  for (const reply of repliesFor(site.capture, 'link')) {
    const { finalUrl: url, status } = reply
    const key = addressKey(url)
    if (status !== 200 || !isHtml(reply) || read.has(key) || found.has(key)) continue
    // It only sends browsers on to another page.
    if (forwardTarget(reply) !== undefined) continue
    // "?service=implants" fills in a form of a page that was read.
    if (url.includes('?') && read.has(addressKey(url.replace(/\?.*$/, '')))) continue
    // "/index" is the page of its folder once more.
    if (read.has(addressKey(url.replace(/\/index(?:\.\w{2,5})?$/i, '/')))) continue
    if (
      new URL(url).origin === site.origin &&
      isListable(url, site) &&
      !isAction(url) &&
      // "//" is the home page once more, by a slip in a link.
      !new URL(url).pathname.includes('//') &&
      !isSidePage({ url, title: '' })
    )
      found.set(key, url)
  }
  return [...found.values()]
}

function isCanonical(page: Page): boolean {
  return canonicalKey(page) === addressKey(page.url)
}

function canonicalKey({ $, url }: Page): string {
  const canonical = absolute($('link[rel~=canonical i]').first().attr('href') ?? '', url)
  return addressKey(canonical ?? url)
}
