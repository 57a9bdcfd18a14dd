import { dirname } from 'node:path'
import type { PublicClient } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Catalog } from '../core/catalog/catalog.ts'
import type { Log } from '../core/log.ts'
import { parseUsdc } from '../core/money.ts'
import { createSpending, type Spending } from '../doors/x402/spending/spending.ts'
import { devPayers } from '../platform/chain/dev-accounts.ts'
import type { Network } from '../platform/chain/networks.ts'
import type { CheckedEnvironment } from '../platform/config/check-environment.ts'
import type { Config, Settings } from '../platform/config/config.ts'
import type { Secrets } from '../platform/config/secrets.ts'
import type { Books } from '../platform/store/books.ts'
import { type CountingReader, createCountingReader } from '../proxy/counting/reading/reader.ts'
import type { PayUpstream } from '../proxy/fetch-upstream.ts'
import { forward } from '../proxy/forward.ts'
import { resolveInjectedHeaders } from '../proxy/headers/injected-headers.ts'
import { createUpstreamConnector } from '../proxy/pool/connector.ts'
import { type CountUpstreamError, createPool } from '../proxy/pool/pool.ts'
import { createUpstreams, type Upstreams } from '../proxy/upstreams.ts'

/**
 * Puts the metered proxy together: the upstreams of the catalog, and the wallet that pays those that ask for
 * it.
 */
export function createUpstreamProxy({
  settings: { config, secrets },
  catalog,
  books,
  client,
  network,
  countError,
  log,
}: ProxyOptions): UpstreamProxy {
  const folder = dirname(config.catalogFile)
  const key = walletKey(config, secrets)
  const spending = key && createSpending({ account: privateKeyToAccount(key), network, client, books, log })
  const pay = spending && payWithin(spending, catalog)
  const reader = createCountingReader(log)
  const upstreams = createUpstreams({
    catalog,
    open: async (name, upstream) => {
      const injected = resolveInjectedHeaders(upstream, secrets.upstreamCredentials)
      return { injected, reader, pool: await createPool({ name, upstream, folder, log, countError }) }
    },
    forward: (routed, upstream, context) => forward(routed, upstream, context, pay),
    log,
  })
  const close = async () => {
    await upstreams.close()
    await spending?.idle()
  }
  return { upstreams: { ...upstreams, close }, spending, reader }
}

type UpstreamSecrets = Pick<Secrets, 'upstreamCredentials' | 'upstreamWalletKey'>

interface UpstreamProxy {
  readonly upstreams: Upstreams
  /** To be closed once the last replies are counted. */
  readonly reader: CountingReader
  /** Its `sweep` must be called at an interval. Undefined when the gateway pays no upstream. */
  readonly spending: Spending | undefined
}

interface ProxyOptions {
  readonly settings: {
    readonly config: Config
    readonly secrets: UpstreamSecrets
  }
  readonly catalog: () => Catalog
  readonly books: Books
  readonly client: PublicClient
  readonly network: Network
  readonly countError?: CountUpstreamError
  readonly log: Log
}

/** On the local chain a test account pays, so that paid upstreams work without configuration. */
function walletKey({ chain }: Config, { upstreamWalletKey }: UpstreamSecrets) {
  return upstreamWalletKey ?? (chain.kind === 'local' ? devPayers[7].privateKey : undefined)
}

/** Pays within the limits that the current catalog sets for the upstream. */
function payWithin(spending: Spending, catalog: () => Catalog): PayUpstream {
  return async (challenge, { callId, operation, upstream }) => {
    const spend = catalog().upstreams[upstream]?.spend
    if (!spend) return undefined
    const limits = { perCall: parseUsdc(spend.perCall), perDay: parseUsdc(spend.perDay) }
    return spending.pay(challenge, { callId, operation, upstream }, limits)
  }
}

/**
 * Finds the faults of upstreams of a catalog that only the settings and the files beside the catalog show.
 *
 * @param isMalformed names settings that cannot be read: what depends on them is not checked
 * @returns a sentence for each
 */
export async function upstreamFaults(
  upstreams: Catalog['upstreams'],
  { config, secrets }: Settings,
  isMalformed: CheckedEnvironment['isMalformed'],
): Promise<string[]> {
  const canPay = isMalformed('UPSTREAM_WALLET_KEY') || walletKey(config, secrets) !== undefined
  const faults: string[] = []
  const folder = dirname(config.catalogFile)
  for (const [name, upstream] of Object.entries(upstreams)) {
    const addFault = (error: unknown) => {
      faults.push(`upstreams.${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
    // Header by header, so that every missing setting is found.
    for (const [header, value] of Object.entries(upstream.inject)) {
      try {
        resolveInjectedHeaders({ inject: { [header]: value } }, secrets.upstreamCredentials)
      } catch (error) {
        addFault(error)
      }
    }
    await createUpstreamConnector({ name, upstream, folder }).catch(addFault)
    if (upstream.spend && !canPay) {
      faults.push(`upstreams.${name}: spend needs UPSTREAM_WALLET_KEY, the wallet that pays`)
    }
  }
  return faults
}
