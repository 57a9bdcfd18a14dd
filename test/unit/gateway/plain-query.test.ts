import { expect, test } from 'vitest'
import type { ExpressionPrice } from '../../../src/core/catalog/prices.ts'
import { requestPrice } from '../../../src/gateway/pricing/expression-price.ts'

/** A query that servers read in different ways costs the maximum, like such a body. */

const price: ExpressionPrice = {
  per: 'request',
  count: 'has(query.n) ? int(query.n) : 1',
  each: '0.01',
  max: '1.00',
}

/** @param query as Node's parser reads it. */
const priceOf = (text: string, query: Readonly<Record<string, unknown>>, asked = price) =>
  requestPrice(asked, { target: `/draw?${text}`, query, params: {}, body: undefined, headers: {} }).price

test.each([
  ['', {}, '0.01'],
  ['n=3', { n: '3' }, '0.03'],
  ['size=L&n=3', { size: 'L', n: '3' }, '0.03'],
  ['tag=a&tag=b&n=3', { tag: ['a', 'b'], n: '3' }, '0.03'],
  ['filter[name]=x%20y&q=red+shoes&n=3', { 'filter[name]': 'x y', q: 'red shoes', n: '3' }, '0.03'],
  ['number=9&not_n=9&n=3', { number: '9', not_n: '9', n: '3' }, '0.03'],
])('the plain query %j costs what it asks for', (text, query, wanted) => {
  expect(priceOf(text, query)).toBe(wanted)
})

test.each([
  ['a name twice', 'n=1&n=50'],
  ['a name twice, with one value', 'n=1&n=1'],
  ['another case', 'N=50'],
  ['another case beside it', 'n=1&N=50'],
  ['a list', 'n[]=50'],
  ['an encoded list', 'n%5B%5D=50'],
  ['an index', 'n=1&n[0]=50'],
  ['a member', 'n.value=50'],
  ['an open bracket', 'n[=50'],
  ['a needless escape', '%6e=50'],
  ['a needless escape beside it', 'n=1&%6E=50'],
  ['a leading blank', '+n=50'],
  ['a leading blank, encoded', 'n=1&%20n=50'],
  ['a trailing blank', 'n%20=50'],
  ['a null', 'n%00x=50'],
  ['a null before it', '%00n=50'],
  ['brackets around it', '[n]=50'],
  ['encoded brackets around it', '%5Bn%5D=50'],
  ['a closing bracket behind it', 'n=1&n]=50'],
  ['an opening bracket before it', 'n=1&[n=50'],
  ['a closing bracket before it', 'n=1&]n=50'],
  ['a dot before it', 'n=1&.n=50'],
  ['a second question mark', '?n=50'],
  ['a second question mark, encoded', '%3Fn=50'],
  ['a member of all objects', '__proto__[n]=50'],
  ['a member of all objects, by another way', 'constructor[prototype][n]=50'],
  ['a wide letter', '%EF%BD%8E=50'],
  ['a semicolon', 'a=1;n=50'],
  ['a semicolon in its value', 'n=1;n=50'],
  ['an escape that is none', '%zz=50'],
  ['a value that cannot be decoded', 'n=%ff'],
  ['a blank before its value', 'n=+1'],
  ['a line end behind its value', 'n=1%0A'],
])('a query with %s costs the maximum', (_label, text) => {
  expect(priceOf(text, {})).toBe('1.00')
  const request = { target: `/draw?${text}`, query: {}, params: {}, body: undefined, headers: {} }
  expect(requestPrice(price, request).whyMaximum).toContain('may read this query in different ways')
})

test('a query whose names hold many letters outside ASCII costs the maximum', () => {
  const query = (letters: number) => `${'%EF%B7%BA'.repeat(letters)}=x&n=5`
  expect([priceOf(query(50), { n: '5' }), priceOf(query(900), { n: '5' })]).toEqual(['0.05', '1.00'])
  expect(priceOf(`q=${'%EF%B7%BA'.repeat(800)}&n=5`, { n: '5' })).toBe('0.05')
})

test.each(['&', ';'])('a query of more than 200 parameters, parted by %s, costs the maximum', (mark) => {
  const query = (others: number) => `n=5&${`a${mark}`.repeat(others)}`
  expect([priceOf(query(150), { n: '5' }), priceOf(query(250), { n: '5' })]).toEqual(['0.05', '1.00'])
})

test('PHP’s spellings of a name with a mark cost the maximum', () => {
  const asked = { ...price, count: 'has(query.page_size) ? int(query.page_size) : 1' }
  expect(priceOf('page_size=2', { page_size: '2' }, asked)).toBe('0.02')
  for (const name of ['page.size', 'page+size', 'page%20size', 'page[size', 'page-size'])
    expect(priceOf(`${name}=90`, {}, asked)).toBe('1.00')
})

test('a name that the expression writes as a text is protected, too', () => {
  const asked = { ...price, count: '"page-size" in query ? int(query["page-size"]) : 1' }
  expect(priceOf('page-size=2', { 'page-size': '2' }, asked)).toBe('0.02')
  expect(priceOf('page-size=2&Page-Size=90', { 'page-size': '2' }, asked)).toBe('1.00')
})

test.each([
  ['query[params.k]', ['N=50&n=1', 'n=1&n[]=50', '%6e=50', 'n=1;m=2', '__proto__=50', 'n.m=50', 'n=1&n=50']],
  ['query.size()', ['a=1&a=2', 'a=1&A=2', 'a[]=1']],
  ['params.k in query ? 1 : 2', ['N=1']],
])('of a query that %s reads, every name must be plain', (read, odd) => {
  const asked = { ...price, count: `int(${read})` }
  const of = (text: string, query: Readonly<Record<string, unknown>>) =>
    requestPrice(asked, {
      target: `/draw?${text}`,
      query,
      params: { k: 'n' },
      body: undefined,
      headers: {},
    }).price
  expect(of('n=1&m-2=x%20y', { n: '1', 'm-2': 'x y' })).not.toBe('1.00')
  for (const text of odd) expect(of(text, { n: '1' })).toBe('1.00')
})

test('a query that the price does not read is not looked at', () => {
  const asked = { ...price, count: 'int(params.n)' }
  const request = { target: '/draw?n=1&n=2', query: {}, params: { n: '4' }, body: undefined, headers: {} }
  expect(requestPrice(asked, request)).toEqual({ price: '0.04' })
})
