import { Readable } from 'node:stream'
import type { Delivery, Usage } from '../core/catalog/metering.ts'
import { GatewayError } from '../core/errors.ts'
import type { Reply } from '../core/reply.ts'
import { cutShort, replyTooLarge } from './pool/upstream-failed.ts'

/**
 * Gives a reply on as it comes in, no faster than it is taken, and tells once how that ended. Whatever happens it
 * ends: the reply that nobody asks for, the upstream that goes on for ever, the caller that listens and does not take.
 */

interface Passage {
  readonly body: Readable
  /** What was read of the body before. */
  readonly before: readonly Uint8Array[]
  /** What reads along where something is counted. */
  readonly counting: ReplyReader | undefined
  /** What the upstream said the length was; undefined when it did not. */
  readonly promised: number | undefined
  readonly maxBytes: number
  readonly idleMs: number
  /** Until the call's deadline. */
  readonly remainingMs: number
}

interface ReplyReader {
  push(chunk: Uint8Array): Uint8Array
  end(): Uint8Array
  usage(deliveredBytes: number): Usage
}

export function deliver(passage: Passage): Required<Pick<Reply, 'stream' | 'delivered'>> {
  const { body, counting, promised, maxBytes, idleMs, remainingMs } = passage
  const { promise: delivered, resolve } = Promise.withResolvers<Delivery>()
  let received = 0
  let given = 0
  let failure: Error | undefined
  let hasEnded = false
  let isOver = false
  let isStarted = false
  let idle: NodeJS.Timeout | undefined

  const out = new Readable({
    highWaterMark: maxWaiting,
    read() {
      idle?.refresh()
      // Before anyone asks for it, what is read of the body would be lost.
      if (!isStarted) return
      if (!failure) body.resume()
      // What came before the failure was delivered, and is charged for, so it goes out before the failure is told.
      else if (out.readableLength === 0) breakOff(failure)
      else out.push(nothing)
    },
    destroy(error, done) {
      finish(outcomeOf(error))
      done(error)
    },
  })
  // Told by `delivered`, and to whoever reads; nobody may.
  out.on('error', () => undefined)

  function outcomeOf(error: Error | null): Delivery['outcome'] {
    if (error !== null && error === failure) return isOfCaller(error) ? 'left' : 'broken'
    return hasEnded && out.readableEnded ? 'complete' : 'left'
  }

  function finish(outcome: Delivery['outcome']): void {
    if (isOver) return
    isOver = true
    clearTimeout(idle)
    clearTimeout(deadline)
    body.destroy()
    resolve({ outcome, usage: counting?.usage(given - out.readableLength) })
  }

  function take(chunk: Uint8Array): void {
    if (failure || isOver) return
    received += chunk.byteLength
    if (received > maxBytes) fail(replyTooLarge(maxBytes))
    else give(counting ? counting.push(chunk) : chunk)
  }

  function give(chunk: Uint8Array): void {
    idle?.refresh()
    given += chunk.byteLength
    if (chunk.byteLength > 0 && !out.push(chunk)) body.pause()
  }

  function fail(error: Error): void {
    if (failure || isOver || hasEnded) return
    failure = error
    body.destroy()
    // Asked for again, now or when what waits has been taken.
    if (isStarted) out.push(nothing)
  }

  /** Nobody takes any more. A gateway that stops ends what it sends, and that is not the caller's doing. */
  function endFor(reason: unknown): void {
    if (!isOfCaller(reason)) failure ??= reason instanceof Error ? reason : new Error('it was ended')
    out.destroy(failure)
  }

  /** Not at once: what was written a moment ago still lies in the caller's connection. */
  function breakOff(error: Error): void {
    setImmediate(() => out.destroy(error))
  }

  function end(): void {
    if (failure || isOver) return
    if (promised !== undefined && received < promised) {
      fail(cutShort())
      return
    }
    hasEnded = true
    if (counting) give(counting.end())
    out.push(null)
  }

  function stalled(): void {
    if (hasEnded || out.readableLength > 0) out.destroy()
    else fail(new GatewayError('UPSTREAM_TIMEOUT'))
  }

  const deadline = setTimeout(() => {
    // Whoever takes it slower than it comes has not waited for an upstream.
    if (!isStarted || hasEnded || out.readableLength > 0) out.destroy()
    else {
      failure ??= new GatewayError('UPSTREAM_TIMEOUT')
      out.destroy(failure)
    }
  }, remainingMs)

  body.on('error', fail)
  body.on('close', () => fail(cutShort()))
  body.on('end', end)
  for (const chunk of passage.before) take(chunk)
  if (body.readableEnded) end()
  else if (body.destroyed) fail(body.errored ?? cutShort())

  return {
    delivered,
    stream(signal) {
      isStarted = true
      const ended = () => endFor(signal.reason)
      if (signal.aborted) ended()
      else {
        signal.addEventListener('abort', ended, { once: true })
        out.once('close', () => signal.removeEventListener('abort', ended))
        idle = setTimeout(stalled, idleMs)
        body.on('data', take).resume()
        if (failure) out.push(nothing)
      }
      return out
    },
  }
}

const maxWaiting = 65_536
const nothing = new Uint8Array()

/** Of an upload that its sender gave up, or that became larger than it may be. */
function isOfCaller(error: unknown): boolean {
  return error instanceof GatewayError && (error.code === 'CALLER_LEFT' || error.code === 'PAYLOAD_TOO_LARGE')
}
