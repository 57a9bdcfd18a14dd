import { type Duplex, Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { countGarbage } from './collect-garbage.ts'
import { ReplyBody } from './reply-body.ts'
import type { UpstreamReply, UpstreamRequest } from './upstream-reply.ts'

/**
 * One request to one target over undici. What undici offers for that does not tell whether anything was sent before
 * it failed, which decides whether a call may be repeated; it waits for a connection though the caller has left; and
 * it throws away the reply of a target that refuses an upgrade.
 */

/** What came of it. The socket is there where the target agreed to an upgrade. */
export interface TargetReply extends Omit<UpstreamReply, 'target'> {
  readonly socket: Duplex | undefined
}

/** No reply came. */
export class NoReply extends Error {
  override readonly name = 'NoAnswer'
  /** Whether the target may have seen the request, or a part of it. */
  readonly wasSent: boolean

  constructor(cause: unknown, wasSent: boolean) {
    super('no reply came', { cause })
    this.wasSent = wasSent
  }
}

/** A target that says again and again that it goes on. */
export class InterimFlood extends Error {
  override readonly name = 'InterimFlood'

  constructor() {
    super('it sends interim replies without end')
  }
}

const maxInterim = 2_000

/** Hears of a reply's head, and then how the reply ended: of the others, one is called, once. */
export interface Listener {
  readonly began: (status: number) => void
  readonly completed: () => void
  /** It was not wanted any more. */
  readonly abandoned: () => void
  /** @returns what its reader is told. */
  readonly broke: (error: unknown) => Error
}

/**
 * @param path the whole path, with that of the target
 * @param upgrade the protocol that is asked for
 * @throws NoAnswer; the signal's reason; what made the request's own body fail
 */
export function send(
  dispatcher: Dispatcher,
  path: string,
  request: UpstreamRequest,
  upgrade: string | undefined,
  listener: Listener,
): Promise<TargetReply> {
  return new Promise((resolve, reject) => {
    const exchange = new ResponseHandler(request, upgrade, listener, resolve, reject)
    const { method, body } = request
    const headers = flat(request.headers)
    dispatcher.dispatch({ path, method, body, headers, upgrade: upgrade ?? null }, exchange)
  })
}

class ResponseHandler implements Dispatcher.DispatchHandler {
  readonly #signal: AbortSignal
  readonly #inform: UpstreamRequest['onInform']
  readonly #upgrade: string | undefined
  readonly #listener: Listener
  readonly #resolve: (answer: TargetReply) => void
  readonly #reject: (error: unknown) => void
  #stage: 'waiting' | 'replying' | 'over' = 'waiting'
  #interim = 0
  #controller: Dispatcher.DispatchController | undefined
  #body: ReplyBody | undefined
  #trailers: Readonly<Record<string, string>> = {}
  /** Why the request's own body came to no end; in a box, for it may be anything. */
  #ownFailure: { readonly error: unknown } | undefined

  constructor(
    { signal, body, onInform }: UpstreamRequest,
    upgrade: string | undefined,
    listener: Listener,
    resolve: (answer: TargetReply) => void,
    reject: (error: unknown) => void,
  ) {
    this.#signal = signal
    this.#inform = onInform
    this.#upgrade = upgrade
    this.#listener = listener
    this.#resolve = resolve
    this.#reject = reject
    signal.addEventListener('abort', this.#aborted)
    if (body instanceof Readable) {
      // undici destroys it with its own error when the target fails; by then that has been told.
      body.once('error', (error) => {
        if (this.#stage !== 'over') this.#ownFailure = { error }
      })
    }
  }

  /** A function and not the object itself: Node keeps what it makes around such an object for longer than the call. */
  readonly #aborted = (): void => {
    const { reason } = this.#signal
    if (this.#stage === 'waiting') {
      this.#fail(reason)
      this.#controller?.abort(reason)
    } else this.#body?.destroy(reason)
  }

  /** From here on the target may see something of the request. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#stage === 'over') controller.abort(leftEarly)
    else this.#controller = controller
  }

  onRequestUpgrade(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Headers,
    socket: Duplex,
  ): void {
    const listed = linesOf(headers)
    const isAgreed = status === 101 && listed.upgrade?.join().toLowerCase() === this.#upgrade?.toLowerCase()
    if (this.#stage === 'over' || !isAgreed) {
      socket.on('error', () => undefined).destroy()
      if (this.#stage !== 'over') this.#fail(new NoReply(otherProtocol, true))
      return
    }
    this.#stage = 'over'
    this.#signal.removeEventListener('abort', this.#aborted)
    this.#listener.began(status)
    socket.once('close', this.#listener.completed)
    this.#resolve({ status, headers: listed, body: Readable.from([]), trailers: () => ({}), socket })
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status === 101) controller.abort(otherProtocol)
    else if (status < 200) {
      this.#interim += 1
      // Each of them begins the wait for the reply anew.
      if (this.#interim > maxInterim) controller.abort(new InterimFlood())
      else this.#inform?.(status, only(headers))
    } else {
      this.#stage = 'replying'
      this.#listener.began(status)
      const body = new ReplyBody(
        () => controller.resume(),
        (error) => this.#close(error),
      )
      // Whoever reads it is told; it may break before anyone does.
      body.on('error', () => undefined)
      this.#body = body
      this.#resolve({
        status,
        headers: linesOf(headers),
        body,
        trailers: () => this.#trailers,
        socket: undefined,
      })
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    countGarbage(chunk.byteLength)
    if (this.#body?.add(chunk) === false) controller.pause()
  }

  onResponseEnd(_controller: Dispatcher.DispatchController, trailers: Headers): void {
    this.#stage = 'over'
    for (const [name, value] of Object.entries(trailers)) {
      this.#trailers = { ...this.#trailers, [name]: [value ?? []].flat().join(', ') }
    }
    this.#listener.completed()
    this.#body?.end()
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#stage === 'over') return
    const own = this.#ownFailure
    if (this.#stage === 'waiting') {
      this.#fail(own ? own.error : new NoReply(error, this.#controller !== undefined))
      return
    }
    this.#stage = 'over'
    if (own) {
      this.#listener.abandoned()
      this.#body?.destroy(own.error instanceof Error ? own.error : leftEarly)
    } else this.#body?.destroy(this.#listener.broke(error))
  }

  #fail(error: unknown): void {
    this.#stage = 'over'
    this.#signal.removeEventListener('abort', this.#aborted)
    this.#reject(error)
  }

  /** The reply's body has been read to its end, or is not wanted any more. */
  #close(error: Error | null): void {
    this.#signal.removeEventListener('abort', this.#aborted)
    if (this.#stage === 'over') return
    this.#stage = 'over'
    this.#listener.abandoned()
    this.#controller?.abort(error ?? leftEarly)
  }
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

function linesOf(headers: Headers): UpstreamReply['headers'] {
  const lines: Record<string, readonly string[]> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined && name !== '__proto__') lines[name] = typeof value === 'string' ? [value] : value
  }
  return lines
}

function only(headers: Headers): Record<string, string | string[]> {
  const lines: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) lines[name] = value
  return lines
}

/** Names and values in turn, a name for each line. */
function flat(headers: UpstreamRequest['headers']): string[] {
  const lines: string[] = []
  for (const name in headers) {
    const value = headers[name]
    if (typeof value === 'string') lines.push(name, value)
    else for (const line of value ?? []) lines.push(name, line)
  }
  return lines
}

const leftEarly = new Error('the call was given up')
const otherProtocol = new Error('the target changed to a protocol that nobody asked for')
