import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { endpoint, json, noBody } from '../../src/core/call.ts'
import { catalogSchema } from '../../src/core/catalog.ts'
import { type PricingInput, pricingDocument, pricingOverview } from '../../src/discovery/pricing-document.ts'
import { pricingMarkdown } from '../../src/discovery/pricing-markdown.ts'
import { pricingSchema } from '../../src/handlers/pricing.ts'
import { renderPricingPage } from '../../src/pages/pricing.ts'

const handle = () => json(200, {})
const endpoints = [
  endpoint({
    id: 'analyzeBusiness',
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
    handle,
  }),
  endpoint({
    id: 'writeBlog',
    method: 'POST',
    path: '/api/content/blog',
    body: z.object({}),
    response: z.object({}),
    handle,
  }),
  endpoint({
    id: 'getHealth',
    method: 'GET',
    path: '/api/health',
    body: noBody,
    response: z.object({}),
    handle,
  }),
  endpoint({ id: 'notServed', method: 'GET', path: '/hidden', body: noBody, response: z.object({}), handle }),
]
const hostile = '<script>alert(1)</script> | a\n\n# b `c` [d](javascript:e) "f" \'g\' &lt;'

function input(description = 'Analyses a business.', operations: Record<string, unknown> = {}): PricingInput {
  return {
    catalog: catalogSchema.parse({
      provider: { name: 'Example & Sons', description },
      operations: {
        writeBlog: { access: 'price', price: '1', description: 'Writes.' },
        analyzeBusiness: { access: 'price', price: '0.1', description },
        getHealth: { access: 'open', description },
        ...operations,
      },
    }),
    endpoints,
    network: { name: 'base' },
    payTo: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    baseUrl: 'https://scan.example',
    paymentsBaseUrl: 'https://pay.example',
  }
}

describe('the pricing document', () => {
  test('has exactly the fields of specification 4.15', () => {
    const specified = z.strictObject({
      provider: z.literal('Example & Sons'),
      description: z.string(),
      website: z.literal('https://scan.example'),
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

  test('says types, limits and what may be left out, from the schemas that check the call', () => {
    expect(pricingDocument(input()).services[0]).toMatchObject({
      input: {
        businessName: 'string, required (up to 200 characters)',
        website: 'string, optional (URL)',
        depth: '"short" or "long", optional',
        tags: 'array of string, optional',
      },
      output: {
        success: 'boolean',
        analysis: 'object {businessName: string, score?: integer, generatedAt: string (ISO 8601 date-time)}',
        note: 'string or null, optional',
      },
    })
  })

  test('names the website of the catalogue where there is one', () => {
    const { catalog, ...rest } = input()
    const provider = { ...catalog.provider, website: 'https://example.com' }
    expect(pricingDocument({ ...rest, catalog: { ...catalog, provider } }).website).toBe(
      'https://example.com',
    )
  })
})

test('the first call is a command that a shell takes as one request, whatever the address', () => {
  const { firstCall } = pricingOverview({ ...input(), paymentsBaseUrl: "https://pay.example/it's" })
  expect(firstCall).toBe(
    [
      `curl -i -X POST 'https://pay.example/it'\\''s/api/analyze'`,
      `-H 'content-type: application/json'`,
      `-d '{"businessName":"your business name"}'`,
    ].join(' \\\n  '),
  )
})

describe('pricing.md', () => {
  test('begins with front matter that names the money, then a title', () => {
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

  test('tells every price, every field, the three payment headers, the free operations and the JSON form', () => {
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

  test('says so when nothing is sold', () => {
    const open = { access: 'open', description: 'Free today.' }
    const markdown = pricingMarkdown(input('Gives.', { analyzeBusiness: open, writeBlog: open }))
    expect(markdown).toContain('Nothing is sold at the moment.')
    expect(markdown).not.toContain('## How to pay')
  })
})

describe('the page', () => {
  test('is a complete document that tells every price and field without a script or anything from elsewhere', () => {
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

  test('a hostile description is shown as it is written, and never becomes markup', () => {
    const { html } = renderPricingPage(pricingOverview(input(hostile)))
    expect(html).not.toMatch(/<script/i)
    const shown = html.split('&lt;script&gt;alert(1)&lt;/script&gt;')
    // The meta description, the lead, the service and the free operation.
    expect(shown).toHaveLength(5)
    expect(html).toContain('&quot;f&quot; &#39;g&#39; &amp;lt;')
  })

  test('its policy allows its own style sheet, by hash, and nothing else', () => {
    const { html, csp } = renderPricingPage(pricingOverview(input()))
    const [, css = ''] = /<style>(.*)<\/style>/s.exec(html) ?? []
    const hash = createHash('sha256').update(css).digest('base64')
    expect(css).toContain('color-scheme: light dark')
    expect(csp).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
  })

  test('says so when nothing is sold', () => {
    const open = { access: 'open', description: 'Free today.' }
    const overview = pricingOverview(input('Gives.', { analyzeBusiness: open, writeBlog: open }))
    const { html } = renderPricingPage(overview)
    expect(html).toContain('Nothing is sold at the moment.')
    expect(html).not.toContain('How a call is paid')
  })
})
