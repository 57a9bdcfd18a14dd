import type { Endpoint } from '../core/call.ts'
import type { Catalog } from '../core/catalog.ts'
import { formatUsdc, parseUsdc } from '../core/money.ts'
import type { PricingDocument } from '../handlers/pricing.ts'
import { exampleBody, inputFields, outputFields } from './pricing-fields.ts'

/**
 * The price list as data, worked out from the catalogue and the endpoint table. It is what every form
 * of it (JSON, markdown, page) is made from, so that none can name a price the gate does not ask.
 */

export interface PricingInput {
  readonly catalog: Catalog
  readonly endpoints: readonly Endpoint[]
  readonly network: { readonly name: string }
  /** The wallet that is paid. */
  readonly payTo: string
  /** Both without a trailing slash. */
  readonly baseUrl: string
  readonly paymentsBaseUrl: string
}

/** The pricing document of specification 4.15: one service for each priced operation that is served. */
export function pricingDocument(input: PricingInput): PricingDocument {
  const { provider } = input.catalog
  return {
    provider: provider.name,
    description: provider.description,
    website: provider.website ?? input.baseUrl,
    protocol: 'x402',
    network: input.network.name,
    asset: 'USDC',
    recipient: input.payTo,
    services: served(input).flatMap(({ endpoint, operation }) => {
      if (operation.access !== 'price') return []
      const price = formatUsdc(parseUsdc(operation.price))
      return {
        endpoint: `${endpoint.method} ${endpoint.path}`,
        price: `$${price}`,
        priceUSDC: price,
        description: operation.description,
        input: inputFields(endpoint.body),
        output: outputFields(endpoint.response),
      }
    }),
  }
}

/** What the readable forms say beside the document. */
export interface PricingOverview {
  readonly document: PricingDocument
  readonly free: readonly { readonly endpoint: string; readonly description: string }[]
  /** A shell command that meets the first 402; undefined when nothing has a price. */
  readonly firstCall: string | undefined
  readonly jsonUrl: string
  readonly markdownUrl: string
}

export function pricingOverview(input: PricingInput): PricingOverview {
  const rows = served(input)
  const first = rows.find(({ operation }) => operation.access === 'price')
  return {
    document: pricingDocument(input),
    free: rows
      .filter(({ operation }) => operation.access === 'open')
      .map(({ endpoint, operation }) => ({
        endpoint: `${endpoint.method} ${endpoint.path}`,
        description: operation.description,
      })),
    firstCall: first && curl(input.paymentsBaseUrl, first.endpoint),
    jsonUrl: `${input.paymentsBaseUrl}/pricing`,
    markdownUrl: `${input.baseUrl}/pricing.md`,
  }
}

/** An endpoint without an entry in the catalogue is not served, so it is not told of either. */
function served({ catalog, endpoints }: PricingInput) {
  return endpoints.flatMap((endpoint) => {
    const operation = catalog.operations[endpoint.id]
    return operation ? { endpoint, operation } : []
  })
}

function curl(base: string, { method, path, body }: Endpoint): string {
  const lines = [`curl -i -X ${method} ${quoted(base + path)}`]
  if (method === 'POST') {
    lines.push(`-H 'content-type: application/json'`, `-d ${quoted(JSON.stringify(exampleBody(body)))}`)
  }
  return lines.join(' \\\n  ')
}

/** One word of a POSIX shell, whatever is in it. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
