import { isGone } from '../../../findings/document.ts'
import { type OwnEntity, ownEntities } from '../../../signals/own-entities.ts'
import { addressKey, shown } from '../../../site/addresses.ts'
import { isOfUnknownType, nodesOf, textOf } from '../../../site/html/json-ld.ts'
import type { JsonLdNode, Page, Site } from '../../../site/site.ts'

/**
 * The node of the business that a block completes. One inside of another node is left where it is, and a person is completed
 * by no block of a business.
 */
export function ownNodeOf(site: Site): OwnEntity | undefined {
  return ownEntities(site).find(
    ({ page, node }) =>
      node.isTop &&
      node.isSchemaOrg &&
      (isOfUnknownType(node) || nodesOf(page, 'Organization').includes(node)),
  )
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
    const reply = repliesByAddress.get(addressKey(value))
    return reply !== undefined && isGone(reply)
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
