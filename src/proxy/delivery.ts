import { Readable } from 'node:stream'
import type { Delivery, Usage } from '../core/catalog/metering.ts'
import { GatewayError } from '../core/errors.ts'
import type { Reply } from '../core/reply.ts'
import { cutShort, replyTooLarge } from './pool/upstream-failed.ts'

/**
 * Streams an upstream's reply to the caller, no faster than the caller reads, and reports once how that
 * ended. Every delivery ends, even when nothing reads the reply, when the upstream sends without end, or when
 * the caller stops reading.
 */
export function deliver(options: DeliveryOptions): Required<Pick<Reply, 'stream' | 'delivered'>> {
  const stream = new ReplyStream(options)
  return { delivered: stream.delivered, stream: (signal) => stream.start(signal) }
}

interface DeliveryOptions {
  readonly body: Readable
  /** The chunks of the body that were read before. */
  readonly before: readonly Uint8Array[]
  /** Undefined for a call without a meter. */
  readonly counting: ReplyReader | undefined
  /** Content-Length of the upstream; undefined without one. */
  readonly promisedBytes: number | undefined
  readonly maxBytes: number
  readonly idleMs: number
  /** Until the call's deadline. */
  readonly remainingMs: number
}

interface ReplyReader {
  push(chunk: Uint8Array): Uint8Array
  end(): Uint8Array
  usage(deliveredBytes: number): Usage | undefined | Promise<Usage | undefined>
}

/**
 * A reply is waiting while its payment settles, then streaming, then ended, then over. A failure of the upstream
 * takes it from waiting or streaming to failed, and then over. The upstream may end or fail while the reply waits.
 */
type State =
  /** No reader yet. A failure of the upstream is kept until there is one. */
  | { readonly kind: 'waiting'; readonly failure: Error | undefined }
  | { readonly kind: 'streaming' }
  /** The upstream has sent everything; the buffered rest goes out. */
  | { readonly kind: 'ended' }
  /** The buffered rest goes out, since it is charged for; then the stream fails with the error. */
  | { readonly kind: 'failed'; readonly failure: Error }
  | { readonly kind: 'over' }

class ReplyStream extends Readable {
  readonly #body: Readable
  readonly #counting: ReplyReader | undefined
  readonly #promisedBytes: number | undefined
  readonly #maxBytes: number
  readonly #idleMs: number
  readonly #delivered = Promise.withResolvers<Delivery>()
  #state: State = { kind: 'waiting', failure: undefined }
  #receivedBytes = 0
  #passedBytes = 0
  readonly #deadlineTimer: NodeJS.Timeout
  #idleTimer: NodeJS.Timeout | undefined

  constructor({ body, before, counting, promisedBytes, maxBytes, idleMs, remainingMs }: DeliveryOptions) {
    super({ highWaterMark: maxBufferedBytes })
    this.#body = body
    this.#counting = counting
    this.#promisedBytes = promisedBytes
    this.#maxBytes = maxBytes
    this.#idleMs = idleMs
    this.#deadlineTimer = setTimeout(() => this.#deadlinePassed(), remainingMs)
    // `delivered` reports the error, and the stream may have no reader.
    this.on('error', () => undefined)
    body.on('error', (error: Error) => this.#fail(error))
    body.on('close', () => this.#fail(cutShort()))
    body.on('end', () => this.#bodyEnded())
    for (const chunk of before) this.#receive(chunk)
    if (body.readableEnded) this.#bodyEnded()
    else if (body.destroyed) this.#fail(body.errored ?? cutShort())
  }

  get delivered(): Promise<Delivery> {
    return this.#delivered.promise
  }

  /**
   * Called once, when the reply has a reader or is aborted.
   * @param signal ends the stream.
   */
  start(signal: AbortSignal): this {
    const aborted = () => this.#abort(signal.reason)
    if (signal.aborted) {
      aborted()
      return this
    }
    const state = this.#state
    if (state.kind === 'waiting') {
      this.#state = state.failure ? { kind: 'failed', failure: state.failure } : { kind: 'streaming' }
    }
    signal.addEventListener('abort', aborted, { once: true })
    this.once('close', () => signal.removeEventListener('abort', aborted))
    this.#idleTimer = setTimeout(() => this.#stalled(), this.#idleMs)
    this.#body.on('data', (chunk: Uint8Array) => this.#receive(chunk)).resume()
    if (this.#state.kind === 'failed') this.#wakeReader()
    return this
  }

  override _read(): void {
    this.#idleTimer?.refresh()
    const state = this.#state
    switch (state.kind) {
      case 'streaming':
        this.#body.resume()
        break
      case 'failed':
        if (this.readableLength > 0) this.#wakeReader()
        // Not immediately: the last bytes written may still be in the caller's connection.
        else setImmediate(() => this.destroy(state.failure))
        break
      // While it waits, a body that flows without a listener would lose its data.
      case 'waiting':
      case 'ended':
      case 'over':
    }
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const outcome = this.#outcomeOf(error)
    this.#state = { kind: 'over' }
    clearTimeout(this.#idleTimer)
    clearTimeout(this.#deadlineTimer)
    this.#body.destroy()
    const deliveredBytes = this.#passedBytes - this.readableLength
    const counted = Promise.resolve(this.#counting?.usage(deliveredBytes))
    this.#delivered.resolve(
      counted.then((usage) => ({
        outcome,
        usage: isUnused(outcome, deliveredBytes, usage) ? undefined : usage,
      })),
    )
    done(error)
  }

  #outcomeOf(error: Error | null): Delivery['outcome'] {
    const state = this.#state
    if (state.kind === 'failed' && error === state.failure) return isOfCaller(error) ? 'left' : 'broken'
    return state.kind === 'ended' && this.readableEnded ? 'complete' : 'left'
  }

  #receive(chunk: Uint8Array): void {
    if (!this.#isOpen()) return
    this.#receivedBytes += chunk.byteLength
    if (this.#receivedBytes > this.#maxBytes) this.#fail(replyTooLarge(this.#maxBytes))
    else this.#pass(this.#counting ? this.#counting.push(chunk) : chunk)
  }

  #pass(chunk: Uint8Array): void {
    this.#idleTimer?.refresh()
    this.#passedBytes += chunk.byteLength
    if (chunk.byteLength > 0 && !this.push(chunk)) this.#body.pause()
  }

  #bodyEnded(): void {
    if (!this.#isOpen()) return
    if (this.#promisedBytes !== undefined && this.#receivedBytes < this.#promisedBytes) {
      this.#fail(cutShort())
      return
    }
    this.#state = { kind: 'ended' }
    if (this.#counting) this.#pass(this.#counting.end())
    this.push(null)
  }

  #fail(failure: Error): void {
    if (!this.#isOpen()) return
    const hasReader = this.#state.kind === 'streaming'
    this.#state = hasReader ? { kind: 'failed', failure } : { kind: 'waiting', failure }
    this.#body.destroy()
    if (hasReader) this.#wakeReader()
  }

  /** Whether the upstream has neither ended nor failed. */
  #isOpen(): boolean {
    const state = this.#state
    return state.kind === 'streaming' || (state.kind === 'waiting' && !state.failure)
  }

  /** An empty chunk makes Node call `_read` again, now or when the buffered chunks were read. */
  #wakeReader(): void {
    this.push(nothing)
  }

  /** The caller has left, or the gateway stops, which is not the caller's doing. */
  #abort(reason: unknown): void {
    const state = this.#state
    if (state.kind === 'over') return
    const earlier = state.kind === 'waiting' || state.kind === 'failed' ? state.failure : undefined
    const failure = earlier ?? (isOfCaller(reason) ? undefined : toError(reason))
    if (failure) this.#state = { kind: 'failed', failure }
    this.destroy(failure)
  }

  #stalled(): void {
    // The caller stopped reading.
    if (this.#state.kind === 'ended' || this.readableLength > 0) this.destroy()
    else this.#fail(new GatewayError('UPSTREAM_TIMEOUT'))
  }

  #deadlinePassed(): void {
    const state = this.#state
    // A caller that reads slower than the upstream sends has not waited for the upstream.
    const isUpstreamLate = state.kind === 'streaming' || state.kind === 'failed'
    if (!isUpstreamLate || this.readableLength > 0) {
      this.destroy()
      return
    }
    const failure = state.kind === 'failed' ? state.failure : new GatewayError('UPSTREAM_TIMEOUT')
    this.#state = { kind: 'failed', failure }
    this.destroy(failure)
  }
}

const maxBufferedBytes = 65_536
const nothing = new Uint8Array()

/** A reply that broke off before its first byte: its caller got nothing, so it does not owe the base either. */
function isUnused(outcome: Delivery['outcome'], deliveredBytes: number, usage: Usage | undefined): boolean {
  return outcome === 'broken' && deliveredBytes === 0 && usage?.input === 0 && usage.output === 0
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('the delivery was ended')
}

/** Whether an upload ended the call: its sender aborted it, or it became too large. */
function isOfCaller(error: unknown): boolean {
  return error instanceof GatewayError && (error.code === 'CALLER_LEFT' || error.code === 'PAYLOAD_TOO_LARGE')
}
