import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { catalogSchema } from '../../../src/core/catalog/catalog-schema.ts'
import { endpoint, noInput } from '../../../src/core/endpoint.ts'
import { json } from '../../../src/core/reply.ts'
import {
  type PricingInput,
  pricingDocument,
  pricingOverview,
} from '../../../src/edge/discovery/pricing/document.ts'
import { pricingMarkdown } from '../../../src/edge/discovery/pricing/markdown.ts'
import { renderPricingPage } from '../../../src/edge/discovery/pricing/page.ts'
import { pricingSchema } from '../../../src/edge/handlers/service/pricing.ts'

const handle = () => json(200, {})
const endpoints = [
  endpoint(
    'analyzeBusiness',
    {
      ...noInput,

      method: 'POST',
      path: '/api/analyze',
      body: z.strictObject({
        businessName: z.string().max(200),
        website: z.url().optional(),
        depth: z.enum(['short', 'long']).default('short'),
        tags: z.array(z.string()).optional(),
      }),
      response: z.object({
        success: z.boolean(),
        analysis: z.object({
          businessName: z.string(),
          score: z.int().optional(),
          generatedAt: z.iso.datetime(),
        }),
        note: z.string().nullable().optional(),
      }),
    },
    handle,
  ),
  endpoint(
    'writeBlog',
    {
      ...noInput,

      method: 'POST',
      path: '/api/content/blog',
      body: z.object({}),
      response: z.object({}),
    },
    handle,
  ),
  endpoint(
    'getHealth',
    {
      ...noInput,

      method: 'GET',
      path: '/api/health',

      response: z.object({}),
    },
    handle,
  ),
  ...['buyKey', 'renewKey'].map((id) =>
    endpoint(
      id,
      {
        ...noInput,

        method: 'POST',
        path: id === 'buyKey' ? '/api/keys' : '/api/keys/renew',
        body: z.object({ tier: z.string() }),
        response: z.object({}),
      },
      handle,
    ),
  ),
  endpoint(
    'getKeyUsage',
    {
      ...noInput,

      method: 'GET',
      path: '/api/keys/usage',

      response: z.object({}),
    },
    handle,
  ),
  endpoint('notServed', { ...noInput, method: 'GET', path: '/hidden', response: z.object({}) }, handle),
]
const hostile = '<script>alert(1)</script> | a\n\n# b `c` [d](javascript:e) "f" \'g\' &lt;'

function input(
  description = 'Analyses a business.',
  operations: Record<string, unknown> = {},
  tiers: Record<string, unknown> = {},
): PricingInput {
  return {
    catalog: catalogSchema([]).parse({
      provider: { name: 'Example & Sons', description },
      upstreams: { llm: { prefix: '/llm', targets: ['https://llm.example'] } },
      operations: {
        writeBlog: { access: 'price', price: '1', description: 'Writes.' },
        analyzeBusiness: { access: 'price', price: '0.1', description },
        getHealth: { access: 'open', description },
        ...operations,
      },
      tiers,
    }),
    endpoints,
    network: { name: 'base' },
    chain: 'public',
    payTo: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    baseUrl: 'https://scan.example',
    paymentsBaseUrl: 'https://pay.example',
  }
}

/** An operation with a free quota and a price, keys for sale and keys that are not. */
function inputWithDoors(description = 'Subscribes.'): PricingInput {
  const sale = { access: 'tier', description }
  return input(
    'Analyses a business.',
    {
      analyzeBusiness: {
        access: 'optional',
        price: '0.1',
        free: '3/day',
        rate: '6/minute',
        description: 'A.',
      },
      buyKey: sale,
      renewKey: sale,
      getKeyUsage: { access: 'holder', description },
    },
    {
      starter: {
        description,
        price: '9',
        days: 31,
        rate: '30/second',
        operations: { analyzeBusiness: ['20/day', '150/month'], writeBlog: 'unlimited', notServed: '1/day' },
      },
      friends: { description, rate: '9/hour', operations: { analyzeBusiness: '5/month' } },
    },
  )
}

describe('the pricing document', () => {
  test('has exactly the fields of specification 4.15, and in addition the free operations and the tiers', () => {
    const specified = z.strictObject({
      provider: z.literal('Example & Sons'),
      description: z.string(),
      website: z.literal('https://scan.example/pricing'),
      protocol: z.literal('x402'),
      network: z.literal('base'),
      asset: z.literal('USDC'),
      recipient: z.literal('0x70997970C51812dc3A010C7d01b50e0d17dc79C8'),
      services: z
        .array(
          z.strictObject({
            endpoint: z.string().regex(/^(GET|POST) \/\S+$/),
            price: z.string().regex(/^\$\d+\.\d{2,6}$/),
            priceUSDC: z.string().regex(/^\d+\.\d{2,6}$/),
            description: z.string(),
            input: z.record(z.string(), z.string()),
            output: z.record(z.string(), z.string()),
          }),
        )
        .length(2),
      freeOperations: z.array(
        z.strictObject({
          endpoint: z.literal('GET /api/health'),
          free: z.literal('unlimited'),
          description: z.literal('Analyses a business.'),
        }),
      ),
      tiers: z.tuple([]),
    })
    const sent: unknown = JSON.parse(JSON.stringify(pricingDocument(input())))
    expect(specified.parse(sent)).toEqual(sent)
    expect(pricingSchema.parse(sent)).toEqual(sent)
  })

  test('lists the priced operations only, in the order of the endpoint table, with two decimals', () => {
    const { services } = pricingDocument(input())
    expect(services.map(({ endpoint, price, priceUSDC }) => [endpoint, price, priceUSDC])).toEqual([
      ['POST /api/analyze', '$0.10', '0.10'],
      ['POST /api/content/blog', '$1.00', '1.00'],
    ])
  })

  test('describes types, limits and optional fields by the schemas that check the call', () => {
    expect(pricingDocument(input()).services[0]).toMatchObject({
      input: {
        businessName: 'string, required (up to 200 characters)',
        website: 'string, optional (URL)',
        depth: 'string, optional (short or long)',
        tags: 'array of string, optional',
      },
      output: {
        success: 'boolean',
        analysis: 'object {businessName: string, score?: integer, generatedAt: string (ISO 8601 date-time)}',
        note: 'string or null, optional',
      },
    })
  })

  test('lists a priced operation with its free quota, and a free operation with its limits', () => {
    const { services, freeOperations } = pricingDocument(inputWithDoors())
    expect(services.map(({ endpoint, price, free }) => [endpoint, price, free])).toEqual([
      ['POST /api/analyze', '$0.10', '3/day, 6/minute'],
      ['POST /api/content/blog', '$1.00', undefined],
    ])
    expect(freeOperations.map(({ endpoint, free }) => [endpoint, free])).toEqual([
      ['POST /api/analyze', '3/day, 6/minute'],
      ['GET /api/health', 'unlimited'],
    ])
    expect(pricingSchema.parse(JSON.parse(JSON.stringify(pricingDocument(inputWithDoors()))))).toEqual(
      pricingDocument(inputWithDoors()),
    )
  })

  test('lists a free operation without a price, which no payment opens', () => {
    const free = { access: 'optional', rate: '6/minute', description: 'A.' }
    const { services, freeOperations } = pricingDocument(input('A.', { analyzeBusiness: free }))
    expect(services.map(({ endpoint }) => endpoint)).toEqual(['POST /api/content/blog'])
    expect(freeOperations[0]).toMatchObject({ endpoint: 'POST /api/analyze', free: '6/minute' })
  })

  test('shows for each tier the served operations it covers, its rate, its price and how to buy it', () => {
    expect(pricingDocument(inputWithDoors()).tiers).toEqual([
      {
        name: 'starter',
        description: 'Subscribes.',
        price: '$9.00',
        priceUSDC: '9.00',
        days: 31,
        rate: '30/second',
        operations: { 'POST /api/analyze': '20/day, 150/month', 'POST /api/content/blog': 'unlimited' },
        buy: 'Send POST /api/keys with {"tier":"starter"} and an Idempotency-Key header of at least 16 random characters, and pay as for any call. POST /api/keys/renew with {"keyId":"…"}, the 16 characters behind tgk_ in the key, adds 31 days.',
      },
      {
        name: 'friends',
        description: 'Subscribes.',
        price: null,
        priceUSDC: null,
        days: null,
        rate: '9/hour',
        operations: { 'POST /api/analyze': '5/month' },
        buy: 'Keys of this tier come from the operator.',
      },
    ])
  })

  test('names no price of a tier when no endpoint sells keys', () => {
    const { catalog, ...rest } = inputWithDoors()
    const { buyKey: _, ...operations } = catalog.operations
    const [starter] = pricingDocument({ ...rest, catalog: { ...catalog, operations } }).tiers
    expect(starter).toMatchObject({
      price: null,
      priceUSDC: null,
      days: null,
      buy: 'Keys of this tier come from the operator.',
    })
  })

  test('names the website of the catalog when there is one', () => {
    const { catalog, ...rest } = input()
    const provider = { ...catalog.provider, website: 'https://example.com' }
    expect(pricingDocument({ ...rest, catalog: { ...catalog, provider } }).website).toBe(
      'https://example.com',
    )
  })
})

test('the first call is a shell command for one request, also with a hostile address', () => {
  const { firstCall } = pricingOverview({ ...input(), paymentsBaseUrl: "https://pay.example/it's" })
  expect(firstCall).toBe(
    [
      `curl -i -X POST 'https://pay.example/it'\\''s/api/analyze'`,
      `-H 'content-type: application/json'`,
      `-d '{"businessName":"your business name"}'`,
    ].join(' \\\n  '),
  )
})

test('no command promises a 402 when the first call would be free', () => {
  expect(pricingOverview(inputWithDoors()).firstCall).toContain('/api/content/blog')
  const { catalog, ...rest } = inputWithDoors()
  const { writeBlog: _, ...operations } = catalog.operations
  const overview = pricingOverview({ ...rest, catalog: { ...catalog, operations } })
  expect(overview.firstCall).toBeUndefined()
  const markdown = pricingMarkdown({ ...rest, catalog: { ...catalog, operations } })
  for (const form of [markdown, renderPricingPage(overview).html]) {
    expect(form).toContain('PAYMENT-SIGNATURE')
    expect(form).not.toContain('meets the')
  }
})

describe('pricing.md', () => {
  test('begins with front matter that names network, asset and recipient, then a title', () => {
    const [, head = '', body = ''] = pricingMarkdown(input()).split(/^---\n/m)
    expect(parse(head)).toEqual({
      provider: 'Example & Sons',
      protocol: 'x402',
      network: 'base',
      asset: 'USDC',
      recipient: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    })
    expect(body.trimStart()).toMatch(/^# Example \\& Sons: prices\n/)
  })

  test('names every price, every field, the three payment headers, the free operations and the JSON form', () => {
    const markdown = pricingMarkdown(input())
    for (const part of [
      '| `POST /api/analyze` | $0.10 (0.10 USDC) | Analyses a business. |',
      '| `POST /api/content/blog` | $1.00 (1.00 USDC) | Writes. |',
      '| `businessName` | string, required (up to 200 characters) |',
      '| `note` | string or null, optional |',
      'The request takes no fields.',
      '`PAYMENT-SIGNATURE`',
      '`X-PAYMENT`',
      '`X-Payment-Signature`',
      '- `GET /api/health`: Analyses a business.',
      '](https://pay.example/pricing)',
      "curl -i -X POST 'https://pay.example/api/analyze'",
    ]) {
      expect(markdown).toContain(part)
    }
    expect(markdown).not.toContain('/hidden')
  })

  test('names free quotas, tiers and the operations for key holders only', () => {
    const markdown = pricingMarkdown(inputWithDoors())
    for (const line of [
      '| `POST /api/analyze` | $0.10 (0.10 USDC); free: 3/day, 6/minute | A. |',
      '- `POST /api/analyze` (3/day, 6/minute for each client): A.',
      '| `starter` | $9.00 | 31 days | 30/second | `POST /api/analyze`: 20/day, 150/month; `POST /api/content/blog`: unlimited |',
      '| `friends` | from the operator only | as agreed | 9/hour | `POST /api/analyze`: 5/month |',
      '- `starter`: Subscribes. Send POST /api/keys with {"tier":"starter"} and an Idempotency-Key header of at least 16 random characters, and pay as for any call. POST /api/keys/renew with {"keyId":"…"}, the 16 characters behind tgk\\_ in the key, adds 31 days.',
      '- `GET /api/keys/usage`: Subscribes.',
    ]) {
      expect(markdown.split('\n')).toContain(line)
    }
    expect(pricingMarkdown(input())).not.toContain('## API keys')
  })

  test('for an operation of an upstream no form claims that it has no fields, and each explains how `upto` takes money', () => {
    const sold = input('Streams.', {
      chat: {
        access: 'price',
        price: { per: 'tokens', output: '0.01', max: '0.05' },
        description: 'Answers.',
        upstream: 'llm',
        route: 'POST /v1/chat',
      },
    })
    const upstream = { name: 'llm', host: undefined, maxRequestBytes: 1 }
    const chat = endpoint(
      'chat',
      {
        ...noInput,

        method: 'POST',
        path: '/llm/v1/chat',
        body: z.object({}),
        response: z.object({}),
      },
      handle,
    )
    const overview = pricingOverview({ ...sold, endpoints: [{ ...chat, upstream }] })
    const markdown = pricingMarkdown({ ...sold, endpoints: [{ ...chat, upstream }] })
    for (const form of [markdown, renderPricingPage(overview).html]) {
      expect(form).toContain('POST /llm/v1/chat')
      expect(form).toContain('upto')
      expect(form).not.toMatch(/no fields/i)
    }
    expect(markdown).toContain('carried out by a server behind this one')
    expect(pricingMarkdown(input())).not.toMatch(/upto|server behind this one/)
  })

  test('a hostile description of a tier stays text', () => {
    const markdown = pricingMarkdown(inputWithDoors(hostile))
    expect(markdown).toContain('- `starter`: \\<script\\>alert(1)')
    expect(markdown).not.toMatch(/(?<!\\)<script/)
  })

  test('a hostile description stays text: it opens no tag, link, code, heading, row or cell', () => {
    const markdown = pricingMarkdown(input(hostile))
    const escaped =
      '\\<script\\>alert(1)\\</script\\> \\| a # b \\`c\\` \\[d\\](javascript:e) "f" \'g\' \\&lt;'
    expect(markdown.split('\n')).toEqual(
      expect.arrayContaining([
        escaped,
        `| \`POST /api/analyze\` | $0.10 (0.10 USDC) | ${escaped} |`,
        `- \`GET /api/health\`: ${escaped}`,
      ]),
    )
    expect(markdown).not.toMatch(/(?<!\\)<script/)
  })

  test.each([
    ['# not a heading', '\\# not a heading'],
    ['- not a list', '\\- not a list'],
    ['1. not a list', '1\\. not a list'],
    ['=== not a heading', '\\=== not a heading'],
    ['back\\slash', 'back\\\\slash'],
  ])('a description of "%s" stays a paragraph', (description, line) => {
    expect(pricingMarkdown(input(description)).split('\n')).toContain(line)
  })

  test('says that nothing is sold when the catalog has no price', () => {
    const open = { access: 'open', description: 'Free today.' }
    const markdown = pricingMarkdown(input('Gives.', { analyzeBusiness: open, writeBlog: open }))
    expect(markdown).toContain('Nothing is sold at the moment.')
    expect(markdown).not.toContain('## How to pay')
  })
})

describe('the page', () => {
  test('is a complete document with every price and field, without scripts or resources of other hosts', () => {
    const { html } = renderPricingPage(pricingOverview(input()))
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(html).toContain('<title>Prices of Example &amp; Sons</title>')
    expect(html).toContain('<meta name="description" content="Analyses a business.">')
    for (const part of [
      '$0.10',
      '$1.00',
      'businessName',
      'No fields.',
      '402',
      'curl -i -X POST',
      'GET /api/health',
    ]) {
      expect(html).toContain(part)
    }
    expect(html).not.toMatch(/<script|\bsrc=|\bstyle="|\bon\w+="|@import|url\(/)
    expect(html).not.toContain('/hidden')
  })

  test('shows free quotas, tiers in a table and the operations for key holders only', () => {
    const { html } = renderPricingPage(pricingOverview(inputWithDoors()))
    for (const part of [
      'Free for each client: 3/day, 6/minute.',
      '<strong>3/day, 6/minute for each client.</strong> A.',
      '<th scope="row">starter</th>',
      '<strong>$9.00</strong> for 31 days',
      '<td>30/second</td>',
      '<code>POST /api/analyze</code> 20/day, 150/month',
      '<code>POST /api/content/blog</code> unlimited',
      'From the operator only',
      'GET /api/keys/usage',
      'Idempotency-Key',
    ]) {
      expect(html).toContain(part)
    }
    expect(html).not.toMatch(/<script|\bsrc=|\bstyle="|\bon\w+="|@import|url\(/)
    const without = renderPricingPage(pricingOverview(input())).html
    expect(without).not.toContain('<table>')
    expect(without).not.toContain('Free for each client')
  })

  test('a hostile description of a tier never becomes markup', () => {
    const { html } = renderPricingPage(pricingOverview(inputWithDoors(hostile)))
    expect(html).not.toMatch(/<script/i)
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  })

  test('a hostile description is shown as it is written, and never becomes markup', () => {
    const { html } = renderPricingPage(pricingOverview(input(hostile)))
    expect(html).not.toMatch(/<script/i)
    const shown = html.split('&lt;script&gt;alert(1)&lt;/script&gt;')
    // The meta description, the lead, the service and the free operation.
    expect(shown).toHaveLength(5)
    expect(html).toContain('&quot;f&quot; &#39;g&#39; &amp;lt;')
  })

  test('has a policy that allows only its own style sheet, by hash', () => {
    const { html, headers } = renderPricingPage(pricingOverview(input()))
    const [, css = ''] = /<style>(.*)<\/style>/s.exec(html) ?? []
    const hash = createHash('sha256').update(css).digest('base64')
    expect(css).toContain('color-scheme: light dark')
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
  })

  test('says that nothing is sold when the catalog has no price', () => {
    const open = { access: 'open', description: 'Free today.' }
    const overview = pricingOverview(input('Gives.', { analyzeBusiness: open, writeBlog: open }))
    const { html } = renderPricingPage(overview)
    expect(html).toContain('Nothing is sold at the moment.')
    expect(html).not.toContain('How a call is paid')
  })
})

describe('play money', () => {
  const forms = (change: Partial<PricingInput>) => [
    pricingMarkdown({ ...input(), ...change }),
    renderPricingPage(pricingOverview({ ...input(), ...change })).html,
  ]

  test.each([
    [
      'a local chain',
      { chain: 'local', network: { name: 'base-sepolia' } },
      /runs on a local chain.*play money/,
    ],
    [
      'a test network',
      { chain: 'public', network: { name: 'base-sepolia' } },
      /runs on the test network base.{0,2}sepolia.*play money/,
    ],
  ] as const)('is named by the page and pricing.md on %s', (_where, change, words) => {
    for (const form of forms(change)) expect(form).toMatch(words)
  })

  test('is not spoken of where the money is real', () => {
    for (const form of forms({})) expect(form).not.toContain('play money')
  })
})

describe('the free call', () => {
  const operations = {
    triggerScan: { access: 'optional', free: '3/day', description: 'Scans.' },
    getScanResults: { access: 'optional', rate: '60/minute', description: 'Results.' },
  }
  const scan = [
    endpoint(
      'triggerScan',
      {
        ...noInput,
        method: 'POST',
        path: '/api/insights/scan',
        body: z.strictObject({ url: z.string().meta({ examples: ['example.com'] }) }),
        response: z.object({}),
      },
      handle,
    ),
    endpoint(
      'getScanResults',
      { ...noInput, method: 'GET', path: '/api/insights/scan/{scanId}/results', response: z.object({}) },
      handle,
    ),
  ]
  const withScans = (change: Record<string, unknown> = {}) => ({
    ...input('A.', { ...operations, ...change }),
    endpoints: [...endpoints, ...scan],
  })

  test('starts a scan, and says where its results are', () => {
    expect(pricingOverview(withScans())).toMatchObject({
      freeCall: expect.stringContaining(`-d '{"url":"example.com"}'`),
      freeResults: 'GET /api/insights/scan/{scanId}/results',
    })
    expect(pricingMarkdown(withScans())).toContain('starts a free scan')
  })

  test('names no results that only a key opens', () => {
    const keyed = withScans({ getScanResults: { access: 'key', description: 'Results.' } })
    expect(pricingOverview(keyed).freeResults).toBeUndefined()
    expect(pricingMarkdown(keyed)).toContain('This request is free')
  })

  test('is left out when every operation asks for a payment or a key', () => {
    expect(pricingOverview(input()).freeCall).toBeUndefined()
  })
})
