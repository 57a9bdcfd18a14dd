import { z } from 'zod'
import { meterUnits } from '../../../core/catalog/prices.ts'
import { type EndpointRow, type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { json, text } from '../../../core/reply.ts'
import { createDocument } from '../document.ts'
import type { HtmlPage } from './html-page.ts'
import { preferredForm } from './prefers-html.ts'

/**
 * The price list in its three forms: all of them at GET /pricing, markdown at both addresses of pricing.md as well. The forms are written in `discovery/pricing`; this file decides which caller gets which, so
 * that an agent never has to read HTML and a person never has to read JSON.
 */

/** What each field holds, by its name. */
const fields = z.record(z.string(), z.string())

/**
 * The pricing document of specification 4.15, with the free operations and the tiers added. Prices are
 * decimal strings: `price` in US dollars, `priceUSDC` in USDC. Limits are like `3/day, 60/minute`, or
 * `unlimited`.
 */
export const pricingSchema = z.strictObject({
  provider: z.string(),
  description: z.string(),
  website: z.string(),
  protocol: z.literal('x402'),
  network: z.string(),
  asset: z.literal('USDC'),
  recipient: z.string(),
  services: z.array(
    z.strictObject({
      endpoint: z.string(),
      price: z.string(),
      priceUSDC: z.string().describe('of one call; where it depends on the call, the most that it can be'),
      metered: z
        .strictObject({
          per: z.enum(meterUnits),
          units: z.int().describe('input and output are the prices of so many'),
          base: z.string().optional(),
          input: z.string().optional(),
          output: z.string().optional(),
          max: z.string(),
          maxUnits: z.int().optional(),
        })
        .optional()
        .describe('what is counted of a call, with prices in USDC; the amount is taken at its end'),
      free: z.string().optional().describe('how often a client may call without a payment'),
      failedCalls: z
        .string()
        .optional()
        .describe(
          'what a payment is charged for a call that fails by the caller’s making; nothing when left out',
        ),
      description: z.string(),
      input: fields,
      output: fields,
    }),
  ),
  freeOperations: z.array(
    z.strictObject({
      endpoint: z.string(),
      free: z.string(),
      description: z.string(),
      input: fields.optional().describe('what is sent, where anything is'),
    }),
  ),
  tiers: z.array(
    z.strictObject({
      name: z.string(),
      description: z.string(),
      price: z.string().nullable().describe('of a key; null: keys come from the operator only'),
      priceUSDC: z.string().nullable(),
      days: z.int().nullable().describe('how long a key that is bought lasts'),
      rate: z.string().nullable().describe('how fast a key may call; null: no limit'),
      operations: z.record(z.string(), z.string()).describe('limits by method and path'),
      buy: z.string().describe('how to come by a key'),
    }),
  ),
})

export type PricingDocument = z.infer<typeof pricingSchema>

/** The forms of the price list, each written once for each catalog. */
export interface PricingForms {
  /** The catalog in use. */
  readonly catalog: () => object
  readonly document: () => PricingDocument
  readonly markdown: () => string
  readonly page: () => HtmlPage
}

const asMarkdown = {
  ...noInput,
  method: 'GET',
  response: z.string(),
  docs: {
    summary: 'Read the prices as markdown',
    details: '',
    tag: 'discovery',
    mediaTypes: ['text/markdown'],
    errors: [],
    example: {},
  },
} satisfies Omit<EndpointRow, 'path'>

export const pricingRows = {
  getPricing: {
    ...noInput,
    method: 'GET',
    path: '/pricing',
    response: pricingSchema,
    docs: {
      summary: 'Read the prices',
      details: 'Prices, free quotas and tiers of API keys, with the fields of each paid call.',
      tag: 'service',
      mediaTypes: ['application/json', 'text/html', 'text/markdown'],
      errors: [],
      example: {},
    },
  },
  getPricingMarkdown: { ...asMarkdown, path: '/pricing.md' },
  getWellKnownPricing: { ...asMarkdown, path: '/.well-known/pricing.md' },
} satisfies EndpointRows

export function pricingHandlers(forms: PricingForms): Handlers<typeof pricingRows> {
  const varied = { ...cached, vary: 'Accept' }
  const asJson = createDocument(forms.catalog, () => json(200, forms.document(), varied))
  const asPage = createDocument(forms.catalog, () => {
    const { html, headers } = forms.page()
    return text(200, 'text/html; charset=utf-8', html, { ...varied, ...headers })
  })
  const markdown = (headers: Readonly<Record<string, string>>) =>
    createDocument(forms.catalog, () => text(200, 'text/markdown; charset=utf-8', forms.markdown(), headers))
  const asMarkdown = markdown(cached)
  const byPreference = { json: asJson, html: asPage, markdown: markdown(varied) }
  return {
    getPricing: {
      document: (headers) => byPreference[preferredForm(headers.accept)](headers),
    },
    getPricingMarkdown: { document: asMarkdown },
    getWellKnownPricing: { document: asMarkdown },
  }
}

/** Prices change rarely, and every 402 names the current one: a copy that is a minute old does no harm. */
const cached = { 'cache-control': 'public, max-age=60' }
