import type { Readable } from 'node:stream'
import { ReplyBody } from './reply-body.ts'

/** What was read of a body. */
export interface Collected {
  readonly chunks: readonly Uint8Array[]
  readonly bytes: number
  /** Otherwise there is more than was asked for; the body is paused. */
  readonly isWhole: boolean
}

/**
 * Reads a body to its end, or until it has become larger than `maxBytes`.
 * @throws whatever the body fails with; the signal's reason when it is aborted, and the body is destroyed then.
 */
export async function collect(body: Readable, maxBytes: number, signal: AbortSignal): Promise<Collected> {
  const whole = body instanceof ReplyBody && !signal.aborted ? body.takeWhole(maxBytes) : undefined
  if (whole) return { chunks: [whole], bytes: whole.byteLength, isWhole: true }
  return collectSlowly(body, maxBytes, signal)
}

function collectSlowly(body: Readable, maxBytes: number, signal: AbortSignal): Promise<Collected> {
  const { promise, resolve, reject } = Promise.withResolvers<Collected>()
  const chunks: Uint8Array[] = []
  let bytes = 0
  const add = (chunk: Uint8Array) => {
    chunks.push(chunk)
    bytes += chunk.byteLength
    if (bytes > maxBytes) end(false)
  }
  const ended = () => end(true)
  const closed = () => fail(new Error('the body was closed before its end'))
  const aborted = () => {
    fail(signal.reason)
    body.destroy()
  }
  const fail = (error: unknown) => {
    letGo()
    reject(error)
  }
  function end(isWhole: boolean) {
    letGo()
    if (!isWhole) body.pause()
    resolve({ chunks, bytes, isWhole })
  }
  function letGo() {
    body.off('data', add).off('end', ended).off('error', fail).off('close', closed)
    signal.removeEventListener('abort', aborted)
  }
  // Stays for good: a body may fail when nobody reads it any more, and an error nobody hears ends the process.
  body.on('error', () => undefined)
  body.on('error', fail).on('end', ended).on('close', closed).on('data', add)
  if (signal.aborted) aborted()
  else signal.addEventListener('abort', aborted, { once: true })
  return promise
}
