import { describe, expect, test } from 'vitest'
import { readLinkHeader } from '../../../../src/products/scan/site/files/link-header.ts'

const base = 'https://site.example/a/'
/** `address rel,rel type` of each link. */
const read = (...values: string[]) =>
  readLinkHeader(values, base).map(({ url, rels, type }) => `${url} ${rels.join('+')} ${type}`.trim())

describe('a Link header as RFC 8288 writes it', () => {
  test.each([
    ['a target that is relative to the page', '<b>; rel=next', ['https://site.example/a/b next']],
    [
      'several links',
      '</x>; rel=next, </y>; rel=prev',
      ['https://site.example/x next', 'https://site.example/y prev'],
    ],
    [
      'several relations and a type',
      '</x>; rel="A  service-desc"; TYPE="Text/HTML"',
      ['https://site.example/x a+service-desc text/html'],
    ],
    ['a comma inside a target', '</x,y>; rel=a', ['https://site.example/x,y a']],
    [
      'a parameter without a value before the next link',
      '</x>; rel=a; crossorigin, </y>; rel=b',
      ['https://site.example/x a', 'https://site.example/y b'],
    ],
    [
      'separators inside quotes',
      '</x>; title="a; rel=b, <y>; \\"rel=c"; rel=d',
      ['https://site.example/x d'],
    ],
    ['white space around everything', '  <  /x  >  ;  rel = "a" ', ['https://site.example/x a']],
    [
      'a relation that comes twice, of which the first counts',
      '</x>; rel=a; rel=b',
      ['https://site.example/x a'],
    ],
    ['an empty relation', '</x>; rel=""', ['https://site.example/x']],
    ['a target without parameters', '</x>', ['https://site.example/x']],
  ])('is read with %s', (_, value, expected) => {
    expect(read(value)).toEqual(expected)
  })

  test('is one list with the lines that follow it', () => {
    expect(read('</x>; rel=a', '</y>; rel=b')).toEqual([
      'https://site.example/x a',
      'https://site.example/y b',
    ])
  })
})

describe('a Link header that is malformed or hostile', () => {
  test.each([
    ['text between links', 'x, </y>; rel=b, z; rel=c', ['https://site.example/y b']],
    ['a target that is not closed', '</x; rel=a, </y>; rel=b', ['https://site.example/y b']],
    ['a quote that is not closed', '</x>; rel="a; rel=b', ['https://site.example/x a;+rel=b']],
    ['an address that cannot be read', '<http://[>; rel=a, </y>; rel=b', ['https://site.example/y b']],
    [
      'a parameter that is called like a property',
      '</x>; uri=/z; __proto__=q; rel=a',
      ['https://site.example/x a'],
    ],
    [
      'an encoded title that cannot be decoded',
      "</x>; title*=UTF-8''%ff; title*=; rel=a",
      ['https://site.example/x a'],
    ],
  ])('still gives its other links: %s', (_, value, expected) => {
    expect(read(value)).toEqual(expected)
  })

  test('gives at most 50 links, and nothing from beyond 16,384 characters of a line', () => {
    expect(read('</x>; rel=a,'.repeat(1_000))).toHaveLength(50)
    expect(read(`${' '.repeat(16_384)}</x>; rel=a`)).toEqual([])
  })

  test.each([
    ['opened targets', '<'.repeat(65_536)],
    ['quotes', '<>;a="'.repeat(10_000)],
    ['escapes', `<>;a="${'\\"'.repeat(32_000)}`],
    ['names and spaces', `<>;${'a '.repeat(32_000)}`],
    ['equal signs', `<>;${'a='.repeat(32_000)}`],
    ['parameters and a relation of spaces', `<>;${'a=1;'.repeat(3_000)}rel="${' '.repeat(20_000)}"`],
  ])('gives at most 50 links when it is 64 KiB of %s', (_, value) => {
    expect(read(value).length).toBeLessThanOrEqual(50)
  })
})
