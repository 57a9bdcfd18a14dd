import { isGone } from '../../findings/document.ts'
import { listedAddress } from '../../findings/listed-address.ts'
import { shown } from '../../site/addresses.ts'
import { homeAddress, siteFolder } from '../../site/below-home.ts'
import { repliesFor } from '../../site/capture.ts'
import { isUnindexed } from '../../site/indexable.ts'
import type { Page, Site } from '../../site/site.ts'
import type { Draft } from './block.ts'
import { answeredAddresses, listedPages } from './listed-pages.ts'
import { escaped } from './snippets/escaped.ts'

/**
 * A sitemap of the pages that the scan has read or found to be there, for a site that certainly has none. It names no dates: none were stated.
 * Saved over a file that was not read, it would take the other pages of the site out of the list.
 */
export function sitemapBlock(site: Site): Draft | undefined {
  const { robots, sitemap } = site
  const address = `${siteFolder(homeAddress(site))}sitemap.xml`
  if (!isMissing(address, site) || sitemap.files.some(({ state }) => state === 'ok' || state === 'unread'))
    return undefined
  const pages = listedPages(site.pages, site).filter((page) => isListable(page, site))
  if (pages.length === 0) return undefined
  const known = new Set(pages.map(listedAddress))
  const others = answeredAddresses(site).filter(
    (url) => !known.has(url) && robots.isAllowed('Googlebot', url),
  )
  const addresses = [...known, ...others].map((url) => `  <url><loc>${escaped(url)}</loc></url>`)
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${addresses.join('\n')}
</urlset>
`
  return {
    block: {
      kind: 'sitemap.xml',
      where: [
        `Save it as ${shown(address)}. A page of the site that it lacks, or one that is added later, belongs into it as well. One that engines shall not show (noindex) does not.`,
        ...robotsLine(site, address),
      ].join(' '),
      text,
      missing: [],
    },
    title: 'Publish a sitemap, the list of your pages for search engines.',
    why: 'Search engines read in a sitemap which pages you have. Without one they find only what is linked.',
    pasted: { sitemap: text },
    aims: ['core-snapshot/sitemap', 'freshness-index/coverage'],
  }
}

/** No sitemap was found, so a line that names one leads nowhere. */
function robotsLine({ robots }: Site, address: string): string[] {
  const [named] = robots.sitemaps
  if (robots.state !== 'ok' || named === address) return []
  return named === undefined
    ? [`Then add this line to robots.txt: Sitemap: ${address}`]
    : [`In robots.txt, write this line in place of that with ${shown(named)}: Sitemap: ${address}`]
}

/** The site itself answered that nothing is there. */
function isMissing(address: string, { capture }: Site): boolean {
  return repliesFor(capture, 'sitemap').some((reply) => reply.url === address && isGone(reply))
}

/** A page that asks not to be found, or lies on another host, does not belong into it. */
function isListable(page: Page, { origin, robots }: Site): boolean {
  return new URL(page.url).origin === origin && robots.isAllowed('Googlebot', page.url) && !isUnindexed(page)
}
