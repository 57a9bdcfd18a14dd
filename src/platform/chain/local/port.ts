import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { DevChainError } from './dev-chain-error.ts'

/**
 * Ports of this machine. Whether anyone listens is also how we tell that a chain we did not start
 * ourselves has ended: only our own children tell us so, and an id says nothing, since where nobody
 * waits for orphans a dead process keeps its own for ever.
 */

const host = '127.0.0.1'

/** Only a refused connection proves that nobody is there; a busy or failing system does not. */
export async function isListening(port: number): Promise<boolean> {
  const socket = connect({ host, port })
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(2000) })
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED')
  } finally {
    socket.destroy()
  }
}

/** Resolves once nobody listens any more; `false` when that has not happened after `timeoutMs`. */
export async function isSilentWithin(port: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (await isListening(port)) {
    if (performance.now() > deadline) return false
    await sleep(20)
  }
  return true
}

/**
 * A port free a moment ago. Someone else may take it first, so the caller must be ready to ask again. It is not one of
 * those that the system gives to connections on their way out: of these there are many at a time, and each may be
 * given away in the next moment.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const port = firstPort + Math.floor(Math.random() * ports)
    if (await canListen(port)) return port
  }
  throw new DevChainError('This machine has no free port for the local chain. Set DEV_CHAIN_PORT.')
}

/** Below where Linux (32768), macOS and Windows (49152) begin with theirs. */
const firstPort = 12_000
const ports = 20_000
const maxTries = 50

async function canListen(port: number): Promise<boolean> {
  const server = createServer().listen(port, host)
  try {
    await once(server, 'listening')
  } catch {
    // In use, or not for us: the next one may do.
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
