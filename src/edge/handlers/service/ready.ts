import { z } from 'zod'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { json } from '../../../core/reply.ts'

/**
 * GET /ready: whether a load balancer should send calls here. A gateway that refuses calls answers faster
 * than one that serves them, so without it a balancer would send the refusing one most of the traffic.
 *
 * The operation is declared in code: a catalog without an entry for it, or with a price, would take every
 * gateway out of its balancer. The answer is read from memory, so any number of balancers may ask.
 */
export interface ReadySources {
  /** Why calls cannot be served now; empty when they can. */
  readonly whyNotReady: () => readonly NotReady[]
}

/** Anyone may read the reasons, so they name no hosts. */
export interface NotReady {
  readonly component: 'gateway' | 'payments' | 'store' | 'redis'
  readonly reason: string
}

const readySchema = z.strictObject({
  status: z.enum(['ready', 'not_ready']),
  reasons: z.array(
    z.strictObject({
      component: z.enum(['gateway', 'payments', 'store', 'redis']),
      reason: z.string(),
    }),
  ),
})

export const readyRows = {
  getReadiness: {
    ...noInput,
    method: 'GET',
    path: '/ready',
    operation: {
      access: 'open',
      description: 'Whether a load balancer should send calls here.',
      deadlineSeconds: 5,
    },
    response: readySchema,
    docs: {
      summary: 'Ask whether to send calls here',
      details: 'For load balancers: 503 with reasons while calls cannot be served.',
      tag: 'service',
      errors: [],
      example: { reply: { status: 'ready', reasons: [] } },
    },
  },
} satisfies EndpointRows

export function readyHandlers({ whyNotReady }: ReadySources): Handlers<typeof readyRows> {
  return {
    getReadiness() {
      const reasons = whyNotReady()
      const isReady = reasons.length === 0
      return json(
        isReady ? 200 : 503,
        { status: isReady ? 'ready' : 'not_ready', reasons },
        { 'cache-control': 'no-store', ...(isReady ? {} : { 'retry-after': '5' }) },
      )
    },
  }
}
