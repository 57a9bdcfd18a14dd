import { z } from 'zod'
import { type Endpoint, endpoint, json, noBody } from '../core/call.ts'
import type { Catalog, Operation } from '../core/catalog.ts'

/**
 * Whether the service works, and how to begin with it. GET /api/health is the specification's document
 * (2.12); GET /health tells the parts of the payments side. Everything they offer is worked out from the
 * catalogue and the endpoint table, since an agent acts on this document without a person reading it.
 *
 * Both answer 200 even when degraded: one broken part (the chain, say) does not make the others useless,
 * and a load balancer that took every replica out for it would turn a partial failure into a whole one.
 * Monitors read `status`.
 */

/** What the checks found. Reasons are shown to strangers: no addresses, no names of hosts. */
export interface Health {
  readonly status: 'ok' | 'degraded'
  readonly components: Readonly<Record<string, ComponentHealth>>
}

export interface ComponentHealth {
  readonly status: 'healthy' | 'degraded' | 'down'
  readonly latency_ms?: number
  readonly reason?: string
}

export interface HealthSources {
  readonly version: string
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number
  readonly catalog: () => Catalog
  /** All endpoints, these two among them. */
  readonly endpoints: () => readonly Endpoint[]
  /** Both without a trailing slash. */
  readonly baseUrl: string
  readonly paymentsBaseUrl: string
  /** The network in use, as /pricing names it. */
  readonly network: string
  /** Looks at every part, within a deadline of its own; a part that fails is `down`, not a rejection. */
  readonly checks: () => Promise<Health>
}

/** Builds GET /api/health and GET /health. */
export function healthEndpoints(sources: HealthSources): Endpoint[] {
  const { version, now, checks, network } = sources
  const about = () => ({ service, version, timestamp: new Date(now()).toISOString() })
  return [
    endpoint({
      id: 'getHealth',
      method: 'GET',
      path: '/api/health',
      body: noBody,
      response: healthSchema,
      async handle() {
        const startedAt = now()
        const { status } = await checks()
        const checkedMs = now() - startedAt
        const offer = describeOffer(sources)
        const services = {
          // The pages come from this process: whoever reads this has been answered by it.
          website: 'healthy',
          api: status === 'ok' ? 'healthy' : 'degraded',
          api_latency_ms: checkedMs,
        }
        return json(
          200,
          { status, ...about(), response_time_ms: now() - startedAt, services, ...offer },
          uncached,
        )
      },
    }),
    endpoint({
      id: 'getPaymentsHealth',
      method: 'GET',
      path: '/health',
      body: noBody,
      response: paymentsHealthSchema,
      async handle() {
        const { status, components } = await checks()
        return json(200, { status, ...about(), network, components }, uncached)
      },
    }),
  ]
}

const service = 'tollgate'
const uncached = { 'cache-control': 'no-store' }

const common = {
  status: z.enum(['ok', 'degraded']),
  service: z.string(),
  version: z.string(),
  timestamp: z.iso.datetime(),
}

const link = z.strictObject({ href: z.url(), method: z.enum(['GET', 'POST']) })

export const healthSchema = z.strictObject({
  ...common,
  response_time_ms: z.number(),
  services: z.strictObject({ website: z.string(), api: z.string(), api_latency_ms: z.number() }),
  capabilities: z.strictObject({
    free_tier: z.boolean(),
    authentication: z.string(),
    scan_types: z.array(z.enum(['light', 'basic', 'full'])),
    free_scan_limit: z.string(),
  }),
  endpoints: z.record(
    z.string(),
    z.strictObject({ method: z.enum(['GET', 'POST']), path: z.string(), auth: z.string() }),
  ),
  quickstart: z.strictObject({
    step_1: z.string(),
    step_2: z.string(),
    step_3: z.string(),
    step_4: z.string(),
  }),
  _links: z.strictObject({ self: link, docs: link.optional() }),
})

export const paymentsHealthSchema = z.strictObject({
  ...common,
  network: z.string(),
  components: z.record(
    z.string(),
    z.strictObject({
      status: z.enum(['healthy', 'degraded', 'down']),
      latency_ms: z.number().optional(),
      reason: z.string().optional(),
    }),
  ),
})

type Offer = Pick<z.infer<typeof healthSchema>, 'capabilities' | 'endpoints' | 'quickstart' | '_links'>

/** What each kind of access asks of a caller and whether it grants free units. A new kind must say so here. */
const accessFacts: Record<Operation['access'], { readonly auth: string; readonly free: boolean }> = {
  open: { auth: 'none', free: false },
  optional: { auth: 'optional', free: true },
  key: { auth: 'api_key', free: false },
  holder: { auth: 'api_key', free: false },
  price: { auth: 'payment', free: false },
  tier: { auth: 'payment', free: false },
}

function describeOffer({ catalog, endpoints, baseUrl, paymentsBaseUrl }: HealthSources): Offer {
  const { operations } = catalog()
  const served = endpoints().flatMap((row) => {
    const operation = operations[row.id]
    return operation ? { row, ...accessFacts[operation.access] } : []
  })
  const serves = (id: string) => served.some(({ row }) => row.id === id)
  const priced = served.find(({ auth }) => auth === 'payment')
  return {
    capabilities: {
      free_tier: served.some(({ free }) => free),
      authentication: [...new Set(served.map(({ auth }) => auth))].sort().join(' or '),
      scan_types: serves('triggerScan') ? ['light', 'basic', 'full'] : [],
      free_scan_limit: serves('triggerScan') ? 'as stated in /pricing.md' : 'no scans are offered',
    },
    endpoints: Object.fromEntries(
      served.map(({ row: { id, method, path }, auth }) => [id, { method, path, auth }]),
    ),
    quickstart: priced ? payingSteps(paymentsBaseUrl, priced.row) : openSteps(baseUrl),
    _links: {
      self: { href: `${baseUrl}/api/health`, method: 'GET' },
      // The documents that are planned (OpenAPI, MCP) get their links when they are served.
      ...(serves('getPricingMarkdown') && { docs: { href: `${baseUrl}/pricing.md`, method: 'GET' } }),
    },
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
