import type { Readable } from 'node:stream'
import { ReplyBody } from './reply-body.ts'

/** The part of a body that was read. */
export interface Collected {
  readonly chunks: readonly Uint8Array[]
  readonly bytes: number
  /** When false, the body goes on and is paused. */
  readonly isWhole: boolean
}

/**
 * Reads a body to its end, or until it exceeds `maxBytes`. Unlike `readBody` of platform/net it leaves the
 * rest of a longer body unread, because that body is then streamed to the caller.
 *
 * @throws the error of the body; the signal's reason when aborted, which destroys the body
 */
export async function collect(body: Readable, maxBytes: number, signal: AbortSignal): Promise<Collected> {
  const whole = body instanceof ReplyBody && !signal.aborted ? body.takeWhole(maxBytes) : undefined
  if (whole) return { chunks: [whole], bytes: whole.byteLength, isWhole: true }
  return collectFromStream(body, maxBytes, signal)
}

function collectFromStream(body: Readable, maxBytes: number, signal: AbortSignal): Promise<Collected> {
  const { promise, resolve, reject } = Promise.withResolvers<Collected>()
  const chunks: Uint8Array[] = []
  let bytes = 0
  const add = (chunk: Uint8Array) => {
    chunks.push(chunk)
    bytes += chunk.byteLength
    if (bytes > maxBytes) finish(false)
  }
  const ended = () => finish(true)
  const closed = () => fail(new Error('the body was closed before its end'))
  const aborted = () => {
    fail(signal.reason)
    body.destroy()
  }
  const fail = (error: unknown) => {
    removeListeners()
    reject(error)
  }
  function finish(isWhole: boolean) {
    removeListeners()
    if (!isWhole) body.pause()
    resolve({ chunks, bytes, isWhole })
  }
  function removeListeners() {
    body.off('data', add).off('end', ended).off('error', fail).off('close', closed)
    signal.removeEventListener('abort', aborted)
  }
  // Never removed: the body may fail later, and an error event without a listener ends the process.
  body.on('error', () => undefined)
  body.on('error', fail).on('end', ended).on('close', closed).on('data', add)
  if (signal.aborted) aborted()
  else signal.addEventListener('abort', aborted, { once: true })
  return promise
}
