import { mkdir } from 'node:fs/promises'
import type { Log } from '../../../core/log.ts'
import { compileContracts } from './compile.ts'
import { fundWallets } from './fund-wallets.ts'
import { adoptOrLaunch, type Launched } from './launch.ts'
import { createDevClient, placeContracts } from './place-contracts.ts'

export { DevChainError } from './dev-chain-error.ts'

/**
 * The local chain for development and tests: a real EVM with Base Sepolia's chain id, USDC, Multicall3,
 * Permit2 and the `upto` proxy. Payments run end to end on it, without network and without money.
 */
export interface DevChain {
  readonly rpcUrl: string
  /** Whether an earlier gateway left it running. */
  readonly adopted: boolean
  readonly pid: number
  /** Resolves with the reason when the chain ends before `close` is called. */
  readonly died: Promise<string>
  /** Ends the chain; its state is on disk when this resolves. */
  close(): Promise<void>
}

export interface DevChainOptions {
  /** The port to listen on; 0 for any free one. */
  readonly port: number
  /** The folder that keeps the chain between starts. It has one chain and one gateway at a time. */
  readonly dataDir: string
  /** The folder that caches compiled contracts; the data folder when left out. */
  readonly cacheDir?: string
  readonly log: Log
  /** Called with one line for the terminal before each step that takes a moment. */
  readonly progress?: (line: string) => void
}

/**
 * Starts the local chain, or adopts the one that a killed gateway left. The caller has to hold the folder's
 * lock (`store/embedded/folder-lock.ts`): a second gateway would adopt the chain and end it while the first
 * still uses it.
 * @throws DevChainError that says why the chain cannot run and what to do.
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
