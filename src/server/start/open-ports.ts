import type { Server } from 'node:http'
import type { Log } from '../../core/log.ts'
import type { Config } from '../../platform/config/config.ts'

/** The gateway cannot listen on a port; the message says what to do. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

interface Listener {
  readonly server: Server
  readonly at: Config['listen']
  /** The settings that choose the port and the host. */
  readonly setting: string
  readonly hostSetting: string
}

/**
 * Opens all ports, or none.
 * @throws ListenError naming every port that cannot be opened.
 */
export async function openPorts(listeners: readonly Listener[], log: Log): Promise<void> {
  const outcomes = await Promise.allSettled(listeners.map((listener) => openPort(listener, log)))
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  if (failures.length === 0) return
  for (const { server } of listeners) if (server.listening) server.close()
  const [first, ...others] = failures
  if (others.length === 0) throw first
  throw new ListenError(failures.map(explain).join('\n'))
}

function explain(failure: unknown): string {
  if (!(failure instanceof ListenError)) return String(failure)
  return failure.cause instanceof Error ? `${failure.message} (${failure.cause.message})` : failure.message
}

/**
 * Connections that may wait to be accepted, as far as the system allows. It drops what comes beyond, and a client tries
 * again only after a second. Node's 511 are full after one burst, and then other callers wait that second, too.
 */
const waitingConnections = 4_096

/** @throws ListenError. */
async function openPort(
  { server, at: { port, host }, setting, hostSetting }: Listener,
  log: Log,
): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ port, host, backlog: waitingConnections }, () => {
        server.off('error', reject)
        resolve()
      })
    })
    // A server that listens goes on after an error; one without a listener would end the process.
    server.on('error', (error) => log.error({ err: error, port }, 'a listening port has reported an error'))
  } catch (cause) {
    throw new ListenError(
      `Cannot listen on ${host}:${port}. Set ${setting} to a free port, and ${hostSetting} to an address of this machine.`,
      { cause },
    )
  }
}
