import type { PublicClient } from 'viem'
import type { Log } from '../core/log.ts'
import { createChainClient } from '../platform/chain/client.ts'
import { type DevChain, startDevChain } from '../platform/chain/local/dev-chain.ts'
import { type Network, networks } from '../platform/chain/networks.ts'
import type { Config } from '../platform/config/config.ts'
import { type Database, openEmbedded, openPostgres } from '../platform/store/database.ts'
import { lockFolder } from '../platform/store/embedded/folder-lock.ts'

/** What a gateway stands on, and what takes it seconds to start: the books, and a way to the chain. */
export interface Foundation {
  readonly database: Database
  /** The local chain, when there is one. */
  readonly devChain: DevChain | undefined
  readonly client: PublicClient
  readonly network: Network
}

/** @param closers gets the end of each part as soon as it is open, also when a later one fails. */
export async function openFoundation({
  config,
  closers,
  log,
  progress,
}: {
  readonly config: Config
  readonly closers: (() => Promise<void> | void)[]
  readonly log: Log
  readonly progress: (line: string) => void
}): Promise<Foundation> {
  const needsFolder = config.store.kind === 'embedded' || config.chain.kind === 'local'
  if (needsFolder) closers.push(lockFolder(config.dataDir))

  // The slow ones start together: each is ready before the other on some machine.
  const [opened, started] = await Promise.allSettled([
    openStore(config, log, progress),
    startChain(config, log, progress),
  ])
  if (opened.status === 'fulfilled') closers.push(opened.value.close)
  if (started.status === 'fulfilled' && started.value) closers.push(started.value.close)
  if (opened.status === 'rejected') throw opened.reason
  if (started.status === 'rejected') throw started.reason
  const database = opened.value
  const devChain = started.value

  const network = networks[config.network]
  const client = createChainClient({
    network,
    rpcUrl: rpcUrl(config, devChain),
    timeoutMs: config.rpcTimeoutMs,
  })
  return { database, devChain, client, network }
}

async function openStore(config: Config, log: Log, progress: (line: string) => void): Promise<Database> {
  if (config.store.kind === 'postgres') return openPostgres(config.store.url, log)
  progress(`Opening the books in ${config.dataDir}`)
  return openEmbedded(config.dataDir, config.cacheDir)
}

async function startChain(
  config: Config,
  log: Log,
  progress: (line: string) => void,
): Promise<DevChain | undefined> {
  if (config.chain.kind === 'rpc') return undefined
  return startDevChain({
    port: config.chain.port,
    dataDir: config.dataDir,
    cacheDir: config.cacheDir,
    log,
    progress,
  })
}

function rpcUrl(config: Config, devChain: DevChain | undefined): string {
  if (config.chain.kind === 'rpc') return config.chain.url
  if (!devChain) throw new Error('the local chain was not started')
  return devChain.rpcUrl
}
