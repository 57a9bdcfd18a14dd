import type { PublicClient } from 'viem'
import type { Log } from '../core/log.ts'
import { createChainClient } from '../platform/chain/client.ts'
import { type DevChain, startDevChain } from '../platform/chain/local/dev-chain.ts'
import { type Network, networks } from '../platform/chain/networks.ts'
import type { Config } from '../platform/config/config.ts'
import type { Secrets } from '../platform/config/secrets.ts'
import { type Database, openEmbedded, openPostgres } from '../platform/store/database.ts'
import { lockFolder } from '../platform/store/embedded/folder-lock.ts'
import type { Closers } from './closers.ts'

/** The durable store and the way to the chain: all other parts use them, and they take seconds to start. */
export interface Foundation {
  readonly database: Database
  /** The local chain; undefined with an RPC node. */
  readonly devChain: DevChain | undefined
  readonly client: PublicClient
  /**
   * For settlements only. Calls made at the same time share a request, and a settlement must not wait for the
   * verifications of other payments.
   */
  readonly settlementClient: PublicClient
  /**
   * For the watch of chain and gas accounts only: whether payments can be taken must not depend on another call
   * of the same request, whose reply is lost.
   */
  readonly watchClient: PublicClient
  readonly network: Network
}

interface FoundationOptions {
  readonly config: Config
  readonly secrets: Pick<Secrets, 'databaseUrl' | 'rpcUrl'>
  readonly closers: Closers
  readonly log: Log
  readonly progress: (line: string) => void
}

export async function openFoundation(options: FoundationOptions): Promise<Foundation> {
  const { config, secrets, closers, log } = options
  const needsFolder = config.store === 'embedded' || config.chain.kind === 'local'
  if (needsFolder) closers.add(lockFolder(config.dataDir))

  // Both start at the same time, because both are slow. If one fails, the other one is still closed.
  const [opened, started] = await Promise.allSettled([openStore(options), startChain(options)])
  if (opened.status === 'fulfilled') closers.add(() => opened.value.close())
  if (started.status === 'fulfilled' && started.value) closers.add(() => started.value?.close())
  if (opened.status === 'rejected') throw opened.reason
  if (started.status === 'rejected') throw started.reason
  const devChain = started.value

  const network = networks[config.network]
  const rpcUrl = secrets.rpcUrl ?? requireDevChain(devChain).rpcUrl
  const { outages } = log
  const openClient = () => createChainClient({ network, rpcUrl, timeoutMs: config.rpcTimeoutMs, outages })
  return {
    database: opened.value,
    devChain,
    client: openClient(),
    settlementClient: openClient(),
    watchClient: openClient(),
    network,
  }
}

async function openStore({ config, secrets, log, progress }: FoundationOptions): Promise<Database> {
  if (secrets.databaseUrl !== undefined) return openPostgres(secrets.databaseUrl, log)
  progress(`Opening the store in ${config.dataDir}`)
  return openEmbedded(config.dataDir, config.cacheDir, log)
}

async function startChain({ config, log, progress }: FoundationOptions): Promise<DevChain | undefined> {
  if (config.chain.kind === 'rpc') return undefined
  const { dataDir, cacheDir, chain } = config
  return startDevChain({ port: chain.port, dataDir, cacheDir, log, progress })
}

function requireDevChain(devChain: DevChain | undefined): DevChain {
  if (!devChain) throw new Error('the local chain was not started')
  return devChain
}
