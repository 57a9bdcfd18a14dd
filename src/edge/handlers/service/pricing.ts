import Negotiator from 'negotiator'
import { z } from 'zod'
import { meterUnits } from '../../../core/catalog/prices.ts'
import { type Endpoint, endpoint, noBody } from '../../../core/endpoint.ts'
import { json, type Reply, text } from '../../../core/reply.ts'

/**
 * The price list in its three forms: JSON and a page at GET /pricing, markdown at both addresses of
 * pricing.md. What stands in them is made elsewhere and passed in; here is only who gets which form,
 * so that an agent never has to read HTML and a person never has to read JSON.
 */

/** What is sent or given, by the name of the field. */
const fields = z.record(z.string(), z.string())

/**
 * The pricing document of specification 4.15, and beyond it what is free and what keys there are. Prices are
 * decimal strings: `price` in US dollars, `priceUSDC` in USDC. Limits are like `3/day, 60/minute`, or `unlimited`.
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

/** The forms of the price list, each made when it is asked for, from the prices as they are then. */
export interface PricingForms {
  readonly document: () => PricingDocument
  readonly markdown: () => string
  readonly page: () => { readonly html: string; readonly csp: string }
}

export function pricingEndpoints(forms: PricingForms): Endpoint[] {
  const markdown = (): Reply => text(200, 'text/markdown; charset=utf-8', forms.markdown(), cached)
  return [
    endpoint({
      id: 'getPricing',
      method: 'GET',
      path: '/pricing',
      body: noBody,
      response: pricingSchema,
      handle(_body, context) {
        const headers = { ...cached, vary: 'Accept' }
        if (!prefersHtml(context.headers.accept)) return json(200, forms.document(), headers)
        const { html, csp } = forms.page()
        return text(200, 'text/html; charset=utf-8', html, { ...headers, 'content-security-policy': csp })
      },
    }),
    endpoint({
      id: 'getPricingMarkdown',
      method: 'GET',
      path: '/pricing.md',
      body: noBody,
      response: z.string(),
      handle: markdown,
    }),
    endpoint({
      id: 'getWellKnownPricing',
      method: 'GET',
      path: '/.well-known/pricing.md',
      body: noBody,
      response: z.string(),
      handle: markdown,
    }),
  ]
}

/** Prices change rarely, and a caller is told the price again in the 402: a minute of staleness harms nobody. */
const cached = { 'cache-control': 'public, max-age=60' }

/**
 * Whether the Accept header asks for HTML more than for JSON (RFC 9110 section 12.5.1). Whoever has no
 * preference, or accepts neither, is taken for a program and gets JSON.
 */
function prefersHtml(accept: string): boolean {
  return new Negotiator({ headers: { accept } }).mediaType(['application/json', 'text/html']) === 'text/html'
}
