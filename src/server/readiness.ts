import pTimeout from 'p-timeout'
import type { Catalog } from '../core/catalog/catalog.ts'
import type { Log } from '../core/log.ts'
import type { NotReady } from '../edge/handlers/service/ready.ts'
import type { Closers } from './closers.ts'

/** Whether the gateway can serve calls, for the balancer in front of it. */
export interface GatewayReadiness {
  /** Why it cannot; empty when it can. Returns the results of the last checks. */
  whyNot(): readonly NotReady[]
  /** Makes it not ready for good, because it is about to stop. */
  beginStop(): void
}

interface ReadinessOptions {
  readonly catalog: () => Catalog
  /** Why payments cannot be taken; undefined when they can. */
  readonly whyNoPayments: () => string | undefined
  /** Resolves when the store answers. */
  readonly store: () => Promise<unknown>
  /** Undefined without Redis. */
  readonly redis: (() => Promise<unknown>) | undefined
  readonly closers: Closers
  readonly log: Log
}

const intervalMs = 2_000

/** Watches what paid calls, keys and quotas need. Payments have a watch of their own. */
export function watchGateway(options: ReadinessOptions): GatewayReadiness {
  const { catalog, whyNoPayments, redis, closers, log } = options
  let isStopping = false
  const store = watchComponent('store', options.store, closers, log)
  const counters = redis && watchComponent('redis', redis, closers, log)
  return {
    beginStop() {
      isStopping = true
    },
    whyNot() {
      const reasons: NotReady[] = []
      if (isStopping) reasons.push({ component: 'gateway', reason: 'the gateway is stopping' })
      const payments = isSelling(catalog()) ? whyNoPayments() : undefined
      if (payments !== undefined) reasons.push({ component: 'payments', reason: payments })
      if (store.isDown()) {
        const reason = 'the store does not answer: keys and payments cannot be checked'
        reasons.push({ component: 'store', reason })
      }
      if (counters?.isDown()) {
        reasons.push({ component: 'redis', reason: 'Redis does not answer: quotas cannot be counted' })
      }
      return reasons
    },
  }
}

/** Whether any payment opens anything. */
function isSelling({ operations }: Catalog): boolean {
  return Object.values(operations).some(({ access, priced }) => priced !== undefined || access === 'tier')
}

/**
 * Asks a component at intervals. It is down once two checks in a row have failed: one lost reply must not
 * take the gateway out of its balancer.
 */
function watchComponent(
  component: string,
  ping: () => Promise<unknown>,
  closers: Closers,
  log: Log,
): { readonly isDown: () => boolean } {
  let failures = 0
  const check = async () => {
    try {
      await pTimeout(ping(), { milliseconds: intervalMs })
      failures = 0
    } catch (error) {
      failures += 1
      log.debug({ err: error, component }, 'a readiness check failed')
    }
  }
  const timer = setInterval(check, intervalMs)
  timer.unref()
  closers.add(() => clearInterval(timer))
  return { isDown: () => failures >= 2 }
}
