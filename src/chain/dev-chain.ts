import { mkdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../core/log.ts'
import { type Anvil, adoptAnvil, spawnAnvil } from './anvil.ts'
import { type ChainRecord, chainIdentity, hasIdentity, readRecord, writeRecord } from './chain-identity.ts'
import { keepSavedState } from './chain-state.ts'
import { compileContracts } from './compile.ts'
import { DevChainError } from './dev-chain-error.ts'
import { createDevClient, placeContracts } from './place-contracts.ts'
import { freePort, isListening } from './port.ts'

/**
 * The local chain for development and tests: a real EVM with Base Sepolia's chain id, USDC and
 * Multicall3, so that payments can be tried whole, without network and without money.
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
  readonly log: Log
  /** Told in one line what is about to take a moment. */
  readonly progress?: (line: string) => void
}

const readyTimeoutMs = 30_000

/**
 * Starts the local chain, or adopts the one a killed gateway left.
 * @throws DevChainError that says why there is none and what to do.
 */
export async function startDevChain({
  port,
  dataDir,
  log,
  progress = () => {},
}: DevChainOptions): Promise<DevChain> {
  await mkdir(dataDir, { recursive: true })
  const [launched, compiled] = await Promise.allSettled([
    adoptOrLaunch(port, dataDir, log, progress),
    compileContracts(['TestUSDC', 'Multicall3'], {
      folder: new URL('./contracts/', import.meta.url),
      cacheDir: dataDir,
      log,
      onCompile: () => progress('compiling the test USDC (first start only)'),
    }),
  ])
  if (launched.status === 'rejected') throw launched.reason
  const { anvil, adopted, record } = launched.value

  const rpcUrl = `http://127.0.0.1:${record.port}`
  try {
    if (compiled.status === 'rejected') throw compiled.reason
    await placeContracts(createDevClient(rpcUrl), compiled.value, () =>
      progress('minting 10,000 test USDC to each of the ten test accounts'),
    )
  } catch (error) {
    await anvil.stop()
    throw error
  }

  const died = Promise.withResolvers<string>()
  let closed: Promise<void> | undefined
  anvil.ended.then((why) => {
    if (!closed) died.resolve(why)
  })
  const close = async () => {
    await anvil.stop()
    await keepSavedState(dataDir, log)
  }
  return {
    rpcUrl,
    adopted,
    pid: anvil.pid,
    died: died.promise,
    close() {
      closed ??= close()
      return closed
    },
  }
}
