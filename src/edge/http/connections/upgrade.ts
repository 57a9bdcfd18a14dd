import type { IncomingMessage, RequestListener } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { afterResponse, responseOn } from './response-on.ts'
import type { Turns } from './turns.ts'

/**
 * Serves requests for a WebSocket. Node passes the bare socket of such a request; here it gets a response
 * again, so that it goes through the same routes and chain as every other request and an error reaches it as
 * a normal reply. Other upgrades are ignored: a request for HTTP/2 is answered over HTTP/1.1
 * (https://www.rfc-editor.org/rfc/rfc9110#section-7.8).
 */
export function createUpgrade(serve: RequestListener, turns: Pick<Turns, 'isUnread' | 'last' | 'left'>) {
  return (req: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Without a listener, a broken connection would end the process.
    socket.on('error', () => undefined)
    // After the upgrade, Node would not read on from a connection that was paused, and what has been read would be lost
    // when it is resumed. Clients do not ask for an upgrade behind so many requests.
    if (!(socket instanceof Socket) || turns.isUnread(socket)) {
      socket.destroy()
      return
    }
    turns.left(socket)
    if (head.byteLength > 0) socket.unshift(head)
    // A socket reports that it is closed only when it is read.
    socket.read(0)
    // A client may send it behind another request: the socket has one response at a time.
    afterResponse(turns.last(socket)?.res, () => {
      if (socket.destroyed) return
      socket.setTimeout(0)
      serve(
        req,
        responseOn(socket, req, () => socket.destroySoon()),
      )
    })
  }
}

/** Whether a request asks for an upgrade to WebSocket. That of an HTTP/1.0 client is ignored, as RFC 9110 asks. */
export function asksForWebSocket({
  method,
  headers,
  httpVersion,
}: Pick<IncomingMessage, 'method' | 'headers' | 'httpVersion'>): boolean {
  return (
    method === 'GET' &&
    httpVersion !== '1.0' &&
    has(headers.upgrade, 'websocket') &&
    has(headers.connection, 'upgrade')
  )
}

function has(list: string | undefined, word: string): boolean {
  return list?.split(',').some((item) => item.trim().toLowerCase() === word) ?? false
}
