import type { ComponentHealth, Health } from './health.ts'

/**
 * Looks at the parts the gateway stands on. Each look has the same short deadline, so that a part that
 * hangs is reported and does not make the health document hang with it.
 */
interface Parts {
  readonly store: () => Promise<unknown>
  readonly chain: () => Promise<unknown>
  /** Undefined without one. */
  readonly redis: (() => Promise<unknown>) | undefined
  readonly whyNotReady: () => string | undefined
}

const deadlineMs = 2_000

export async function checkHealth({ store, chain, redis, whyNotReady }: Parts): Promise<Health> {
  const [storeHealth, chainHealth, redisHealth] = await Promise.all([
    look(store),
    look(chain),
    redis && look(redis),
  ])
  const reason = whyNotReady()
  const payments: ComponentHealth = reason ? { status: 'down', reason } : { status: 'healthy' }
  const components = {
    store: storeHealth,
    chain: chainHealth,
    ...(redisHealth && { redis: redisHealth }),
    payments,
  }
  const healthy = Object.values(components).every(({ status }) => status === 'healthy')
  return { status: healthy ? 'ok' : 'degraded', components }
}

async function look(probe: () => Promise<unknown>): Promise<ComponentHealth> {
  const startedAt = performance.now()
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('too slow')), deadlineMs)
  try {
    await Promise.race([probe(), late])
    return { status: 'healthy', latency_ms: Math.round(performance.now() - startedAt) }
  } catch {
    // What exactly is wrong stands in the log of whoever uses the part; strangers read this document.
    return { status: 'down', reason: 'does not answer' }
  } finally {
    clearTimeout(timer)
  }
}
