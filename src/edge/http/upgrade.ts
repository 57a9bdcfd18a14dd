import { type IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/**
 * Requests that ask to go on as a WebSocket. Node takes such a connection out of its own hands and gives us the bare
 * socket; here it becomes a request with a response again, so that it goes the same way as any other and a refusal is
 * answered as any other is. What is no WebSocket is never upgraded: a request for HTTP/2 is answered over HTTP/1.1,
 * as the specification allows (https://www.rfc-editor.org/rfc/rfc9110#section-7.8).
 */
export function createUpgrade(serve: (req: IncomingMessage, res: ServerResponse) => void) {
  return (req: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Nobody else listens: one that breaks off would end the process.
    socket.on('error', () => undefined)
    if (!(socket instanceof Socket)) {
      socket.destroy()
      return
    }
    socket.setTimeout(0)
    if (head.byteLength > 0) socket.unshift(head)
    // Of a socket that is not read, not even its breaking off is heard.
    socket.read(0)
    const res = new ServerResponse(req)
    res.shouldKeepAlive = false
    res.assignSocket(socket)
    res.once('finish', () => {
      // Once the connection was handed on (see tunnel), it is not the response's to end.
      if (res.socket !== socket) return
      res.detachSocket(socket)
      socket.destroySoon()
    })
    serve(req, res)
  }
}

/** For `createServer`, and for whoever wants to know what a request is: whether it asks to go on as a WebSocket. */
export function asksForWebSocket({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  return method === 'GET' && has(headers.upgrade, 'websocket') && has(headers.connection, 'upgrade')
}

function has(list: string | undefined, word: string): boolean {
  return list?.split(',').some((item) => item.trim().toLowerCase() === word) ?? false
}
