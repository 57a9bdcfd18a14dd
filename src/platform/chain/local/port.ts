import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { DevChainError } from './dev-chain-error.ts'

const host = '127.0.0.1'

/**
 * Whether a program listens on this port. Only a refused connection proves that none does; a busy system does
 * not. This is also how we notice the end of a chain that we did not start: its exit is reported only to its
 * parent process, and its process id can outlive it.
 */
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

/** Waits until no program listens on this port; `false` when one still does after `timeoutMs`. */
export async function isSilentWithin(port: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (await isListening(port)) {
    if (performance.now() > deadline) return false
    await sleep(20)
  }
  return true
}

/**
 * Finds a port that is free now. Another program may take it first, so the caller must be ready to ask again.
 * It is below the ports that the system gives to outgoing connections, because each of those may be taken at
 * any moment.
 * @throws DevChainError when no port is free.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const port = firstPort + Math.floor(Math.random() * ports)
    if (await canListen(port)) return port
  }
  throw new DevChainError('This machine has no free port for the local chain. Set DEV_CHAIN_PORT.')
}

/** Outgoing connections begin at 32768 on Linux, and at 49152 on macOS and Windows. */
const firstPort = 12_000
const ports = 20_000
const maxTries = 50

async function canListen(port: number): Promise<boolean> {
  const server = createServer().listen(port, host)
  try {
    await once(server, 'listening')
  } catch {
    // In use, or not allowed. The caller tries another.
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
