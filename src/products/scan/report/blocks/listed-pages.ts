import { isSidePage } from '../../findings/side-pages.ts'
import { absolute, addressKey, isAction } from '../../site/addresses.ts'
import type { Page } from '../../site/site.ts'

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

function isCanonical(page: Page): boolean {
  return canonicalKey(page) === addressKey(page.url)
}

function canonicalKey({ $, url }: Page): string {
  const canonical = absolute($('link[rel~=canonical i]').first().attr('href') ?? '', url)
  return addressKey(canonical ?? url)
}
