import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The connections of a server, followed from the first on, so that they can be ended without losing a call. */
export interface Connections {
  /**
   * Makes every reply that is not sent yet, and all later ones, end its connection. A balancer would otherwise
   * keep the connection, send a call on it while it is being closed, and answer 502.
   */
  endAfterReplies(): void
  /**
   * Stops listening. Resolves when all connections are closed: by their calls, or by force after `patienceMs`.
   * @param force is called before the connections are closed by force.
   */
  drain(patienceMs: number, force: () => void): Promise<void>
}

/** Call it before the server listens. */
export function followConnections(server: Server): Connections {
  const unused = followUnused(server)
  const unsent = followUnsent(server)
  let isEnding = false
  server.prependListener('request', (_req, res) => {
    if (isEnding) res.shouldKeepAlive = false
  })
  return {
    endAfterReplies() {
      isEnding = true
      for (const replies of unsent) for (const res of replies) res.shouldKeepAlive = false
    },
    drain: (patienceMs, force) => drain(server, unused, patienceMs, force),
  }
}

async function drain(
  server: Server,
  unused: ReadonlySet<Socket>,
  patienceMs: number,
  force: () => void,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // A connection that becomes idle only now would be kept for a next call, and the server would wait for it.
  const closeIdle = setInterval(() => {
    server.closeIdleConnections()
    for (const socket of unused) socket.destroy()
  }, 50)
  const deadline = setTimeout(() => {
    force()
    // Deferred, so that streams record that they were broken off before their sockets close. Otherwise the
    // streams would record that their callers disconnected.
    setImmediate(() => server.closeAllConnections())
  }, patienceMs)
  await closed
  clearInterval(closeIdle)
  clearTimeout(deadline)
}

/**
 * The connections that have not sent a request yet. Clients open some in advance, and Node does not count
 * them as idle, so a gateway that stops would wait for them until its deadline.
 */
function followUnused(server: Server): ReadonlySet<Socket> {
  const unused = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  for (const event of ['request', 'upgrade', 'connect'] as const)
    server.prependListener(event, ({ socket }) => unused.delete(socket))
  return unused
}

/**
 * The replies of each connection that are not sent yet. One set of all replies would be simpler, but V8 keeps each
 * table that a set has outgrown linked to the next one. Once the first is old, all that were ever in the set stay until a
 * major collection: with Redis, where many calls wait at a time, that was half of what a call allocates.
 */
function followUnsent(server: Server): ReadonlySet<readonly ServerResponse[]> {
  const unsent = new Set<ServerResponse[]>()
  const unsentOn = new WeakMap<Socket, ServerResponse[]>()
  server.on('connection', (socket: Socket) => {
    const replies: ServerResponse[] = []
    unsent.add(replies)
    unsentOn.set(socket, replies)
    socket.once('close', () => unsent.delete(replies))
  })
  // One function for all replies: one of its own for each costs memory at every call.
  function forget(this: ServerResponse) {
    const replies = unsentOn.get(this.req.socket)
    const index = replies?.indexOf(this) ?? -1
    if (index >= 0) replies?.splice(index, 1)
  }
  server.prependListener('request', ({ socket }, res) => {
    unsentOn.get(socket)?.push(res)
    res.on('close', forget)
  })
  return unsent
}
