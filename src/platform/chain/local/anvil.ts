import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pTimeout from 'p-timeout'
import type { Log } from '../../../core/log.ts'
import { networks } from '../networks.ts'
import { anvilBinary } from './anvil-binary.ts'
import { savedFile, stateFile } from './chain-state.ts'
import { DevChainError } from './dev-chain-error.ts'
import { isListening, isSilentWithin } from './port.ts'

/**
 * The process of the local chain. It has to be ended by a signal that it can handle, so that it saves its
 * state.
 */
export interface Anvil {
  readonly pid: number
  /** Resolves with the reason when the process has ended, for whatever cause. */
  readonly ended: Promise<string>
  /** Ends the process; resolves once it is gone. */
  stop(): Promise<void>
}

/** Ample time for anvil to save its state. */
const stopTimeoutMs = 15_000

const flags = (port: number, dataDir: string): string[] => [
  '--quiet',
  // Never Base's own chain id: a signature made for it would be valid where the money is real.
  ...['--chain-id', String(networks['base-sepolia'].chainId)],
  ...['--host', '127.0.0.1', '--port', String(port)],
  // Web pages must not be able to call it.
  '--no-cors',
  ...['--load-state', stateFile(dataDir), '--dump-state', savedFile(dataDir), '--state-interval', '30'],
  // By default anvil keeps the state after every block: up to 500 in memory and the others below the home
  // folder, where they stay (gigabytes after some thousand payments). Sixteen are enough for a balance at the
  // finalized block.
  ...['--prune-history', '16'],
  // A transaction is mined immediately, and a block comes every ten seconds anyway. eth_call runs at the time
  // of the last block, so on an idle chain without blocks a new authorization would be "not yet valid".
  ...['--mixed-mining', '--block-time', '10'],
  // A block is final when two more have come, not 64.
  ...['--slots-in-an-epoch', '1'],
]

/**
 * Starts anvil on the state of this folder. It does not answer yet when this returns.
 * @throws DevChainError when the program is missing or cannot be run.
 */
export async function spawnAnvil(port: number, dataDir: string, log: Log): Promise<Anvil> {
  const binary = anvilBinary()
  const logFile = join(dataDir, 'chain.log')
  const output = openSync(logFile, 'w')
  const child = spawn(binary, flags(port, dataDir), {
    // In another process group, because Ctrl-C at the terminal is for the gateway, which still has to settle
    // calls that it served. Without a pipe, because that would break when the gateway is killed.
    detached: true,
    stdio: ['ignore', 'ignore', output],
    windowsHide: true,
    // Without the gateway's environment: it holds keys, and anvil reads settings from there.
    env: {},
  })
  closeSync(output)
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`anvil could not be started: ${error.message}`))
    child.once('exit', (code, signal) =>
      resolve(`anvil (process ${child.pid}) ended with ${signal ?? `code ${code}`}${lastLines(logFile)}`),
    )
  })
  const { pid } = child
  if (pid === undefined) throw new DevChainError(await ended)
  // The chain alone must not keep the gateway's process alive.
  child.unref()

  return {
    pid,
    ended,
    async stop() {
      child.ref()
      child.kill('SIGTERM')
      if (await endsWithin(ended, stopTimeoutMs)) return
      log.warn({ pid }, 'the local chain did not end after SIGTERM, and is killed')
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Takes over a chain that a killed gateway left running on this port. */
export function adoptAnvil(pid: number, port: number, log: Log): Anvil {
  let stopping = false
  const watch = async () => {
    while (!stopping && (await isListening(port))) await sleep(1000, undefined, { ref: false })
    return `anvil (process ${pid}, left by an earlier gateway) ended`
  }
  return {
    pid,
    ended: watch(),
    async stop() {
      stopping = true
      // Once the chain is gone, its process id may belong to another process.
      if (!(await isListening(port))) return
      signal(pid, 'SIGTERM')
      if (await isSilentWithin(port, stopTimeoutMs)) return
      log.warn({ pid }, 'the local chain did not end after SIGTERM, and is killed')
      signal(pid, 'SIGKILL')
      await isSilentWithin(port, stopTimeoutMs)
    },
  }
}

function signal(pid: number, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    // The process ended meanwhile.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

function endsWithin(ended: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  return pTimeout(
    ended.then(() => true),
    { milliseconds: timeoutMs, fallback: () => false },
  )
}

/** The last lines that anvil wrote, for an error message. */
function lastLines(file: string): string {
  const output = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  return output === '' ? '' : `: ${output.split('\n').slice(-5).join(' ')}`
}
