import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import type { Log } from '../../../core/log.ts'
import { type Anvil, adoptAnvil, spawnAnvil } from './anvil.ts'
import { type ChainRecord, chainIdentity, hasIdentity, readRecord, writeRecord } from './chain-identity.ts'
import { keepSavedState, stateFile } from './chain-state.ts'
import { DevChainError } from './dev-chain-error.ts'
import { freePort, isListening } from './port.ts'

/**
 * Gets the chain of a data folder running, exactly once: its state has one writer, so a chain that
 * still runs is adopted or ended before another is started.
 */
export interface Launched {
  readonly port: number
  readonly pid: number
  readonly adopted: boolean
  /** Resolves with the reason when the chain has ended, by whatever cause. */
  readonly ended: Promise<string>
  /** Ends the chain and keeps its state. */
  stop(): Promise<void>
}

const readyTimeoutMs = 30_000
const portAttempts = 5
/** anvil answers 60 ms after its start, later with a large state. */
const startingMs = 3_000

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
  const asLaunched = (anvil: Anvil, identity: Hex, at: { port: number; adopted: boolean }): Launched => ({
    ...at,
    pid: anvil.pid,
    ended: anvil.ended,
    async stop() {
      await anvil.stop()
      await keepSavedState(dataDir, log)
      await writeRecord(dataDir, { identity })
    },
  })

  const record = await readRecord(dataDir, log)
  const left = record && (await findLeft(record, log))
  if (left && (port === 0 || port === left.port)) {
    progress(`Going on with the local chain on port ${left.port}`)
    const anvil = adoptAnvil(left.pid, left.port, log)
    return asLaunched(anvil, record.identity, { port: left.port, adopted: true })
  }
  progress('Starting the local chain')
  if (left) await adoptAnvil(left.pid, left.port, log).stop()
  await keepSavedState(dataDir, log)
  const identity = await chainIdentity(dataDir, record, log)

  let chosen = port
  for (let attempt = 1; attempt <= (port === 0 ? portAttempts : 1); attempt++) {
    if (port === 0) chosen = await freePort()
    const anvil = await launch(chosen, dataDir, identity, log)
    if (anvil !== 'taken') return asLaunched(anvil, identity, { port: chosen, adopted: false })
  }
  throw new DevChainError(
    `Port ${chosen} is taken by another program, so the local chain cannot listen there. Stop that program, or set DEV_CHAIN_PORT to a free port.`,
  )
}

/** The chain an earlier gateway left running. One it launched only just now may not answer yet. */
async function findLeft({ identity, running }: ChainRecord, log: Log): Promise<ChainRecord['running']> {
  if (!running) return undefined
  const giveUpAt = Math.min(running.launchedAt, Date.now()) + startingMs
  while (!(await isListening(running.port))) {
    if (Date.now() > giveUpAt) return undefined
    await sleep(20)
  }
  return (await hasIdentity(running.port, identity, log)) ? running : undefined
}

async function launch(port: number, dataDir: string, identity: Hex, log: Log): Promise<Anvil | 'taken'> {
  if (await isListening(port)) return 'taken'
  const anvil = await spawnAnvil(port, dataDir, log)
  try {
    await writeRecord(dataDir, { identity, running: { pid: anvil.pid, port, launchedAt: Date.now() } })
    await untilReady(anvil, port, identity, log)
    return anvil
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
