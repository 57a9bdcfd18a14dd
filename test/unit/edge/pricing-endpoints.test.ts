import { describe, expect, test } from 'vitest'
import { bind, type Endpoint } from '../../../src/core/endpoint.ts'
import type { Reply } from '../../../src/core/reply.ts'
import {
  type PricingDocument,
  pricingHandlers,
  pricingRows,
  pricingSchema,
} from '../../../src/edge/handlers/service/pricing.ts'
import { contextOf, noHeaders } from '../../support/gateways/context.ts'

const document: PricingDocument = {
  provider: 'Example',
  description: 'Sells examples.',
  website: 'https://example.com',
  protocol: 'x402',
  network: 'base',
  asset: 'USDC',
  recipient: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  services: [],
  freeOperations: [],
  tiers: [],
}
const endpoints = bind(
  pricingRows,
  pricingHandlers({
    catalog: () => document,
    document: () => document,
    markdown: () => '# Prices\n',
    page: () => ({ html: '<!doctype html>', headers: { 'content-security-policy': "default-src 'none'" } }),
  }),
)

function find(path: string): Endpoint {
  const found = endpoints.find((row) => row.path === path)
  if (!found) throw new Error(`no endpoint at ${path}`)
  return found
}

/** As everyone gets it while the operation is open. */
function get(path: string, accept = ''): Reply {
  const reply = find(path).document?.({ accept, ifNoneMatch: undefined }, {})
  if (!reply) throw new Error(`no document at ${path}`)
  return reply
}

const bodyOf = (reply: Reply) => new TextDecoder().decode(reply.body)

describe('GET /pricing replies in the form that the caller prefers:', () => {
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'
  test.each([
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    ['application/json, text/plain, */*', 'application/json'],
    ['text/html;q=0.5, application/json', 'application/json'],
    ['text/html;q=0.9, application/*;q=0.91', 'application/json'],
    ['text/html;q=0, */*', 'application/json'],
    ['image/png', 'application/json'],
    ['not a media type', 'application/json'],
    ['text/html;q=broken', 'application/json'],
    [browser, 'text/html'],
    ['text/html', 'text/html'],
    ['TEXT/HTML', 'text/html'],
    ['text/*', 'text/html'],
    ['text/html, application/json', 'text/html'],
    ['application/json;q=0.2, text/html;q=0.3', 'text/html'],
    ['text/html, */*', 'text/html'],
  ])('Accept "%s" gets %s', (accept, type) => {
    const reply = get('/pricing', accept)
    expect(reply.status).toBe(200)
    expect(reply.headers['content-type']).toBe(`${type}; charset=utf-8`)
    expect(reply.headers.vary).toBe('Accept')
    expect(reply.headers['cache-control']).toBe('public, max-age=60')
  })

  test('as JSON it is the pricing document', () => {
    const sent: unknown = JSON.parse(bodyOf(get('/pricing')))
    expect(pricingSchema.parse(sent)).toEqual(document)
  })

  test('as a page it has its content security policy', () => {
    const reply = get('/pricing', 'text/html')
    expect(bodyOf(reply)).toBe('<!doctype html>')
    expect(reply.headers['content-security-policy']).toBe("default-src 'none'")
  })
})

test.each(['/pricing.md', '/.well-known/pricing.md'])('GET %s replies with the same markdown', (path) => {
  const reply = get(path, 'text/html')
  expect(reply).toMatchObject({
    status: 200,
    headers: { 'content-type': 'text/markdown; charset=utf-8', 'cache-control': 'public, max-age=60' },
  })
  expect(bodyOf(reply)).toBe('# Prices\n')
})

test('a price list that the catalog closes is for no shared cache', async () => {
  const reply = await find('/pricing').prepare({})(contextOf({ headers: noHeaders }))
  expect(reply.headers['cache-control']).toBe('private, no-cache')
})

test('each address of the price list has its own operation id', () => {
  expect(endpoints.map(({ id, method, path }) => `${id} ${method} ${path}`)).toEqual([
    'getPricing GET /pricing',
    'getPricingMarkdown GET /pricing.md',
    'getWellKnownPricing GET /.well-known/pricing.md',
  ])
})
