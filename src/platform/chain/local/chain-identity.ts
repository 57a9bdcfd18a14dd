import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Hex, toHex } from 'viem'
import { z } from 'zod'
import type { Log } from '../../../core/log.ts'
import { createChainClient } from '../client.ts'
import { networks } from '../networks.ts'
import { markerAddress, savedIdentity, stateFile, writeFirstState } from './chain-state.ts'
import { DevChainError } from './dev-chain-error.ts'
import { readJsonFile, writeJsonFile } from './json-file.ts'
import { isListening } from './port.ts'

/**
 * How a gateway recognizes its own chain. A gateway that is killed leaves its chain running. The next gateway
 * must continue with that chain: another chain has none of its payments. Another process can have the same
 * process id or port, so the chain itself carries a random identity, and the data folder remembers it.
 */

const recordShape = z.object({
  identity: z.templateLiteral(['0x', z.hex()]),
  /** Set while the chain runs, and after a gateway was killed. */
  running: z
    .object({
      pid: z.int().positive(),
      port: z.int().min(1).max(65_535),
      /** Milliseconds since the Unix epoch. */
      launchedAt: z.int(),
    })
    .optional(),
})

export type ChainRecord = z.infer<typeof recordShape>

const recordFile = (dataDir: string) => join(dataDir, 'chain.json')

export async function writeRecord(dataDir: string, record: ChainRecord): Promise<void> {
  await writeJsonFile(recordFile(dataDir), record)
}

/** Reads the last record of the chain of this folder; undefined when there is none. */
export async function readRecord(dataDir: string, log: Log): Promise<ChainRecord | undefined> {
  return await readJsonFile(recordFile(dataDir), recordShape, log)
}

/**
 * The identity of the chain of this folder. A new chain gets one, with its first state.
 * @throws DevChainError when the state in the folder is not one of ours.
 */
export async function chainIdentity(
  dataDir: string,
  record: ChainRecord | undefined,
  log: Log,
): Promise<Hex> {
  if (!existsSync(stateFile(dataDir))) {
    // The first byte is the opcode STOP, so that the identity does nothing as code.
    const identity = record?.identity ?? toHex(Uint8Array.of(0, ...randomBytes(16)))
    await writeFirstState(dataDir, identity)
    return identity
  }
  const identity = record?.identity ?? (await savedIdentity(dataDir, log))
  if (identity) return identity
  throw new DevChainError(
    `${stateFile(dataDir)} is not the state of tollgate's local chain. Delete it to begin with a new chain.`,
  )
}

/** Whether the chain that answers on this port is the one with this identity. */
export async function hasIdentity(port: number, identity: Hex, log: Log): Promise<boolean> {
  if (!(await isListening(port))) return false
  const client = createChainClient({
    network: networks['base-sepolia'],
    rpcUrl: `http://127.0.0.1:${port}`,
    timeoutMs: 2000,
  })
  try {
    return (await client.getCode({ address: markerAddress })) === identity
  } catch (error) {
    // The program on this port does not answer as a chain does, so it is not ours.
    log.debug({ port, err: error }, 'the program on this port is not the local chain')
    return false
  }
}
