import { z } from 'zod'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { json } from '../../../core/reply.ts'
import { describeOffer, type OfferSources, offerSchema } from './offer.ts'

/**
 * Whether the service works. GET /api/health is the specification's document (2.12), which also says how to
 * begin; GET /health shows the parts that payments need.
 *
 * Both answer 200 even when degraded: one broken part (the chain, say) leaves the others useful, and a load
 * balancer that took out every replica for it would turn a partial failure into a whole one. Monitors read
 * `status`.
 */

/** What the checks found. Anyone may read the reasons, so they name no addresses and no hosts. */
export interface Health {
  readonly status: 'ok' | 'degraded'
  readonly components: Readonly<Record<string, ComponentHealth>>
}

export interface ComponentHealth {
  readonly status: 'healthy' | 'degraded' | 'down'
  readonly latency_ms?: number
  readonly reason?: string
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
  service: z.string(),
  version: z.string(),
  timestamp: z.iso.datetime(),
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
    }),
  ),
})

export const healthRows = {
  getHealth: { ...noInput, method: 'GET', path: '/api/health', response: healthSchema },
  getPaymentsHealth: { ...noInput, method: 'GET', path: '/health', response: paymentsHealthSchema },
} satisfies EndpointRows

export function healthHandlers(sources: HealthSources): Handlers<typeof healthRows> {
  const { version, now, checks, network, isDryRun } = sources
  const about = () => ({
    service: 'tollgate',
    version,
    timestamp: new Date(now()).toISOString(),
    ...(isDryRun && { dry_run: true }),
  })
  return {
    async getHealth() {
      const startedAt = now()
      const { status } = await checks()
      const checkedMs = now() - startedAt
      const offer = describeOffer(sources)
      const services = {
        // This process serves the pages, so it is up.
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

    async getPaymentsHealth() {
      const { status, components } = await checks()
      return json(200, { status, ...about(), network, components }, uncached)
    },
  }
}

const uncached = { 'cache-control': 'no-store' }
