import { addressKey, shown } from '../../../site/addresses.ts'
import { isOfUnknownType, nodesOf, textOf } from '../../../site/html/json-ld.ts'
import { isPathOfKind } from '../../../site/kinds/page-kinds.ts'
import type { JsonLdNode, Page, Site } from '../../../site/site.ts'

/**
 * The node on the home page, else one of another page that is about the whole site. A page about one dentist of a
 * practice has a node, too, and what it says of her is not true of the practice.
 */
export function ownNodeOf(pages: readonly Page[], home: Page): { page: Page; node: JsonLdNode } | undefined {
  const start = addressKey(home.url)
  const known = pages.flatMap((page) => nodesOf(page, 'Organization').map((node) => ({ page, node })))
  const unknown = home.jsonLd.nodes.filter(isOfUnknownType).map((node) => ({ page: home, node }))
  return [...known, ...unknown]
    .filter(({ node }) => isOwn(node))
    .find(({ page, node: { properties } }) => {
      const url = textOf(properties.url)
      return page === home || (url === '' ? isAboutSite(page) : addressKey(url) === start)
    })
}

function isAboutSite({ url }: Page): boolean {
  return (['about', 'contact', 'imprint'] as const).some((kind) => isPathOfKind(url, kind))
}

/** A publisher or a customer stands inside another node. */
function isOwn({ isTop, isSchemaOrg }: JsonLdNode): boolean {
  return isTop && isSchemaOrg
}

/** A node that the page has only with the files that a script puts into it stands in one of these. */
export function fileOf(own: JsonLdNode | undefined, { asSent, parts }: Page): string {
  const name = textOf(own?.properties.name)
  const files = parts.flatMap((part) => (part.isRead ? shown(part.name, 60) : []))
  const isSent = asSent.jsonLd.nodes.some(
    ({ types, properties }) => types[0] === own?.types[0] && textOf(properties.name) === name,
  )
  return isSent || files.length === 0 ? '' : `, and it stands in ${[...new Set(files)].join(' or ')}`
}

/**
 * What a node says, without the addresses of the site, inside of its parts, that answered 404 or 410: `url` of a service
 * whose page was never written.
 */
export function withoutDeadAddresses(
  properties: JsonLdNode['properties'],
  { repliesByAddress }: Pick<Site, 'repliesByAddress'>,
): JsonLdNode['properties'] {
  const isDead = (value: unknown) => {
    if (typeof value !== 'string' || !URL.canParse(value)) return false
    const status = repliesByAddress.get(addressKey(value))?.status
    return status === 404 || status === 410
  }
  const cleaned = (value: unknown, depth: number): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (depth > maxDepth) return null
    if (Array.isArray(value)) return value.map((one) => cleaned(one, depth + 1))
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name, one]) => name !== 'url' || !isDead(one))
        .map(([name, one]) => [name, cleaned(one, depth + 1)]),
    )
  }
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, cleaned(value, 0)]))
}

/** What lies deeper describes nothing. */
const maxDepth = 20
