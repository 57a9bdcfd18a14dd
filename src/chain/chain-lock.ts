import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DevChainError } from './dev-chain-error.ts'

/**
 * Keeps the chain of a data folder for one gateway. A second one would otherwise adopt it and, on its
 * way out, end it under the first. SQLite holds a lock of the operating system, which goes with the
 * process however it dies, so no stale lock is ever left to be judged.
 * @returns the release.
 * @throws DevChainError while another process holds it.
 */
export function lockChain(dataDir: string): () => void {
  const lock = new DatabaseSync(join(dataDir, 'chain.lock'))
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    lock.close()
    if (!(error instanceof Error && /locked/.test(error.message))) throw error
    throw new DevChainError(
      `Another gateway is using the local chain in ${dataDir}. Stop it, or give this one its own DATA_DIR, PORT and DEV_CHAIN_PORT.`,
    )
  }
  return () => lock.close()
}
