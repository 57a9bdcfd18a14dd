import type { Duplex } from 'node:stream'
import type { Response } from 'express'
import type { Log } from '../../core/log.ts'
import type { Reply } from '../../core/reply.ts'
import { headOf } from './reply.ts'

/**
 * Connects the caller's socket to the upstream's after an upgrade. The bytes pass unread, each side no faster
 * than the other reads.
 * @param res of a request that came through `createUpgrade`.
 * @param closing aborted when the gateway stops.
 */
export function tunnelReply({
  res,
  reply,
  tunnel,
  callId,
  closing,
  log,
}: {
  readonly res: Response
  readonly reply: Reply
  readonly tunnel: Duplex
  readonly callId: string
  readonly closing: AbortSignal
  readonly log: Log
}): void {
  const { socket } = res
  if (!socket || socket.destroyed || res.headersSent) {
    tunnel.destroy()
    return
  }
  res.writeHead(reply.status, {
    ...headOf(reply, 'public', callId),
    connection: 'Upgrade',
    upgrade: 'websocket',
  })
  res.flushHeaders()
  res.detachSocket(socket)

  const stop = () => tunnel.destroy(new Error('the gateway stops'))
  if (closing.aborted) stop()
  else closing.addEventListener('abort', stop, { once: true })
  tunnel.on('error', (err) => log.info({ err, call: callId }, 'a WebSocket broke off'))
  tunnel.once('close', () => {
    closing.removeEventListener('abort', stop)
    socket.destroySoon()
  })
  socket.once('close', () => tunnel.destroy())
  socket.setNoDelay(true)
  socket.pipe(tunnel).pipe(socket)
}
