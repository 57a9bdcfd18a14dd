import { Readable } from 'node:stream'
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
  sendHead(res)
  const left = new AbortController()
  res.once('close', () => left.abort(callerLeft))
  const ended = AbortSignal.any([left.signal, closing])
  const source = stream(ended)
  try {
    // A caller who disconnects ends the stream, and that is not a fault.
    if (!(await pass(source instanceof Readable ? source : Readable.from(source), res))) return
    const trailers = reply.trailers?.()
    if (trailers) res.addTrailers(trailers)
    res.end()
  } catch (error) {
    if (!left.signal.aborted) log.error({ err: error, call: callId }, 'a stream broke off')
    res.destroy()
  }
}

/** One for all: a thousand callers may disconnect at once, and the stack of an error takes longer than the rest. */
const callerLeft = new GatewayError('CALLER_LEFT')

/** An event stream may have its first event much later. Head and events that are known by now take one write. */
function sendHead(res: Response): void {
  const { socket } = res
  socket?.cork()
  res.flushHeaders()
  setImmediate(() => socket?.uncork())
}

/**
 * Passes a stream on until it ends. Node's `pipeline` makes several errors with their stacks for each caller who
 * disconnects, and a thousand callers may disconnect at once.
 * @returns false when the caller has disconnected; the source is destroyed then.
 * @throws the error of the source.
 */
function pass(source: Readable, res: Response): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      resolve(false)
      source.destroy()
    }
    source.once('end', () => resolve(true)).on('error', reject)
    source.once('close', () => {
      if (!source.readableEnded && !res.destroyed) reject(new Error('the stream was closed before its end'))
    })
    if (res.destroyed) leave()
    else {
      // A write to a closed connection is an error of the response.
      res.once('close', leave).on('error', leave)
      source.pipe(res, { end: false })
    }
  })
}
