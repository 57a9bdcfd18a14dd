import type { CheerioAPI } from 'cheerio'
import { shown } from '../addresses.ts'
import type { JsonLd, JsonLdNode, Page } from '../site.ts'
import { isOfOtherKind, typesBelow } from './schema-types.ts'
import { oneLine } from './visible-text.ts'

/**
 * Reads the JSON-LD of a page as a flat list of nodes. Sites nest facts in every way that the format allows
 * (in
 * @graph, in arrays, in one another), and a check that read only the top level would call them missing.
 * Contexts are not fetched: nodes are read as they are written.
 */
export function readJsonLd($: CheerioAPI): JsonLd {
  const nodes: JsonLdNode[] = []
  const errors: string[] = []
  const scripts = $('script[type]')
    .toArray()
    .filter(({ attribs }) => /^\s*application\/ld\+json\s*(?:;|$)/i.test(attribs.type ?? ''))
  for (const script of scripts.slice(0, maxBlocks)) {
    const block = parseBlock($(script).text())
    if ('error' in block) errors.push(block.error)
    else collect(block.value, { isTop: true, isSchemaOrg: false, depth: 0 }, nodes)
  }
  return { nodes, errors, blocks: scripts.length }
}

const maxBlocks = 100
const maxBlockBytes = 512 * 1024
const maxNodes = 2_000
const maxDepth = 20

function parseBlock(text: string): { value: unknown } | { error: string } {
  if (Buffer.byteLength(text) > maxBlockBytes) return { error: 'the block is longer than 512 KiB' }
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return { error: shown(error instanceof Error ? error.message : String(error), 160) }
  }
}

interface Place {
  readonly isTop: boolean
  readonly isSchemaOrg: boolean
  readonly depth: number
}

function collect(value: unknown, place: Place, nodes: JsonLdNode[]): void {
  if (place.depth > maxDepth || nodes.length >= maxNodes) return
  if (Array.isArray(value)) {
    for (const member of value) collect(member, { ...place, depth: place.depth + 1 }, nodes)
    return
  }
  if (!isRecord(value) || '@value' in value) return
  const { '@context': context, '@type': type, '@graph': graph, ...properties } = value
  const written = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string').slice(0, 20)
  const isSchemaOrg = context === undefined ? place.isSchemaOrg : isSchemaOrgContext(context)
  if (written.length > 0 || (place.isTop && graph === undefined)) {
    nodes.push({
      types: written.map((one) => one.trim().replace(schemaOrgPrefix, '')),
      isTop: place.isTop,
      isSchemaOrg:
        isSchemaOrg || written.some((one) => /^\s*https?:/i.test(one) && schemaOrgPrefix.test(one.trim())),
      properties: Object.assign(Object.create(null), properties),
    })
  }
  const inside = { isSchemaOrg, depth: place.depth + 1 }
  collect(graph, { ...inside, isTop: true }, nodes)
  for (const member of Object.values(properties)) collect(member, { ...inside, isTop: false }, nodes)
}

/** Whether it is an object of JSON: no list, and not null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isSchemaOrgContext(context: unknown): boolean {
  if (typeof context === 'string') return /^\s*https?:\/\/(?:www\.)?schema\.org(?:[/#]|\s*$)/i.test(context)
  if (Array.isArray(context))
    return context.slice(0, 20).some((one) => !Array.isArray(one) && isSchemaOrgContext(one))
  return isRecord(context) && typeof context['@vocab'] === 'string' && isSchemaOrgContext(context['@vocab'])
}

const schemaOrgPrefix = /^(?:https?:\/\/(?:www\.)?schema\.org[/#]|schema:)/i

/**
 * The nodes of these types in page order, including common subtypes of `Organization`, `Article` and
 * `Product`.
 */
export function nodesOf(page: Page, ...types: string[]): JsonLdNode[] {
  const wanted = new Set(types.flatMap((type) => [...typesBelow(type)]))
  return page.jsonLd.nodes.filter((node) => node.types.some((type) => wanted.has(type)))
}

/**
 * The type of a node as its markup writes it, where it is one word: what else stands there would be read as an order of ours.
 * @param otherwise what it is called without such a type
 */
export function typeName({ types }: JsonLdNode, otherwise = 'Organization'): string {
  return types.find((type) => /^[A-Z][A-Za-z]{1,40}$/.test(type)) ?? otherwise
}

/**
 * Whether a node describes a business by a type that schema.org does not have, such as "DentalClinic": it has a name, and
 * an address or a telephone number; both where it has no url.
 */
export function isOfUnknownType({ types, properties }: JsonLdNode): boolean {
  const [type = ''] = types
  if (!/^[A-Z][A-Za-z]{1,60}$/.test(type) || isOfOtherKind(type) || typesBelow('Organization').includes(type))
    return false
  if (textOf(properties.name) === '') return false
  const [hasPhone, hasAddress] = ['telephone' in properties, 'address' in properties]
  return textOf(properties.url) === '' ? hasPhone && hasAddress : hasPhone || hasAddress
}

/** The addresses that `logo` or `image` names: as text, as an ImageObject, or as a list of both. */
export function picturesIn(value: unknown): string[] {
  return [value]
    .flat()
    .slice(0, 10)
    .flatMap((one) => {
      const address = isRecord(one) ? (one.url ?? one.contentUrl) : one
      return typeof address === 'string' && address.trim() !== '' ? [address.trim()] : []
    })
}

/**
 * A property as text: a string or number, the name or @value of a node, or the first of an array with text.
 */
export function textOf(value: unknown): string {
  return textAt(value, 0)
}

function textAt(value: unknown, depth: number): string {
  if (typeof value === 'string') return oneLine(value)
  if (typeof value === 'number') return String(value)
  if (depth > 4) return ''
  if (Array.isArray(value)) {
    for (const member of value.slice(0, 100)) {
      const text = textAt(member, depth + 1)
      if (text !== '') return text
    }
    return ''
  }
  if (!isRecord(value)) return ''
  return textAt(Object.hasOwn(value, '@value') ? value['@value'] : value.name, depth + 1)
}
