import type { PublicClient } from 'viem'
import type { Log } from '../../../core/log.ts'
import type { Network } from '../../../platform/chain/networks.ts'
import { PaymentsUnavailable, payments } from '../wire/facilitator.ts'

/**
 * Whether payments can be taken right now, known before a caller is asked for one. Without it, a dead chain
 * or a gas account without gas would show only after the call was served.
 */
export interface Readiness {
  /** Why payments cannot be taken; undefined when they can. Returns the result of the last check. */
  whyNot(): string | undefined
  /** Checks again now. Never rejects. */
  check(): Promise<void>
  close(): void
}

/**
 * Runs `probe` at once, then every `intervalMs`. The probe rejects with the reason while payments cannot be
 * taken. A failure counts once the probe fails twice in a row. The first check is done when this resolves.
 */
export async function watchReadiness(
  probe: () => Promise<void>,
  intervalMs: number,
  log: Log,
): Promise<Readiness> {
  let reason: string | undefined = 'not checked yet'
  let checking: Promise<void> | undefined

  async function probeTwice(): Promise<void> {
    const wasReady = reason === undefined
    let failure = await failureOf(probe)
    // One lost reply must not turn payers away until the next check.
    if (failure && wasReady) failure = await failureOf(probe)
    if (failure) log.outages.failed(payments, failure.error)
    else log.outages.works(payments)
    if (reason && !failure) log.info('payments can be taken')
    reason = failure?.message
  }

  const check = () => {
    checking ??= probeTwice().finally(() => {
      checking = undefined
    })
    return checking
  }

  await check()
  const timer = setInterval(check, intervalMs)
  timer.unref()
  return { whyNot: () => reason, check, close: () => clearInterval(timer) }
}

async function failureOf(
  probe: () => Promise<void>,
): Promise<{ readonly error: unknown; readonly message: string } | undefined> {
  try {
    await probe()
    return undefined
  } catch (error) {
    return { error, message: error instanceof Error ? error.message : String(error) }
  }
}

/**
 * Makes a probe that checks that the RPC endpoint serves the network that prices are asked on: with another
 * network we would ask for payments that could never be settled. Once confirmed, the endpoint is not asked
 * again.
 * @returns a probe that rejects with PaymentsUnavailable.
 */
export function networkProbe(client: PublicClient, network: Network): () => Promise<void> {
  let confirmed = false
  return async () => {
    if (confirmed) return
    let chainId: number
    try {
      chainId = await client.getChainId()
    } catch (cause) {
      throw new PaymentsUnavailable('the chain does not answer', { cause })
    }
    if (chainId !== network.chainId) {
      throw new PaymentsUnavailable(
        `RPC_URL answers for chain ${chainId}, but NETWORK=${network.name} is chain ${network.chainId}`,
      )
    }
    confirmed = true
  }
}
