import { dirname } from 'node:path'
import type { PublicClient } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Catalog } from '../core/catalog/catalog.ts'
import type { Log } from '../core/log.ts'
import { parseUsdc } from '../core/money.ts'
import { createSpending, type Spending } from '../doors/x402/spending/spending.ts'
import { devPayers } from '../platform/chain/dev-accounts.ts'
import type { Network } from '../platform/chain/networks.ts'
import type { Config } from '../platform/config/config.ts'
import type { Books } from '../platform/store/books.ts'
import type { Spend } from '../proxy/fetch-upstream.ts'
import { createForward } from '../proxy/forward.ts'
import { resolveInjectedHeaders } from '../proxy/headers/injected-headers.ts'
import { createUpstreamConnector } from '../proxy/pool/connector.ts'
import { createPool } from '../proxy/pool/pool.ts'
import { createUpstreams, type Upstreams } from '../proxy/upstreams.ts'

/** The upstreams put together from catalogue and settings, and the wallet that pays those that ask for it. */
export interface Relaying {
  readonly upstreams: Upstreams
  /** Has to be looked after now and then; undefined where no upstream is paid. */
  readonly spending: Spending | undefined
}

interface RelayingOptions {
  readonly config: Config
  readonly catalog: () => Catalog
  readonly books: Books
  readonly client: PublicClient
  readonly network: Network
  readonly log: Log
}

export function createRelaying({ config, catalog, books, client, network, log }: RelayingOptions): Relaying {
  const folder = dirname(config.catalogFile)
  const key = walletKey(config)
  const spending = key && createSpending({ account: privateKeyToAccount(key), network, client, books, log })
  const forward = createForward({
    secrets: config.upstreams.secrets,
    spend: spending && spendBy(spending, catalog),
  })
  const upstreams = createUpstreams({
    catalog,
    openPool: (name, upstream) => createPool({ name, upstream, folder, log }),
    forward,
    log,
  })
  const close = async () => {
    await upstreams.close()
    await spending?.idle()
  }
  return { upstreams: { ...upstreams, close }, spending }
}

/** On the local chain a test account of its own pays, so that chaining can be tried at once. */
function walletKey({ upstreams, chain }: Config) {
  return upstreams.walletKey ?? (chain.kind === 'local' ? devPayers[7].privateKey : undefined)
}

/** Within what the catalogue lets an upstream cost as it stands now. */
function spendBy(spending: Spending, catalog: () => Catalog): Spend {
  return async (challenge, { callId, operation, upstream }) => {
    const limits = catalog().upstreams[upstream]?.spend
    if (!limits) return undefined
    const most = { perCall: parseUsdc(limits.perCall), perDay: parseUsdc(limits.perDay) }
    return spending.pay(challenge, { callId, operation, upstream }, most)
  }
}

/** What only the settings and the files beside the catalogue show to be wrong with its upstreams, a sentence each. */
export async function upstreamFaults(catalog: Catalog, config: Config): Promise<string[]> {
  const faults: string[] = []
  const folder = dirname(config.catalogFile)
  for (const [name, upstream] of Object.entries(catalog.upstreams)) {
    const tell = (error: unknown) => {
      faults.push(`upstreams.${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
    for (const [header, value] of Object.entries(upstream.inject)) {
      try {
        resolveInjectedHeaders({ inject: { [header]: value } }, config.upstreams.secrets)
      } catch (error) {
        tell(error)
      }
    }
    await createUpstreamConnector({ name, upstream, folder }).catch(tell)
    if (upstream.spend && walletKey(config) === undefined) {
      faults.push(`upstreams.${name}: spend needs UPSTREAM_WALLET_KEY, the wallet that pays`)
    }
  }
  return faults
}
