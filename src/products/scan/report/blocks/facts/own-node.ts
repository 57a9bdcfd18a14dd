import { isGone } from '../../../findings/document.ts'
import { readReviews } from '../../../signals/answer-signals.ts'
import { type OwnEntity, ownEntities } from '../../../signals/own-entities.ts'
import { readServices } from '../../../signals/services.ts'
import { absolute, addressKey, shown } from '../../../site/addresses.ts'
import { isOfUnknownType, nodesOf, picturesIn, textOf } from '../../../site/html/json-ld.ts'
import { isSamplePhone } from '../../../site/phone-numbers.ts'
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

/** The street of a node, or its address where that is one line. */
export function streetOf({ properties: { address } }: JsonLdNode): string {
  return typeof address === 'object' && address !== null && 'streetAddress' in address
    ? textOf(address.streetAddress)
    : textOf(address)
}

/** What a node says, without the telephone number that came with a template. */
export function withoutSamples(properties: JsonLdNode['properties']): JsonLdNode['properties'] {
  return isSamplePhone(textOf(properties.telephone))
    ? Object.fromEntries(Object.entries(properties).filter(([name]) => name !== 'telephone'))
    : properties
}

/** What a node says, without a rating or reviews that no page shows to its readers: search engines ask that they can see them. */
export function withoutUnseenRating(
  properties: JsonLdNode['properties'],
  site: Site,
): JsonLdNode['properties'] {
  return readReviews(site, readServices(site.pages)).how === 'unseen'
    ? Object.fromEntries(Object.entries(properties).filter(([name]) => !ratings.has(name)))
    : properties
}

const ratings: ReadonlySet<string> = new Set(['aggregateRating', 'review', 'reviews'])

/**
 * What a node says, without the addresses of the site that answered 404 or 410: `url` of a service, inside of it, whose
 * page was never written, and a logo or picture whose file is gone.
 */
export function withoutDeadAddresses(
  properties: JsonLdNode['properties'],
  page: Pick<Page, 'url'>,
  { repliesByAddress }: Pick<Site, 'repliesByAddress'>,
): JsonLdNode['properties'] {
  const isDead = (value: unknown) => {
    const address = typeof value === 'string' ? absolute(value, page.url) : undefined
    const reply = address === undefined ? undefined : repliesByAddress.get(addressKey(address))
    return reply !== undefined && isGone(reply)
  }
  const isDeadPicture = (value: unknown) => {
    const named = picturesIn(value)
    return named.length > 0 && named.every(isDead)
  }
  const livePictures = (value: unknown) =>
    Array.isArray(value) ? value.filter((one) => !isDeadPicture(one)) : value
  const cleaned = (value: unknown, depth: number): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (depth > maxDepth) return null
    if (Array.isArray(value)) return value.map((one) => cleaned(one, depth + 1))
    return Object.fromEntries(
      Object.entries(value)
        .filter(
          ([name, one]) => (name !== 'url' || !isDead(one)) && !(pictures.has(name) && isDeadPicture(one)),
        )
        .map(([name, one]) => [name, cleaned(one, depth + 1)]),
    )
  }
  const entries = Object.entries(properties).filter(
    ([name, value]) => !(pictures.has(name) && isDeadPicture(value)),
  )
  return Object.fromEntries(
    entries.map(([name, value]) => [name, cleaned(pictures.has(name) ? livePictures(value) : value, 0)]),
  )
}

const pictures: ReadonlySet<string> = new Set(['logo', 'image'])

/** What a node says, with the full addresses of its pictures: "img/logo.png" is one only beside the address of the page. */
export function withFullAddresses(
  properties: JsonLdNode['properties'],
  { url }: Pick<Page, 'url'>,
): JsonLdNode['properties'] {
  const full = (value: unknown): unknown => {
    if (typeof value === 'string') return /^\s*(?:#|$)/.test(value) ? value : (absolute(value, url) ?? value)
    if (Array.isArray(value)) return value.map(full)
    if (typeof value !== 'object' || value === null) return value
    return mapped(value, (name) => name === 'url' || name === 'contentUrl')
  }
  const mapped = (record: object, isAddress: (name: string) => boolean) =>
    Object.fromEntries(
      Object.entries(record).map(([name, value]) => [name, isAddress(name) ? full(value) : value]),
    )
  return mapped(properties, (name) => pictures.has(name))
}

/** What lies deeper describes nothing. */
const maxDepth = 20
