import { existsSync } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { z } from 'zod'
import type { Log } from '../../../core/log.ts'
import { readJsonFile, writeJsonFile } from './json-file.ts'

/**
 * The state of the local chain between two starts. anvil overwrites the file it saves to in place, so a crash
 * in that moment leaves half a state, on which every later start would fail. Hence two files: anvil loads one
 * and saves to the other, and the saved file replaces the loaded one only after it was read as JSON.
 */

/** The file that anvil loads at start. */
export const stateFile = (dataDir: string): string => join(dataDir, 'chain-state.json')
/** The file that anvil saves to, every half minute and when it ends. */
export const savedFile = (dataDir: string): string => join(dataDir, 'chain-state.saved.json')

/** Makes the last saved file the state of the next start. Must not be called while anvil runs. */
export async function keepSavedState(dataDir: string, log: Log): Promise<void> {
  const saved = savedFile(dataDir)
  if (!existsSync(saved)) return
  try {
    JSON.parse(await readFile(saved, 'utf8'))
  } catch (error) {
    log.warn(
      { file: saved, err: error },
      'the local chain ended while it saved its state; it continues from the previous state',
    )
    await rm(saved)
    return
  }
  await rename(saved, stateFile(dataDir))
}

/** An account that holds only the identity of our chain, as its code. The address spells "tollgate". */
export const markerAddress = '0x000000000000000000000000746f6c6c67617465'

const stateShape = z.object({
  accounts: z.object({ [markerAddress]: z.object({ code: z.templateLiteral(['0x', z.hex()]) }) }),
})

/** The identity in the saved state; undefined when there is no state, or it is not one of ours. */
export async function savedIdentity(dataDir: string, log: Log): Promise<Hex | undefined> {
  return (await readJsonFile(stateFile(dataDir), stateShape, log))?.accounts[markerAddress].code
}

/**
 * Writes a state that holds only the identity, so that a new chain has it from its first moment: otherwise
 * the chain of a gateway that is killed right after starting it could not be recognized.
 */
export async function writeFirstState(dataDir: string, identity: Hex): Promise<void> {
  await writeJsonFile(stateFile(dataDir), {
    block: null,
    best_block_number: null,
    accounts: { [markerAddress]: { nonce: 0, balance: '0x0', code: identity, storage: {} } },
  })
}
