import { z } from 'zod'
import type { Catalog, Operation } from '../../../core/catalog/catalog.ts'
import type { Endpoint } from '../../../core/endpoint.ts'

/**
 * What the health document says of the service: which endpoints there are, what each asks of a caller, and
 * how to begin. It is worked out from the catalog and the endpoint table, because agents act on it without a
 * person reading it.
 */

export interface OfferSources {
  readonly catalog: () => Catalog
  /** All endpoints, the health document among them. */
  readonly endpoints: () => readonly Endpoint[]
  /** Both without a trailing slash. */
  readonly baseUrl: string
  readonly paymentsBaseUrl: string
}

export const link = z.strictObject({ href: z.url(), method: z.enum(['GET', 'POST']) })

export const offerSchema = z.strictObject({
  capabilities: z.strictObject({
    free_tier: z.boolean(),
    authentication: z.literal('optional'),
    scan_types: z.array(z.enum(['light', 'basic', 'full'])),
    free_scan_limit: z.string(),
  }),
  endpoints: z.record(
    z.string(),
    z.strictObject({ method: z.string(), path: z.string(), auth: z.enum(['optional', 'none', 'api_key']) }),
  ),
  quickstart: z.strictObject({
    step_1: z.string(),
    step_2: z.string(),
    step_3: z.string(),
    step_4: z.string(),
  }),
  _links: z.strictObject({ self: link, docs: link.optional() }),
})

type Offer = z.infer<typeof offerSchema>

export function describeOffer({ catalog, endpoints, baseUrl, paymentsBaseUrl }: OfferSources): Offer {
  const { operations, tiers } = catalog()
  const served = endpoints().flatMap((endpoint) => {
    const operation = operations[endpoint.id]
    return operation ? { endpoint, operation } : []
  })
  const serves = (id: string) => served.some(({ endpoint }) => endpoint.id === id)
  const opensByKey = (id: string) => Object.values(tiers).some((tier) => tier.operations[id] !== undefined)
  const scan = serves('triggerScan') ? operations.triggerScan : undefined
  return {
    capabilities: {
      free_tier: served.some(({ operation }) => operation.access === 'optional'),
      // This document itself needs none.
      authentication: 'optional',
      scan_types: scan ? ['light', 'basic', 'full'] : [],
      free_scan_limit: scan ? freeScans(scan) : 'no scans are offered',
    },
    endpoints: Object.fromEntries(
      served.map(({ endpoint: { id, method, path }, operation }) => [
        id,
        { method, path, auth: authOf(operation, opensByKey(id)) },
      ]),
    ),
    quickstart: quickstart(served, opensByKey, baseUrl, paymentsBaseUrl),
    _links: {
      self: { href: `${baseUrl}/api/health`, method: 'GET' },
      ...(serves('getPricingMarkdown') && { docs: { href: `${baseUrl}/pricing.md`, method: 'GET' } }),
    },
  }
}

/**
 * The credentials that a call needs, in the words of the specification (2.12). A payment is none: no key or
 * account is used for it.
 */
function authOf({ access }: Operation, opensByKey: boolean): Offer['endpoints'][string]['auth'] {
  switch (access) {
    case 'open':
    case 'tier':
      return 'none'
    case 'key':
    case 'holder':
      return 'api_key'
    case 'optional':
      return 'optional'
    case 'price':
      return opensByKey ? 'optional' : 'none'
  }
}

function freeScans(scan: Operation): string {
  if (scan.access === 'optional' && scan.free) return `${scan.free.limit} per ${scan.free.per}`
  return scan.access === 'optional' || scan.access === 'open' ? 'no daily limit' : 'none'
}

/** The first steps: a free call where there is one, else a call that gets its price. */
function quickstart(
  served: readonly { readonly endpoint: Endpoint; readonly operation: Operation }[],
  opensByKey: (id: string) => boolean,
  baseUrl: string,
  paymentsBaseUrl: string,
): Offer['quickstart'] {
  const first = (access: Operation['access']) => served.find(({ operation }) => operation.access === access)
  const [free, priced] = [first('optional'), first('price')]
  if (free) {
    const url = `${free.operation.priced ? paymentsBaseUrl : baseUrl}${free.endpoint.path}`
    const required = Object.entries(free.endpoint.body.shape).flatMap(([name, field]) =>
      field instanceof z.ZodType && field.safeParse(undefined).success ? [] : [name],
    )
    const body = required.length > 0 ? ` (a JSON body with ${required.join(', ')})` : ''
    return freeSteps(`${free.endpoint.method} ${url}${body}`, paymentsBaseUrl, opensByKey(free.endpoint.id))
  }
  return priced ? payingSteps(paymentsBaseUrl, priced.endpoint) : openSteps(baseUrl)
}

function freeSteps(call: string, payments: string, opensByKey: boolean): Offer['quickstart'] {
  const orKey = opensByKey ? ', or go on with an API key in the x-mcp-api-key header' : ''
  return {
    step_1: `Read what each call takes and gives, how many are free, and what the others cost: GET ${payments}/pricing`,
    step_2: `Send ${call} without credentials. The X-RateLimit-Remaining header of the answer tells how many more you have.`,
    step_3: `When the answer is 429, wait for Retry-After seconds${orKey}.`,
    step_4:
      'When an answer (402, or 429) has a PAYMENT-REQUIRED header, paying opens the call: sign one of the accepted payments with a wallet that holds USDC, and send the same request again, without a key, with the signed payment in the PAYMENT-SIGNATURE, X-PAYMENT or X-Payment-Signature header.',
  }
}

function payingSteps(base: string, { method, path }: Endpoint): Offer['quickstart'] {
  return {
    step_1: `Read what each call takes, gives and costs: GET ${base}/pricing`,
    step_2: `Send ${method} ${base}${path} without a payment. The answer is 402; its PAYMENT-REQUIRED header says what to pay, to whom, and on which network.`,
    step_3: 'Sign one of the accepted payments with a wallet that holds USDC. Any x402 client does this.',
    step_4:
      'Send the same request again with the signed payment in the PAYMENT-SIGNATURE, X-PAYMENT or X-Payment-Signature header. The answer is 200 with the result, and its PAYMENT-RESPONSE header is the receipt.',
  }
}

function openSteps(base: string): Offer['quickstart'] {
  return {
    step_1: `Verify that you reach the service: GET ${base}/api/health`,
    step_2: 'Choose an operation from endpoints in this document; auth tells what it asks for.',
    step_3: 'Send it with its method to its path. JSON bodies use Content-Type: application/json.',
    step_4: 'When an answer is an error, its message says what to do about it.',
  }
}
