import type { PublicClient } from 'viem'
import type { Log } from '../../../core/log.ts'
import type { Network } from '../../../platform/chain/networks.ts'
import { PaymentsUnavailable } from '../wire/facilitator.ts'

/**
 * Whether payments can be taken right now, known before anybody is asked for one. Without it a dead
 * chain or an empty gas account would show only after the work was done.
 */
export interface Readiness {
  /** Why payments cannot be taken; undefined when they can. Costs nothing. */
  whyNot(): string | undefined
  /** Looks again now. Never rejects. */
  check(): Promise<void>
  close(): void
}

/**
 * Watches `probe`, which rejects with the reason while payments cannot be taken; it has to do so twice in a row. The
 * first look has been taken when this resolves.
 */
export async function watchReadiness(
  probe: () => Promise<void>,
  intervalMs: number,
  log: Log,
): Promise<Readiness> {
  let reason: string | undefined = 'not checked yet'
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    const wasReady = reason === undefined
    let found = await failureOf(probe)
    // An answer that got lost on its way is no reason to turn payers away until the next look.
    if (found && wasReady) found = await failureOf(probe)
    if (found && reason !== found.message) log.error({ err: found.error }, 'payments cannot be taken')
    if (reason && !found) log.info('payments can be taken')
    reason = found?.message
  }

  const check = () => {
    looking ??= look().finally(() => {
      looking = undefined
    })
    return looking
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
 * Makes sure that the RPC endpoint answers for the network that payments are asked on: on another one
 * every price would be quoted and none could be taken. Once confirmed it is not asked again.
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
