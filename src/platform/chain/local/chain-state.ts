import { existsSync } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { z } from 'zod'
import type { Log } from '../../../core/log.ts'
import { readWhole, writeWhole } from './json-file.ts'

/**
 * The local chain between two starts. anvil overwrites the file it saves to in place, so a crash in
 * that moment would leave half a chain, and every later start would fail on it. Hence two files: anvil
 * loads one and saves to the other, and a saved file takes the place of the loaded one only after it
 * has been read through.
 */

/** What anvil loads at start. */
export const stateFile = (dataDir: string): string => join(dataDir, 'chain-state.json')
/** Where anvil saves to, every half minute and when it is asked to end. */
export const savedFile = (dataDir: string): string => join(dataDir, 'chain-state.saved.json')

/** Makes what anvil saved last the state of the next start. Only while anvil is not running. */
export async function keepSavedState(dataDir: string, log: Log): Promise<void> {
  const saved = savedFile(dataDir)
  if (!existsSync(saved)) return
  try {
    JSON.parse(await readFile(saved, 'utf8'))
  } catch (error) {
    log.warn(
      { file: saved, err: error },
      'the local chain was cut off while it saved itself; it goes on from the state before that',
    )
    await rm(saved)
    return
  }
  await rename(saved, stateFile(dataDir))
}

/**
 * An account with nothing but code, which tells our chain from any other (see chain-identity.ts). The
 * address spells "tollgate".
 */
export const markerAddress = '0x000000000000000000000000746f6c6c67617465'

const stateShape = z.object({
  accounts: z.object({ [markerAddress]: z.object({ code: z.templateLiteral(['0x', z.hex()]) }) }),
})

/** The identity in the saved state; undefined if there is no state, or one that is not ours. */
export async function savedIdentity(dataDir: string, log: Log): Promise<Hex | undefined> {
  return (await readWhole(stateFile(dataDir), stateShape, log))?.accounts[markerAddress].code
}

/**
 * Writes a state that holds the marker and nothing else, so that a new chain bears its identity from
 * its first moment on: a gateway killed right after starting it could otherwise never tell that it is
 * its own.
 */
export async function writeFirstState(dataDir: string, identity: Hex): Promise<void> {
  await writeWhole(
    stateFile(dataDir),
    JSON.stringify({
      block: null,
      best_block_number: null,
      accounts: { [markerAddress]: { nonce: 0, balance: '0x0', code: identity, storage: {} } },
    }),
  )
}
