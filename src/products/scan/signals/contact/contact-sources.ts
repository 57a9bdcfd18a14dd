import { pagesOfKind } from '../../site/linked-pages.ts'
import type { Page, Site } from '../../site/site.ts'

/** A page on which a business may say how it can be reached. */
export interface ContactSource {
  readonly page: Page
  /** A contact page or an imprint, where a business writes its own address. */
  readonly isTrusted: boolean
}

/**
 * The pages from which contact facts may be copied: contact pages and imprints first, then the home page, then the
 * others. A privacy notice or terms name the addresses of other firms, whose maps or servers the site uses, so they
 * are left out. A notice that is the imprint as well stays, and is trusted no more than any other page.
 */
export function contactSources(site: Site, home: Page): readonly ContactSource[] {
  const [contact, imprint, privacy, terms] = (['contact', 'imprint', 'privacy', 'terms'] as const).map(
    (kind) => new Set(pagesOfKind(site, kind)),
  )
  const own = [...new Set([...(contact ?? []), ...(imprint ?? [])])]
  const isTrusted = (page: Page) => own.includes(page) && privacy?.has(page) !== true
  const isNotice = (page: Page) => privacy?.has(page) === true || terms?.has(page) === true
  const others = site.pages.filter((page) => page !== home && !isTrusted(page))
  return [
    ...own.filter(isTrusted).map((page) => ({ page, isTrusted: true })),
    ...[home, ...others.filter((page) => own.includes(page) || !isNotice(page))].map((page) => ({
      page,
      isTrusted: false,
    })),
  ]
}
