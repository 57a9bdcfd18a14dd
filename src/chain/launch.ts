import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import type { Log } from '../core/log.ts'
import { type Anvil, adoptAnvil, spawnAnvil } from './anvil.ts'
import { chainIdentity, hasIdentity, readRecord, writeRecord } from './chain-identity.ts'
import { keepSavedState, stateFile } from './chain-state.ts'
import { DevChainError } from './dev-chain-error.ts'
import { freePort, isListening } from './port.ts'

/**
 * Gets the chain of a data folder running, exactly once: the state has one writer, so a chain that
 * still runs is adopted or ended before another is started.
 */
export interface Launched {
  readonly anvil: Anvil
  readonly port: number
  readonly adopted: boolean
}

const readyTimeoutMs = 30_000
const portAttempts = 5

/**
 * @param port where it has to listen; 0 for any free port.
 * @throws DevChainError if the port is taken or anvil does not start.
 */
export async function adoptOrLaunch(
  port: number,
  dataDir: string,
  log: Log,
  progress: (line: string) => void,
): Promise<Launched> {
  const record = await readRecord(dataDir, log)
  if (record && (await hasIdentity(record.port, record.identity, log))) {
    const anvil = adoptAnvil(record.pid, record.port, log)
    if (port === 0 || port === record.port) {
      progress(`Going on with the local chain on port ${record.port}`)
      return { anvil, port: record.port, adopted: true }
    }
    progress(`Moving the local chain from port ${record.port} to ${port}`)
    await anvil.stop()
  } else {
    progress('Starting the local chain')
  }
  await keepSavedState(dataDir, log)
  const identity = await chainIdentity(dataDir, record, log)
  let chosen = port
  for (let attempt = 1; attempt <= (port === 0 ? portAttempts : 1); attempt++) {
    if (port === 0) chosen = await freePort()
    const launched = await launch(chosen, dataDir, identity, log)
    if (launched !== 'taken') return launched
  }
  throw new DevChainError(
    `Port ${chosen} is taken by another program, so the local chain cannot listen there. Stop that program, or set DEV_CHAIN_PORT to a free port.`,
  )
}

async function launch(port: number, dataDir: string, identity: Hex, log: Log): Promise<Launched | 'taken'> {
  if (await isListening(port)) return 'taken'
  const anvil = await spawnAnvil(port, dataDir, log)
  try {
    await writeRecord(dataDir, { identity, pid: anvil.pid, port })
    await untilReady(anvil, port, identity, log)
    return { anvil, port, adopted: false }
  } catch (error) {
    await anvil.stop()
    // Between looking and binding, someone else may have come first.
    if (await isListening(port)) return 'taken'
    throw new DevChainError(
      `The local chain did not start: ${error instanceof Error ? error.message : error}. If its saved state is at fault, delete ${stateFile(dataDir)} to begin with a new chain.`,
    )
  }
}

/** Only the identity shows that it is our chain that answers, and not whoever took the port before it. */
async function untilReady(anvil: Anvil, port: number, identity: Hex, log: Log): Promise<void> {
  const deadline = performance.now() + readyTimeoutMs
  while (!(await hasIdentity(port, identity, log))) {
    const why = await Promise.race([anvil.ended, sleep(10, undefined)])
    if (why !== undefined) throw new Error(why)
    if (performance.now() > deadline) throw new Error(`no answer within ${readyTimeoutMs / 1000} s`)
  }
}
