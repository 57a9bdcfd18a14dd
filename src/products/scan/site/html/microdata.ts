import type { Page } from '../site.ts'
import { attributeOf } from './elements.ts'
import { typesBelow } from './schema-types.ts'

/**
 * Whether a page describes something of these types within its elements, by microdata or RDFa. Engines read both as
 * they read JSON-LD, and the checks read JSON-LD alone. They must not say that something is not described at all.
 * Without types, any type of schema.org counts.
 */
export function hasMicrodata({ elements }: Page, ...types: readonly string[]): boolean {
  const wanted = new Set(types.flatMap((type) => [...typesBelow(type)]))
  return elements.some(({ node }) =>
    writtenTypes(attributeOf(node, 'itemtype'), attributeOf(node, 'typeof')).some(
      (type) => types.length === 0 || wanted.has(type),
    ),
  )
}

function writtenTypes(itemtype: string, typeOf: string): readonly string[] {
  const items = itemtype
    .slice(0, 500)
    .split(/\s+/)
    .flatMap((type) => /^https?:\/\/(?:www\.)?schema\.org\/(\w{1,60})\/?$/i.exec(type)?.[1] ?? [])
  const resources = typeOf
    .slice(0, 500)
    .split(/\s+/)
    .flatMap(
      (type) => /^(?:schema:|https?:\/\/(?:www\.)?schema\.org\/)?([A-Z]\w{1,60})$/.exec(type)?.[1] ?? [],
    )
  return [...items, ...resources]
}
