import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Address, encodeFunctionData, parseAbi } from 'viem'
import { createLog } from '../../../src/core/log.ts'
import { devPayers } from '../../../src/platform/chain/dev-accounts.ts'
import { compileContracts } from '../../../src/platform/chain/local/compile.ts'
import { type DevChain, startDevChain } from '../../../src/platform/chain/local/dev-chain.ts'
import { createDevClient } from '../../../src/platform/chain/local/place-contracts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'

/**
 * Local chains for tests, each in a temporary folder and on a free port. The compiler runs once for all test
 * files and all runs.
 */

export const cacheDir = fileURLToPath(new URL('../../../node_modules/.cache/tollgate/', import.meta.url))
const log = createLog('silent')

/** Makes an empty folder below the system's folder for temporary files, and a function that removes it. */
export async function temporaryFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-'))
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Starts the chain of this folder as a gateway does. The caller closes it. */
export async function startChainIn(dataDir: string, port = 0): Promise<DevChain> {
  await mkdir(cacheDir, { recursive: true })
  return await startDevChain({ port, dataDir, cacheDir, log })
}

export interface TestChain {
  readonly rpcUrl: string
  /** Reads and writes the chain, and moves its clock. */
  readonly client: ReturnType<typeof createDevClient>
  /** Gives USDC to an account; the gas is paid by an account whose nonces no test checks. */
  mint(to: Address, value: bigint): Promise<void>
  /** Ends the chain and removes its folder. */
  close(): Promise<void>
}

/** Starts a chain with the test USDC, ten funded accounts (`dev-accounts.ts`) and Multicall3. */
export async function startTestChain(): Promise<TestChain> {
  const { folder, remove } = await temporaryFolder()
  const chain = await startChainIn(folder)
  const client = createDevClient(chain.rpcUrl)
  return {
    rpcUrl: chain.rpcUrl,
    client,
    async mint(to, value) {
      const data = encodeFunctionData({
        abi: parseAbi(['function mint(address to, uint256 value)']),
        args: [to, value],
      })
      const account = devPayers[7].address
      const hash = await client.sendTransaction({
        account,
        to: networks['base-sepolia'].usdc.address,
        data,
      })
      await client.waitForTransactionReceipt({ hash })
    },
    async close() {
      await chain.close()
      await remove()
    },
  }
}

const contracts = [
  'ContractWallet',
  'GasBurner',
  'BlockBurner',
  'LateBurner',
  'HeavyWallet',
  'CloneFactory',
] as const

/** Creation code of a contract in this folder. */
export async function contractCode(name: (typeof contracts)[number]): Promise<`0x${string}`> {
  await mkdir(cacheDir, { recursive: true })
  const folder = new URL('.', import.meta.url)
  const compiled = await compileContracts(contracts, { folder, cacheDir, log })
  return compiled[name]
}
