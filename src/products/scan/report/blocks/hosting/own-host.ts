import type { Block } from '../../../findings/results.ts'
import { absolute } from '../../../site/addresses.ts'
import { attributeOf, metaOf } from '../../../site/html/elements.ts'
import { nodesOf, textOf } from '../../../site/html/json-ld.ts'
import type { Page, Site } from '../../../site/site.ts'

/**
 * Writes the addresses in a block with the host that the site itself names. Owners type "smile.example" where their
 * canonical links, sitemap and markup say "www.smile.example". A block with the typed host would make the pages name
 * another address than everything else on the site does.
 */
export function atOwnHost(block: Block, site: Site): Block {
  const { typed, own } = hostsOf(site)
  if (own === undefined) return block
  const address = new RegExp(`(?<=https?://)${typed.replaceAll('.', '\\.')}(?![\\w.-])`, 'gi')
  return { ...block, where: block.where.replace(address, own), text: block.text.replace(address, own) }
}

/** The host that was read, and the same with or without "www." where the site says that it is the right one. */
function hostsOf(site: Site): { readonly typed: string; readonly own?: string } {
  const typed = new URL(site.origin).host
  const sibling = typed.startsWith('www.') ? typed.slice('www.'.length) : `www.${typed}`
  const named = addressSources(site).map(
    (addresses) => new Set(addresses.flatMap((one) => URL.parse(one)?.host ?? [])),
  )
  const canonical = named[0]
  const isTypedNamed = named.some((hosts) => hosts.has(typed))
  const count = named.filter((hosts) => hosts.has(sibling)).length
  const isNamed = canonical?.has(sibling) === true || count > 1
  const isDead = site.capture.exchanges.some(
    (one) =>
      one.purpose === 'canonical' &&
      URL.parse(one.url)?.host === sibling &&
      (one.outcome !== 'replied' || one.status !== 200),
  )
  return isNamed && !isTypedNamed && !isDead ? { typed, own: sibling } : { typed }
}

/** The full addresses that the site names as its own: in canonical links, in sitemaps and robots.txt, and in the markup. */
export function addressSources({ pages, sitemap, robots }: Site): readonly (readonly string[])[] {
  return [
    pages.flatMap(canonicalsOf),
    [...sitemap.urls.slice(0, 1_000).map(({ loc }) => loc), ...robots.sitemaps],
    pages.flatMap((page) => [
      metaOf(page, 'og:url'),
      ...nodesOf(page, 'Organization', 'WebSite')
        .filter(({ isTop }) => isTop)
        .map(({ properties }) => textOf(properties.url)),
    ]),
  ]
}

function canonicalsOf({ $, url }: Page): string[] {
  return $('link[rel~=canonical i]')
    .toArray()
    .slice(0, 5)
    .flatMap((link) => {
      const href = attributeOf(link, 'href')
      // A relative link says nothing of the host.
      return /^\s*(?:https?:)?\/\//i.test(href) ? (absolute(href, url) ?? []) : []
    })
}
