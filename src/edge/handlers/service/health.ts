import { z } from 'zod'
import type { Catalog, Operation } from '../../../core/catalog/catalog.ts'
import { type Endpoint, endpoint, noBody } from '../../../core/endpoint.ts'
import { json } from '../../../core/reply.ts'

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
  /** Payments are checked, and no money is taken. */
  readonly isDryRun: boolean
  /** Looks at every part, within a deadline of its own; a part that fails is `down`, not a rejection. */
  readonly checks: () => Promise<Health>
}

/** Builds GET /api/health and GET /health. */
export function healthEndpoints(sources: HealthSources): Endpoint[] {
  const { version, now, checks, network, isDryRun } = sources
  const about = () => ({
    service,
    version,
    timestamp: new Date(now()).toISOString(),
    ...(isDryRun && { dry_run: true }),
  })
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
  dry_run: z.literal(true).optional().describe('paid calls are served and no money is taken'),
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
  endpoints: z.record(z.string(), z.strictObject({ method: z.string(), path: z.string(), auth: z.string() })),
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

/** What each kind of access asks of a caller, in the specification's words. A new kind must say so here. */
const auths = {
  open: 'none',
  optional: 'optional',
  key: 'api_key',
  holder: 'api_key',
  price: 'payment',
  tier: 'payment',
} as const satisfies Record<Operation['access'], string>

function describeOffer({ catalog, endpoints, baseUrl, paymentsBaseUrl }: HealthSources): Offer {
  const { operations, tiers } = catalog()
  const served = endpoints().flatMap((row) => {
    const operation = operations[row.id]
    return operation ? { row, operation, auth: auths[operation.access] } : []
  })
  const serves = (id: string) => served.some(({ row }) => row.id === id)
  const opensByKey = (id: string) => Object.values(tiers).some((tier) => tier.operations[id] !== undefined)
  const credentials = new Set(
    served.flatMap(({ row, auth }) => (opensByKey(row.id) ? [auth, 'api_key'] : [auth])),
  )
  const scan = serves('triggerScan') ? operations.triggerScan : undefined
  return {
    capabilities: {
      free_tier: credentials.has('optional'),
      authentication: [...credentials].sort().join(' or '),
      scan_types: scan ? ['light', 'basic', 'full'] : [],
      free_scan_limit: scan ? freeScans(scan) : 'no scans are offered',
    },
    endpoints: Object.fromEntries(
      served.map(({ row: { id, method, path }, auth }) => [id, { method, path, auth }]),
    ),
    quickstart: quickstart(served, opensByKey, baseUrl, paymentsBaseUrl),
    _links: {
      self: { href: `${baseUrl}/api/health`, method: 'GET' },
      // The documents that are planned (OpenAPI, MCP) get their links when they are served.
      ...(serves('getPricingMarkdown') && { docs: { href: `${baseUrl}/pricing.md`, method: 'GET' } }),
    },
  }
}

function freeScans(scan: Operation): string {
  if (scan.access === 'optional' && scan.free) return `${scan.free.limit} per ${scan.free.per}`
  return scan.access === 'optional' || scan.access === 'open' ? 'no daily limit' : 'none'
}

/** The first call that shows what there is: a free one where there is any, else one that is told its price. */
function quickstart(
  served: readonly { readonly row: Endpoint; readonly operation: Operation }[],
  opensByKey: (id: string) => boolean,
  baseUrl: string,
  paymentsBaseUrl: string,
): Offer['quickstart'] {
  const first = (access: Operation['access']) => served.find(({ operation }) => operation.access === access)
  const [free, priced] = [first('optional'), first('price')]
  if (free) {
    const url = `${free.operation.priced ? paymentsBaseUrl : baseUrl}${free.row.path}`
    const required = Object.entries(free.row.body.shape).flatMap(([name, field]) =>
      field instanceof z.ZodType && field.safeParse(undefined).success ? [] : [name],
    )
    const body = required.length > 0 ? ` (a JSON body with ${required.join(', ')})` : ''
    return freeSteps(`${free.row.method} ${url}${body}`, paymentsBaseUrl, opensByKey(free.row.id))
  }
  return priced ? payingSteps(paymentsBaseUrl, priced.row) : openSteps(baseUrl)
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
