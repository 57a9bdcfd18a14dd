import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'
import { GatewayError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import { discardReply, type Reply } from '../../core/reply.ts'
import { type Audience, headOf } from './reply.ts'

/**
 * Sends a reply that goes on for as long as its caller listens: no faster than it is read, and no longer
 * than the gateway runs, which would otherwise wait for its last listener before it could stop.
 * @param closing aborted when the gateway is about to stop.
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
  // The head goes out at once: a listener knows that it is one before the first event.
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
    // Who leaves in the middle breaks the pipe, as they may.
    if (!left.signal.aborted) log.error({ err: error, call: callId }, 'a stream broke off')
    res.destroy()
  }
}
