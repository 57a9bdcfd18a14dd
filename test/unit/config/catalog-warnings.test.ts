import { describe, expect, test } from 'vitest'
import { checkCatalog } from '../../../src/platform/config/catalog-file.ts'

/** What `pricing check` warns of: routes by which a server may give away what another route sells. */

function warnings(...operations: readonly string[]): string[] {
  const entries = operations.map((entry, index) => `  op${'abcdef'[index]}: { ${entry}, description: D. }\n`)
  const result = checkCatalog(
    `provider: { name: Example, description: Sells examples. }
upstreams:
  one: { prefix: /one, targets: ["https://one.example"] }
  two: { prefix: /two, targets: ["https://two.example"] }
operations:
${entries.join('')}`,
    { operationIds: [], prefixes: [] },
  )
  if ('faults' in result) throw new Error(JSON.stringify(result.faults))
  return result.warnings.map(
    ({ line, path, message }) => `${line} ${path}: ${/beside it: (.*?)\. /.exec(message)?.[1]}`,
  )
}

const open = (route: string, upstream = 'one') => `access: open, upstream: ${upstream}, route: "${route}"`
const sold = (route: string, price = '"0.10"') =>
  `access: price, upstream: one, route: "${route}", price: ${price}`
const limited = (route: string, more = '') =>
  `access: optional, upstream: one, route: "${route}", free: 3/day${more}`

test('a priced route beside an open one that covers other names of it is warned of at its route', () => {
  expect(warnings(sold('GET /premium.html'), open('GET /*'))).toEqual(['6 operations.opa.route: opb (/*)'])
  expect(warnings(open('GET /docs/*'), open('GET /*'), sold('GET,POST /docs/{name}'))).toEqual([
    '8 operations.opc.route: opa (/docs/*), opb (/*)',
  ])
})

describe('a warning is given for', () => {
  test.each([
    ['a parameter in place of the name', [sold('GET /a/premium.html'), open('GET /a/{name}')]],
    ['an index file', [sold('GET /premium/index.html'), open('GET /{name}')]],
    ['what follows a script', [sold('GET /premium.php'), open('GET /premium.php/*')]],
    ['a priced folder in an open one', [sold('GET /premium/*'), open('GET /*')]],
    ['a parameter in the folder', [sold('GET /a/b/premium.html'), open('GET /{x}/b/*')]],
    ['HEAD, which GET includes', [sold('HEAD /premium.html'), open('GET /*')]],
    ['a free quota', [sold('GET /premium.html'), limited('GET /*')]],
    ['a free quota beside the same price', [sold('GET /premium.html'), limited('GET /*', ', price: "0.10"')]],
    ['a lower price', [sold('GET /premium.html'), sold('GET /*', '"0.09"')]],
    [
      'a price that can be lower',
      [sold('GET /premium.html'), sold('GET /*', '{ per: bytes, output: "0.01", max: "1.00" }')],
    ],
    ['what needs a key', ['access: key, upstream: one, route: "GET /premium.html"', open('GET /*')]],
  ])('%s', (_what, operations) => {
    expect(warnings(...operations)).toEqual([expect.stringMatching(/^6 operations\.opa\.route: opb/)])
  })
})

describe('no warning is given for', () => {
  const metered = '{ per: bytes, output: "0.01", max: "1.00" }'
  test.each([
    ['another method', [sold('POST /premium.html'), open('GET /*')]],
    ['another upstream', [sold('GET /premium.html'), open('GET /*', 'two')]],
    ['another folder', [sold('GET /premium/a.html'), open('GET /free/*')]],
    ['a longer path than a parameter covers', [sold('GET /premium'), open('GET /premium/{name}')]],
    ['an exception from what is sold', [sold('GET /*'), open('GET /free/*')]],
    ['an equal price', [sold('GET /premium.html'), sold('GET /*')]],
    ['a higher price', [sold('GET /premium.html'), sold('GET /*', '"0.11"')]],
    ['the same price per unit', [sold('GET /premium.html', metered), sold('GET /*', metered)]],
    ['the same quota', [limited('GET /a', ', price: "0.10"'), limited('GET /*', ', price: "0.10"')]],
    ['what is free', [open('GET /a'), open('GET /*')]],
    ['fixed routes', [sold('GET /premium.html'), open('GET /premium')]],
  ])('%s', (_what, operations) => {
    expect(warnings(...operations)).toEqual([])
  })
})

describe('a listing', () => {
  const ways = (operation: string) =>
    checkCatalog(
      `provider: { name: Example, description: Sells examples. }
upstreams: { one: { prefix: /one, targets: ["https://one.example"] } }
operations:
  opa: { ${operation}, upstream: one, route: "GET /a", description: D. }
`,
      { operationIds: [], prefixes: [] },
    )
  const paid = (listing: string) => `access: price, price: "0.10", listing: { ${listing} }`

  test('is read with its facilitator and interval', () => {
    const result = ways(paid('facilitator: "https://lists.example/", every: 14d'))
    if ('faults' in result) throw new Error(JSON.stringify(result.faults))
    const { opa } = result.catalog.operations
    expect(opa?.priced?.listing).toEqual({ facilitator: 'https://lists.example', everyDays: 14 })
    expect(result.warnings).toEqual([])
  })

  test('with more than 30 days is warned of, because the facilitator drops the operation before', () => {
    const result = ways(paid('facilitator: cdp, every: 31d'))
    expect('warnings' in result && result.warnings).toMatchObject([
      { path: 'operations.opa.listing.every', message: expect.stringContaining('30 days') },
    ])
  })

  test.each([
    ['an unknown facilitator', paid('facilitator: payai, every: 14d'), 'listing.facilitator', 'must be cdp'],
    [
      'the built-in facilitator',
      paid('facilitator: local, every: 14d'),
      'listing.facilitator',
      'lists nothing',
    ],
    [
      'an address without TLS',
      paid('facilitator: "http://a.example", every: 14d'),
      'listing.facilitator',
      'https',
    ],
    ['an interval of zero', paid('facilitator: cdp, every: 0d'), 'listing.every', 'above zero, like 14d'],
    ['an interval without its unit', paid('facilitator: cdp, every: "14"'), 'listing.every', 'like 14d'],
    ['an interval that is missing', paid('facilitator: cdp'), 'listing.every', 'is missing'],
    [
      'an open operation',
      'access: open, listing: { facilitator: cdp, every: 14d }',
      'listing',
      'with a price',
    ],
    [
      'a free quota without a price',
      'access: optional, free: 3/day, listing: { facilitator: cdp, every: 14d }',
      'listing',
      'needs a price',
    ],
  ])('for %s is a fault at its key', (_what, operation, key, message) => {
    const result = ways(operation)
    expect('faults' in result && result.faults).toMatchObject([
      { line: 4, path: `operations.opa.${key}`, message: expect.stringContaining(message) },
    ])
  })
})
