import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * A response on a socket for which Node's server makes none: after an upgrade, and after a request that it could not
 * read. It is the last one on its connection.
 * @param sent is called once the reply is sent, unless a tunnel has taken the socket.
 */
export function responseOn(socket: Socket, req: IncomingMessage, sent: () => void): ServerResponse {
  const res = new ServerResponse(req)
  res.shouldKeepAlive = false
  res.assignSocket(socket)
  // Node's server tells a response that its connection has room again, but not a response that we make: a reply that
  // is longer than the buffers would stop until its deadline.
  socket.on('drain', () => {
    if (res.socket === socket) res.emit('drain')
  })
  res.once('finish', () => {
    // After the upgrade the tunnel owns the socket.
    if (res.socket !== socket) return
    res.detachSocket(socket)
    sent()
  })
  return res
}

/** Calls `begin` once a response is sent or its connection is closed; at once without a response. */
export function afterResponse(res: ServerResponse | undefined, begin: () => void): void {
  // Node marks a response as destroyed when it has left its socket, also after it was sent whole.
  if (!res || res.destroyed) begin()
  else res.once('close', begin)
}
