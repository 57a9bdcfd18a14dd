import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import pTimeout from 'p-timeout'
import { patienceMs } from '../patience.ts'

/** Handles one request on the bare socket, and may write anything. */
export type Behavior = (socket: Socket, request: HostileRequest) => void

export interface HostileRequest {
  readonly method: string
  readonly path: string
  /** By lower-case name; of a repeated header the last line. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface HostileServer {
  readonly port: number
  /** The number of connections so far. */
  readonly connections: number
  readonly requests: readonly HostileRequest[]
  /** Resolves when one of the open connections has ended. */
  hungUp(): Promise<unknown>
  close(): Promise<void>
}

/** Starts a server on loopback with a behavior for each path; other paths reply 404. */
export async function startHostileServer(
  behaviors: Readonly<Record<string, Behavior>>,
  tls?: TlsOptions,
): Promise<HostileServer> {
  const sockets = new Set<Socket>()
  const requests: HostileRequest[] = []
  let connections = 0

  const accept = (socket: Socket) => {
    let waiting = ''
    // A client may disconnect in the middle of a broken reply.
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      // Web servers reply so to a TLS handshake on a port without TLS.
      if (waiting === '' && chunk[0] === tlsHandshake) socket.end(head(400))
      waiting += chunk.toString('latin1')
      for (;;) {
        const next = takeRequest(waiting)
        if (next === undefined) return
        waiting = next.rest
        requests.push(next.request)
        const behavior = behaviors[next.request.path.split('?', 1).join()] ?? answer(404, {}, 'nothing here')
        behavior(socket, next.request)
      }
    })
  }
  const server: Server = tls ? createTlsServer(tls, accept) : createServer(accept)
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')

  return {
    port: address.port,
    get connections() {
      return connections
    },
    requests,
    hungUp: () =>
      pTimeout(
        Promise.race([...sockets].map((socket) => new Promise((done) => socket.once('close', done)))),
        {
          milliseconds: patienceMs,
          message: 'the client ended none of its connections',
        },
      ),
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A valid reply with its true length. A header may have several lines. */
export function answer(
  status: number,
  headers: Readonly<Record<string, string | readonly string[]>> = {},
  body: string | Uint8Array = '',
): Behavior {
  return (socket) => {
    const bytes = Buffer.from(body)
    socket.write(Buffer.concat([head(status, { 'content-length': String(bytes.length), ...headers }), bytes]))
  }
}

export function redirect(to: string, status = 302): Behavior {
  return answer(status, { location: to })
}

export function head(
  status: number,
  headers: Readonly<Record<string, string | readonly string[]>> = {},
): Buffer {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((line) => `${name}: ${line}\r\n`),
  )
  return Buffer.from(`HTTP/1.1 ${status} Status\r\n${lines.join('')}\r\n`, 'latin1')
}

/** Writes without end, as fast as the client reads. */
export function pourOut(socket: Socket, piece: Uint8Array): void {
  while (!socket.destroyed && socket.write(piece));
  if (!socket.destroyed) socket.once('drain', () => pourOut(socket, piece))
}

const tlsHandshake = 0x16

function takeRequest(text: string): { request: HostileRequest; rest: string } | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  const [method = '', path = ''] = first.split(' ')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const bodyEnd = end + 4 + Number(headers['content-length'] ?? 0)
  if (text.length < bodyEnd) return undefined
  return { request: { method, path, headers, body: text.slice(end + 4, bodyEnd) }, rest: text.slice(bodyEnd) }
}
