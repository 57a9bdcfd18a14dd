import pTimeout from 'p-timeout'
import type { ComponentHealth, Health } from './health.ts'

interface Parts {
  readonly store: () => Promise<unknown>
  readonly chain: () => Promise<unknown>
  /** Undefined without Redis. */
  readonly redis: (() => Promise<unknown>) | undefined
  readonly whyNotReady: () => string | undefined
}

const timeoutMs = 2_000

/**
 * Checks the parts that the gateway needs. Each check has the same short timeout, so that a part that hangs
 * is reported and does not delay the health document.
 */
export async function checkHealth({ store, chain, redis, whyNotReady }: Parts): Promise<Health> {
  const [storeHealth, chainHealth, redisHealth] = await Promise.all([
    check(store),
    check(chain),
    redis && check(redis),
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

async function check(probe: () => Promise<unknown>): Promise<ComponentHealth> {
  const startedAt = performance.now()
  try {
    await pTimeout(probe(), { milliseconds: timeoutMs })
    return { status: 'healthy', latency_ms: Math.round(performance.now() - startedAt) }
  } catch {
    // The code that uses the part logs the cause; anyone can read this document.
    return { status: 'down', reason: 'does not answer' }
  }
}
