import type { PublicClient } from 'viem'
import { runEvery } from '../core/background.ts'
import type { Log } from '../core/log.ts'
import { HandedOver } from '../doors/x402/accounts/handed-over.ts'
import { Handovers } from '../doors/x402/accounts/handovers.ts'
import { AccountRegistry } from '../doors/x402/accounts/registry.ts'
import { shareAccounts } from '../doors/x402/accounts/shared-facilitator.ts'
import type { Settler } from '../doors/x402/settler/settler.ts'
import type { Facilitator } from '../doors/x402/wire/facilitator.ts'
import type { Network } from '../platform/chain/networks.ts'
import type { Config } from '../platform/config/config.ts'
import type { Books } from '../platform/store/books.ts'
import type { Closers } from './closers.ts'

/** The settlement accounts of all gateways on one store. */
export interface SharedAccounts {
  readonly registry: AccountRegistry
  /** Adds the accounts of our settler. @returns the facilitator that settles from all accounts. */
  share(local: Facilitator, settler: Settler): Facilitator
}

interface SharedAccountsOptions {
  readonly config: Pick<Config, 'store' | 'dryRun' | 'facilitators'>
  readonly books: Books
  readonly client: PublicClient
  readonly network: Network
  readonly closers: Closers
  readonly log: Log
}

/** How often a gateway looks for payments of others. */
const takeEveryMs = 100

/**
 * @returns undefined where no other gateway can be: the embedded store has one process. A dry run settles nothing,
 *   so it must keep no account from the others.
 */
export function createSharedAccounts(options: SharedAccountsOptions): SharedAccounts | undefined {
  const { config, books, client, network, closers, log } = options
  const local = config.facilitators.find((one) => one.kind === 'local')
  if (config.store === 'embedded' || config.dryRun || !local) return undefined
  const { chainId } = network
  const { leaseMs, settlementTimeoutMs: timeoutMs } = local
  const registry = new AccountRegistry({ books, chainId, leaseMs, log })
  const handovers = new Handovers({ books, chainId, timeoutMs, log })
  // Closed after the settler, which may send until then.
  closers.add(
    () => registry.close(),
    runEvery(() => registry.renew(), registry.renewEveryMs, log),
  )
  return {
    registry,
    share(facilitator, settler) {
      const kept = settler.accounts().map(({ address }) => ({
        address,
        gas: () => settler.gasOf(address),
        isIdle: () => settler.isIdle(address),
      }))
      registry.add(kept, () => settler.sendQueued())
      const { settle } = facilitator
      const handedOver = new HandedOver({
        ...{ books, client, network, registry, handovers, settle, timeoutMs, log },
      })
      // Closed before the settler.
      closers.add(
        () => handedOver.idle(),
        runEvery(() => handedOver.take(), takeEveryMs, log),
      )
      return shareAccounts(facilitator, registry, handovers)
    },
  }
}
