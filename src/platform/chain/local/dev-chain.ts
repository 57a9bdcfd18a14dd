import { mkdir } from 'node:fs/promises'
import type { Log } from '../../../core/log.ts'
import { compileContracts } from './compile.ts'
import { fundWallets } from './fund-wallets.ts'
import { adoptOrLaunch, type Launched } from './launch.ts'
import { createDevClient, placeContracts } from './place-contracts.ts'

export { DevChainError } from './dev-chain-error.ts'

/**
 * The local chain for development and tests: a real EVM with Base Sepolia's chain id, USDC,
 * Multicall3, Permit2 and `upto` proxy, so that payments can be tried whole, without network and
 * without money.
 */
export interface DevChain {
  readonly rpcUrl: string
  /** Whether it is one that an earlier gateway left running. */
  readonly adopted: boolean
  readonly pid: number
  /** Resolves with the reason if the chain ends without `close` having been called. */
  readonly died: Promise<string>
  /** Ends the chain; its state is on disk when this resolves. */
  close(): Promise<void>
}

export interface DevChainOptions {
  /** Where it listens; 0 for any free port. */
  readonly port: number
  /** Keeps the chain between starts. One folder, one chain, one gateway at a time. */
  readonly dataDir: string
  /** Keeps compiled contracts; the data folder when left out. */
  readonly cacheDir?: string
  readonly log: Log
  /** Told in one line what is about to take a moment. */
  readonly progress?: (line: string) => void
}

/**
 * Starts the local chain, or adopts the one a killed gateway left. The caller holds the folder's lock
 * (`store/folder-lock.ts`): a second gateway would adopt the chain and end it under the first.
 * @throws DevChainError that says why there is none and what to do.
 */
export async function startDevChain(options: DevChainOptions): Promise<DevChain> {
  const { dataDir, cacheDir = dataDir } = options
  for (const folder of [dataDir, cacheDir]) await mkdir(folder, { recursive: true })
  const chain = await startWithContracts(options)
  const { promise: died, resolve: reportDeath } = Promise.withResolvers<string>()
  let closing: Promise<void> | undefined
  void chain.ended.then((why) => {
    if (!closing) reportDeath(why)
  })
  return {
    rpcUrl: urlOf(chain.port),
    adopted: chain.adopted,
    pid: chain.pid,
    died,
    close: () => {
      closing ??= chain.stop()
      return closing
    },
  }
}

async function startWithContracts(options: DevChainOptions): Promise<Launched> {
  const { port, dataDir, cacheDir = dataDir, log, progress = () => {} } = options
  const [launched, compiled] = await Promise.allSettled([
    adoptOrLaunch(port, dataDir, log, progress),
    compileContracts(['TestUSDC', 'Multicall3', 'Permit2', 'UptoPermit2Proxy'], {
      folder: new URL('./contracts/', import.meta.url),
      cacheDir,
      log,
      onCompile: () => progress('Compiling the test USDC (first start only)'),
    }),
  ])
  if (launched.status === 'rejected') throw launched.reason
  try {
    if (compiled.status === 'rejected') throw compiled.reason
    const client = createDevClient(urlOf(launched.value.port))
    await placeContracts(client, compiled.value)
    await fundWallets(client, () => progress('Minting 10,000 test USDC to each of the ten test accounts'))
    return launched.value
  } catch (error) {
    await launched.value.stop()
    throw error
  }
}

const urlOf = (port: number): string => `http://127.0.0.1:${port}`
