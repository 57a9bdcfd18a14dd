import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'
import { GatewayError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import { discardReply, type Reply } from '../../core/reply.ts'
import { type Audience, headOf } from './reply.ts'

/**
 * Sends a streamed reply, no faster than the caller reads it. The stream ends when its source ends, when the
 * caller disconnects, or when the gateway stops.
 * @param closing aborted when the stream must end because the gateway stops.
 */
export async function streamReply({
  res,
  reply,
  stream,
  audience,
  callId,
  closing,
  log,
}: {
  readonly res: Response
  readonly reply: Reply
  readonly stream: NonNullable<Reply['stream']>
  readonly audience: Audience
  readonly callId: string
  readonly closing: AbortSignal
  readonly log: Log
}): Promise<void> {
  if (res.destroyed || res.headersSent) return discardReply(reply)
  res.writeHead(reply.status, headOf(reply, audience, callId))
  if (res.req.method === 'HEAD') {
    res.end()
    return discardReply(reply)
  }
  // Send the head now: an event stream may have its first event much later.
  res.flushHeaders()
  const left = new AbortController()
  res.once('close', () => left.abort(new GatewayError('CALLER_LEFT')))
  const ended = AbortSignal.any([left.signal, closing])
  const source = stream(ended)
  try {
    await pipeline(source instanceof Readable ? source : Readable.from(source), res, { end: false })
    const trailers = reply.trailers?.()
    if (trailers) res.addTrailers(trailers)
    res.end()
  } catch (error) {
    // A caller who disconnects breaks the pipeline, and that is not a fault.
    if (!left.signal.aborted) log.error({ err: error, call: callId }, 'a stream broke off')
    res.destroy()
  }
}
