import pTimeout from 'p-timeout'
import { formatEther } from 'viem'
import type { SettlerAccount } from '../../../doors/x402/wire/facilitator.ts'
import type { ComponentHealth, Health } from './health.ts'

interface Parts {
  readonly store: () => Promise<unknown>
  readonly chain: () => Promise<unknown>
  /** Undefined without Redis. */
  readonly redis: (() => Promise<unknown>) | undefined
  readonly whyNotReady: () => string | undefined
  /** The accounts that settle, as the last check found them. */
  readonly gasAccounts: () => readonly SettlerAccount[]
  /** Since when the catalog file cannot be used; undefined when it can. */
  readonly catalogFaultySince: () => Date | undefined
}

const timeoutMs = 2_000

/**
 * Checks the parts that the gateway needs. Each check has the same short timeout, so that a part that hangs
 * is reported and does not delay the health document.
 */
export async function checkHealth(parts: Parts): Promise<Health> {
  const { redis } = parts
  const [store, chain, redisHealth] = await Promise.all([
    check(parts.store),
    check(parts.chain),
    redis && check(redis),
  ])
  const gas = gasHealth(parts.gasAccounts())
  const components = {
    store,
    chain,
    ...(redisHealth && { redis: redisHealth }),
    payments: paymentsHealth(parts.whyNotReady(), { store, chain }),
    ...(gas && { gas }),
    catalog: catalogHealth(parts.catalogFaultySince()),
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

/** A payment is claimed in the store and verified on the chain. */
function paymentsHealth(
  whyNotReady: string | undefined,
  needed: Readonly<Record<'store' | 'chain', ComponentHealth>>,
): ComponentHealth {
  if (whyNotReady) return { status: 'down', reason: whyNotReady }
  const missing = Object.entries(needed).filter(([, { status }]) => status !== 'healthy')
  if (missing.length === 0) return { status: 'healthy' }
  return { status: 'degraded', reason: missing.map(([name]) => `the ${name} does not answer`).join('; ') }
}

/** @returns undefined when no account is ours to fill: a remote facilitator pays its own gas. */
function gasHealth(accounts: readonly SettlerAccount[]): ComponentHealth | undefined {
  const known = accounts.flatMap(({ address, gas }) => (gas ? [{ address, ...gas }] : []))
  if (known.length === 0) return undefined
  const short = known.filter(({ state }) => state !== 'enough')
  if (short.length === 0) return { status: 'healthy' }
  return {
    status: known.every(({ state }) => state === 'out') ? 'down' : 'degraded',
    reason: short
      .map(
        ({ address, balanceWei, runwayPayments, state }) =>
          `${address} ${state === 'out' ? 'has too little gas for a full batch' : 'runs low on gas'}: ` +
          `it holds ${formatEther(balanceWei)} ETH, enough for ${runwayPayments} payments`,
      )
      .join('; '),
  }
}

/** The faults themselves are for the operator: the log has them, and the reply to a reload. */
function catalogHealth(faultySince: Date | undefined): ComponentHealth {
  if (!faultySince) return { status: 'healthy' }
  return {
    status: 'degraded',
    since: faultySince.toISOString(),
    reason: 'the catalog file cannot be used; the catalog before the change stays in use',
  }
}
