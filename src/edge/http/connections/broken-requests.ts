import { IncomingMessage, type ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type ErrorCode, GatewayError } from '../../../core/errors.ts'
import { afterResponse, responseOn } from './response-on.ts'
import type { Exchange, Turns } from './turns.ts'

/** Sends the error body of a request that reached no endpoint. */
export type Refuse = (res: ServerResponse, error: GatewayError) => void

/**
 * Answers what Node cannot read as a request: a broken head or body, one that is too large, and one that does not
 * arrive in time. Node alone would close the connection with a bare status, also in front of a reply that is still
 * being made for an earlier request of the connection; the client would take it for that reply.
 * @returns a listener of the server's `clientError`.
 */
export function answerBroken(turns: Pick<Turns, 'last' | 'isUnread'>, refuse: Refuse) {
  const answered = new WeakSet<Socket>()
  return (failure: Error, socket: Duplex): void => {
    if (!(socket instanceof Socket)) {
      socket.destroy(failure)
      return
    }
    // What follows a broken request is not read, so it has no answer.
    if (answered.has(socket)) return
    const error = errorOf(failure)
    const isLate = error?.code === 'REQUEST_TIMEOUT'
    // The rest of the request waits because we do not read.
    if (isLate && turns.isUnread(socket)) return
    answered.add(socket)
    // A connection that was opened in advance ends without an answer: a client could take it for that to its first
    // request.
    if (!error || !socket.writable || (isLate && socket.bytesRead === 0)) {
      socket.destroy(failure)
      return
    }
    const last = turns.last(socket)
    if (last && !last.req.complete) answerBody(last, error, refuse)
    else afterResponse(last?.res, () => answerHead(socket, error, refuse))
  }
}

/** The fault is in the body of a request that has a response. */
function answerBody({ req, res }: Exchange, error: GatewayError, refuse: Refuse): void {
  // Node forgets a request once its reply is sent. The reader of its body would wait on, and keep its memory.
  res.once('close', () => req.destroy())
  if (!res.headersSent) refuse(res, error)
  // Half a reply cannot be taken back, and after a whole one there is nothing to say.
  else if (res.writableEnded) req.socket.destroySoon()
  else req.socket.destroy()
}

/** The fault is in front of any body, so Node has made no response. */
function answerHead(socket: Socket, error: GatewayError, refuse: Refuse): void {
  if (!socket.writable) return
  // The socket stays open for a moment (`reply.ts`): bytes that arrive at a closed one would destroy the answer.
  const res = responseOn(socket, new IncomingMessage(socket), () => socket.end())
  refuse(res, error)
}

/** @returns undefined for a broken connection, which nothing can be sent to. */
function errorOf(failure: NodeJS.ErrnoException): GatewayError | undefined {
  const { code = '' } = failure
  const known = codes[code]
  if (known) return new GatewayError(known, {}, { cause: failure, headers: closing })
  if (!code.startsWith('HPE_')) return undefined
  // The parser's own words, such as "Invalid header token".
  const details = 'reason' in failure ? { problem: failure.reason } : {}
  return new GatewayError('MALFORMED_REQUEST', details, { cause: failure, headers: closing })
}

/** https://nodejs.org/api/http.html#event-clienterror, and the errors of llhttp. */
const codes: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'CHUNK_EXTENSIONS_TOO_LARGE',
  HPE_INVALID_VERSION: 'VERSION_NOT_SUPPORTED',
  // The preface of HTTP/2.
  HPE_PAUSED_H2_UPGRADE: 'VERSION_NOT_SUPPORTED',
}

const closing = { connection: 'close' }
