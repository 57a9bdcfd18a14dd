import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import type { Log } from '../../../core/log.ts'
import { type Anvil, adoptAnvil, spawnAnvil } from './anvil.ts'
import { type ChainRecord, chainIdentity, hasIdentity, readRecord, writeRecord } from './chain-identity.ts'
import { keepSavedState, stateFile } from './chain-state.ts'
import { DevChainError } from './dev-chain-error.ts'
import { freePort, isListening } from './port.ts'

/** The running chain of a data folder. */
export interface Launched {
  readonly port: number
  readonly pid: number
  /** Whether an earlier gateway left it running. */
  readonly adopted: boolean
  /** Resolves with the reason when the chain has ended, for whatever cause. */
  readonly ended: Promise<string>
  /** Ends the chain and keeps its state. */
  stop(): Promise<void>
}

type LaunchResult = { readonly kind: 'running'; readonly anvil: Anvil } | { readonly kind: 'port-taken' }

const readyTimeoutMs = 30_000
const portAttempts = 5
/** A chain that was launched less than this long ago may not answer yet. */
const startingMs = 3_000

/**
 * Starts the chain of a data folder, or adopts the one that still runs. The state of a chain has one writer,
 * so a chain that still runs is adopted or ended before another is started.
 * @param port where it has to listen; 0 for any free port.
 * @throws DevChainError when the port is taken or anvil does not start.
 */
export async function adoptOrLaunch(
  port: number,
  dataDir: string,
  log: Log,
  progress: (line: string) => void,
): Promise<Launched> {
  const record = await readRecord(dataDir, log)
  const left = record && (await findRunning(record, log))
  if (left && (port === 0 || port === left.port)) {
    progress(`Continuing with the local chain on port ${left.port}`)
    const anvil = adoptAnvil(left.pid, left.port, log)
    const { identity } = record
    return { ...launchedFrom(anvil, identity, dataDir, log), port: left.port, adopted: true }
  }
  progress('Starting the local chain')
  if (left) await adoptAnvil(left.pid, left.port, log).stop()
  await keepSavedState(dataDir, log)
  const identity = await chainIdentity(dataDir, record, log)

  let chosen = port
  for (let attempt = 1; attempt <= (port === 0 ? portAttempts : 1); attempt++) {
    if (port === 0) chosen = await freePort()
    const launch = await launchAt(chosen, dataDir, identity, log)
    if (launch.kind === 'running') {
      return { ...launchedFrom(launch.anvil, identity, dataDir, log), port: chosen, adopted: false }
    }
  }
  throw new DevChainError(
    `Port ${chosen} is taken by another program, so the local chain cannot listen there. Stop that program, or set DEV_CHAIN_PORT to a free port.`,
  )
}

function launchedFrom(anvil: Anvil, identity: Hex, dataDir: string, log: Log) {
  return {
    pid: anvil.pid,
    ended: anvil.ended,
    async stop() {
      await anvil.stop()
      await keepSavedState(dataDir, log)
      await writeRecord(dataDir, { identity })
    },
  }
}

/**
 * Finds the chain that an earlier gateway left running. One that was launched just now may not answer yet.
 */
async function findRunning({ identity, running }: ChainRecord, log: Log): Promise<ChainRecord['running']> {
  if (!running) return undefined
  const giveUpAt = Math.min(running.launchedAt, Date.now()) + startingMs
  while (!(await isListening(running.port))) {
    if (Date.now() > giveUpAt) return undefined
    await sleep(20)
  }
  return (await hasIdentity(running.port, identity, log)) ? running : undefined
}

async function launchAt(port: number, dataDir: string, identity: Hex, log: Log): Promise<LaunchResult> {
  if (await isListening(port)) return { kind: 'port-taken' }
  const anvil = await spawnAnvil(port, dataDir, log)
  try {
    await writeRecord(dataDir, { identity, running: { pid: anvil.pid, port, launchedAt: Date.now() } })
    await untilReady(anvil, port, identity, log)
    return { kind: 'running', anvil }
  } catch (error) {
    await anvil.stop()
    // Another program may have taken the port between the check and anvil's start.
    if (await isListening(port)) return { kind: 'port-taken' }
    throw new DevChainError(
      `The local chain did not start: ${error instanceof Error ? error.message : error}. If its saved state is broken, delete ${stateFile(dataDir)} to begin with a new chain.`,
    )
  }
}

/** Only the identity shows that our chain answers, and not another program that took the port before it. */
async function untilReady(anvil: Anvil, port: number, identity: Hex, log: Log): Promise<void> {
  const deadline = performance.now() + readyTimeoutMs
  while (!(await hasIdentity(port, identity, log))) {
    const why = await Promise.race([anvil.ended, sleep(10, undefined)])
    if (why !== undefined) throw new Error(why)
    if (performance.now() > deadline) throw new Error(`no answer within ${readyTimeoutMs / 1000} s`)
  }
}
