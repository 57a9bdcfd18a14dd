import { z } from 'zod'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { json, type Reply, text } from '../../../core/reply.ts'
import { oncePer } from '../document.ts'
import { describeOffer, type OfferSources, offerSchema } from './offer.ts'
import { reuseForASecond } from './reuse.ts'

/**
 * Whether the service works. GET /api/health is the specification's document (2.12), which also says how to
 * begin; GET /health shows the parts that payments need.
 *
 * Both answer 200 even when degraded, as long as the process serves: a supervisor that restarted it for a
 * broken chain would only end the calls that work. All callers share one check for a second, and for two
 * more while the next one is made; the timestamp is that of the check. Monitors read `status`; load balancers ask GET /ready.
 */

/**
 * What the checks found. Anyone may read the reasons, so they name no hosts and no faults of files. The gas
 * accounts are public: each settlement on the chain names its sender.
 */
export interface Health {
  readonly status: 'ok' | 'degraded'
  readonly components: Readonly<Record<string, ComponentHealth>>
}

export interface ComponentHealth {
  readonly status: 'healthy' | 'degraded' | 'down'
  readonly latency_ms?: number
  readonly reason?: string
  /** ISO 8601. */
  readonly since?: string
}

export interface HealthSources extends OfferSources {
  readonly version: string
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number
  /** The network in use, as /pricing names it. */
  readonly network: string
  /** Payments are checked, and no money is taken. */
  readonly isDryRun: boolean
  /** Checks every part within a timeout; a part that fails is `down`, and the promise never rejects. */
  readonly checks: () => Promise<Health>
}

const common = {
  status: z.enum(['ok', 'degraded']),
  service: z.string().describe('name of the service'),
  version: z.string(),
  timestamp: z.iso.datetime().describe('when it was checked'),
  dry_run: z.literal(true).optional().describe('paid calls are served and no money is taken'),
}

export const healthSchema = z.strictObject({
  ...common,
  response_time_ms: z.number(),
  services: z.strictObject({ website: z.string(), api: z.string(), api_latency_ms: z.number() }),
  ...offerSchema.shape,
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
      since: z.iso.datetime().optional(),
    }),
  ),
})

export const healthRows = {
  getHealth: {
    ...noInput,
    method: 'GET',
    path: '/api/health',
    response: healthSchema,
    docs: {
      summary: 'Read whether the service works',
      details: 'Call it first: it lists every endpoint and what each asks of you.',
      tag: 'service',
      errors: [],
      example: {},
    },
  },
  getPaymentsHealth: {
    ...noInput,
    method: 'GET',
    path: '/health',
    response: paymentsHealthSchema,
    docs: {
      summary: 'Read whether payments work',
      details: '',
      tag: 'service',
      errors: [],
      example: {
        reply: {
          status: 'ok',
          service: 'tollgate',
          version: '1.0.0',
          timestamp: '2026-05-01T12:00:00.000Z',
          network: 'base',
          components: { store: { status: 'healthy', latency_ms: 1 } },
        },
      },
    },
  },
} satisfies EndpointRows

export function healthHandlers(sources: HealthSources): Handlers<typeof healthRows> {
  const { version, now, checks, network, isDryRun } = sources
  const offer = oncePer(sources.catalog, () => JSON.stringify(describeOffer(sources)))
  const about = (checkedAt: number) => ({
    service: 'tollgate',
    version,
    timestamp: new Date(checkedAt).toISOString(),
    ...(isDryRun && { dry_run: true }),
  })
  const checked = reuseForASecond(async () => {
    const startedAt = now()
    const { status, components } = await checks()
    const checkedAt = now()
    const ofPayments = json(200, { status, ...about(checkedAt), network, components }, uncached)
    return { status, checkedAt, checkedMs: checkedAt - startedAt, ofPayments }
  })
  return {
    async getHealth() {
      const startedAt = now()
      const { status, checkedAt, checkedMs } = await checked()
      const services = {
        // This process serves the pages, so it is up.
        website: 'healthy',
        api: status === 'ok' ? 'healthy' : 'degraded',
        api_latency_ms: checkedMs,
      }
      const live = { status, ...about(checkedAt), response_time_ms: now() - startedAt, services }
      return joined(live, offer())
    },

    async getPaymentsHealth() {
      const { ofPayments } = await checked()
      return ofPayments
    },
  }
}

/** One JSON object of a small one and of the text of a large one, which is the same for many replies. */
function joined(live: object, rest: string): Reply {
  const body = `${JSON.stringify(live).slice(0, -1)},${rest.slice(1)}`
  return text(200, 'application/json; charset=utf-8', body, uncached)
}

const uncached = { 'cache-control': 'no-store' }
