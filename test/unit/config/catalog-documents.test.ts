import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { catalogJsonSchema } from '../../../src/core/catalog/catalog-schema.ts'

const read = (name: string) => readFileSync(new URL(`../../../pricing/${name}`, import.meta.url), 'utf8')

test('the committed JSON Schema is the one that the schema in code generates', () => {
  expect(
    read('catalog.schema.json'),
    'write it anew: npm run -s tollgate -- pricing schema > pricing/catalog.schema.json',
  ).toBe(catalogJsonSchema())
})

/** Every key that a catalog may have, at any depth. */
function keys(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(keys)
  if (typeof schema !== 'object' || schema === null) return []
  const own = 'properties' in schema ? Object.keys(Object(schema.properties)) : []
  return [...own, ...Object.values(schema).flatMap(keys)]
}

describe('pricing/README.md explains every key of a catalog:', () => {
  const all = [...new Set(keys(JSON.parse(catalogJsonSchema())))]
  test.each(all)('%s', (key) => {
    expect(read('README.md')).toContain(`\`${key}\``)
  })
  test('the keys are found in the schema', () => {
    expect(all).toEqual(expect.arrayContaining(['provider', 'price', 'validity_seconds']))
  })
})
