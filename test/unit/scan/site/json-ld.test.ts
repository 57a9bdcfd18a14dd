import { describe, expect, test } from 'vitest'
import { nodesOf, textOf } from '../../../../src/products/scan/site/html/json-ld.ts'
import { readPage } from '../../../../src/products/scan/site/page.ts'
import { reply } from '../../../support/scans/captured.ts'

const block = (json: string, type = 'application/ld+json') => `<script type="${type}">${json}</script>`
const read = (html: string) => readPage(reply('https://site.example/', html))
const nodes = (json: unknown) => read(block(JSON.stringify(json))).jsonLd.nodes
const shape = (json: unknown) =>
  nodes(json).map(({ types, isTop, isSchemaOrg }) => [types.join(), isTop, isSchemaOrg])

describe('nodes', () => {
  const context = 'https://schema.org'
  test.each<[string, unknown, unknown]>([
    ['one object', { '@context': context, '@type': 'A' }, [['A', true, true]]],
    [
      'an array',
      [{ '@context': context, '@type': 'A' }, { '@type': 'B' }],
      [
        ['A', true, true],
        ['B', true, false],
      ],
    ],
    [
      'a graph takes its context',
      { '@context': context, '@graph': [{ '@type': 'A' }, { '@type': 'B' }] },
      [
        ['A', true, true],
        ['B', true, true],
      ],
    ],
    [
      'a node inside a node',
      { '@context': context, '@type': 'A', x: [{ y: { '@type': 'B' } }] },
      [
        ['A', true, true],
        ['B', false, true],
      ],
    ],
    ['several types', { '@context': context, '@type': ['A', 'B', 7] }, [['A,B', true, true]]],
    ['types written out', { '@type': 'https://schema.org/A' }, [['A', true, true]]],
    [
      'types with a prefix',
      { '@context': { schema: 'https://schema.org/' }, '@type': 'schema:A' },
      [['A', true, false]],
    ],
    [
      'a context with @vocab',
      { '@context': { '@vocab': 'http://schema.org/' }, '@type': 'A' },
      [['A', true, true]],
    ],
    [
      'a list of contexts',
      { '@context': ['https://w3id.org/x', 'http://www.schema.org'], '@type': 'A' },
      [['A', true, true]],
    ],
    [
      'another context',
      { '@context': 'https://schema.org.evil.example', '@type': 'A' },
      [['A', true, false]],
    ],
    ['no type', { '@context': context, name: 'x' }, [['', true, true]]],
    [
      'references and values are none',
      { '@context': context, '@type': 'A', x: { '@id': '#b' }, y: { '@value': 'z', '@type': 'B' } },
      [['A', true, true]],
    ],
    ['text', 'A', []],
  ])('%s', (_, json, expected) => expect(shape(json)).toEqual(expected))

  test('a JSON-LD node has the written properties without context and type, and inherits none', () => {
    const [node] = nodes({ '@context': context, '@type': 'A', '@id': '#a', name: 'x' })
    expect({ ...node?.properties }).toEqual({ '@id': '#a', name: 'x' })
    expect(node?.properties.constructor).toBeUndefined()
    const [hostile] = read(block('{"@type":"A","__proto__":{"name":"x"}}')).jsonLd.nodes
    expect(hostile?.properties.name).toBeUndefined()
  })

  test('at most 2,000 JSON-LD nodes and 20 levels are read', () => {
    expect(nodes(Array.from({ length: 2_001 }, () => ({ '@type': 'A' }))).length).toBe(2_000)
    const deep = `${'{"@type":"A","x":'.repeat(10_000)}1${'}'.repeat(10_000)}`
    expect(read(block(deep)).jsonLd.nodes.length).toBe(21)
  })
})

describe('blocks', () => {
  test('a JSON-LD block that is no JSON is reported in short and does not hide the other blocks', () => {
    const { blocks, errors, nodes } = read(
      `${block('{"@type": "A",}')}${block('{"@type":"B"}', 'Application/LD+JSON; charset=utf-8')}`,
    ).jsonLd
    expect([blocks, errors.length, nodes.map(({ types }) => types.join())]).toEqual([2, 1, ['B']])
    expect(read(block(`\u202e${'x'.repeat(1_000)}`)).jsonLd.errors[0]).toMatch(/^[^\u202e]{1,160}$/)
  })

  test('scripts of other types are no JSON-LD', () => {
    expect(read(`${block('{}', 'application/json')}<script>{}</script>`).jsonLd).toEqual({
      nodes: [],
      errors: [],
      blocks: 0,
    })
  })

  test('a JSON-LD block of 512 KiB is read, and a longer one is an error', () => {
    const sized = (bytes: number) => block(`"${'x'.repeat(bytes - 2)}"`)
    expect(read(sized(512 * 1024)).jsonLd.errors).toEqual([])
    expect(read(sized(512 * 1024 + 1)).jsonLd.errors).toEqual(['the block is longer than 512 KiB'])
  })
})

test.each([
  ['Organization', 'Dentist', 1],
  ['Organization', 'Corporation', 1],
  ['LocalBusiness', 'Restaurant', 1],
  ['LocalBusiness', 'Corporation', 0],
  ['Article', 'BlogPosting', 1],
  ['Product', 'ProductGroup', 1],
  ['Dentist', 'Organization', 0],
  ['Person', 'Person', 1],
])('asked for %s, a %s counts %i times', (asked, written, count) => {
  expect(nodesOf(read(block(`{"@type":"${written}"}`)), asked, 'Nothing').length).toBe(count)
})

test.each<[unknown, string]>([
  [' a \n b ', 'a b'],
  [3.5, '3.5'],
  [{ '@type': 'Person', name: 'Ann' }, 'Ann'],
  [{ '@value': 'x', name: 'y' }, 'x'],
  [[{}, '', { name: ['Bo'] }], 'Bo'],
  [[[[[[['deep']]]]]], ''],
  [true, ''],
  [null, ''],
  [undefined, ''],
])('as text, %j is %j', (value, expected) => expect(textOf(value)).toBe(expected))
