import { type Duplex, Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { countGarbage } from './collect-garbage.ts'
import { definedOf, flatten, joinedOf, linesOf, type RawHeaders } from './header-lines.ts'
import { ReplyBody } from './reply-body.ts'
import type { UpgradedConnection, UpstreamReply, UpstreamRequest } from './upstream-reply.ts'

/**
 * Sends one request to one target through undici's dispatcher. undici's own `request` does not fit: it does
 * not tell whether anything was sent before a failure, which decides whether a call may be repeated; it waits
 * for a connection after the caller has left; and it drops the reply of a target that refuses an upgrade.
 */

export type TargetReply = Omit<UpstreamReply, 'target'> | UpgradedConnection

/** No reply came. */
export class NoReply extends Error {
  override readonly name = 'NoReply'
  /** Whether the target may have seen the request, or a part of it. */
  readonly wasSent: boolean

  constructor(cause: unknown, wasSent: boolean) {
    super('no reply came', { cause })
    this.wasSent = wasSent
  }
}

/** A target sends interim responses without end. */
export class InterimFlood extends Error {
  override readonly name = 'InterimFlood'

  constructor() {
    super('it sends interim replies without end')
  }
}

const maxInterim = 2_000

/** Gets the head of a reply, and then how the reply ended: one of the other three, once. */
export interface ReplyObserver {
  began(status: number): void
  completed(): void
  /** The reply is no longer wanted. */
  abandoned(): void
  /** @returns the error that its reader gets. */
  broke(error: unknown): Error
}

/**
 * @param path the whole path, with the target's own
 * @param protocol to which an upgrade is requested; undefined for none
 * @throws NoReply; the signal's reason; the error of the request's own body
 */
export function send(
  dispatcher: Dispatcher,
  path: string,
  request: UpstreamRequest,
  protocol: string | undefined,
  observer: ReplyObserver,
): Promise<TargetReply> {
  return new Promise((resolve, reject) => {
    const handler = new ResponseHandler(request, protocol, observer, resolve, reject)
    const { method, body } = request
    const headers = flatten(request.headers)
    dispatcher.dispatch({ path, method, body, headers, upgrade: protocol ?? null }, handler)
  })
}

class ResponseHandler implements Dispatcher.DispatchHandler {
  readonly #signal: AbortSignal
  readonly #inform: UpstreamRequest['onInform']
  readonly #protocol: string | undefined
  readonly #observer: ReplyObserver
  readonly #resolve: (reply: TargetReply) => void
  readonly #reject: (error: unknown) => void
  #stage: 'waiting' | 'replying' | 'over' = 'waiting'
  #interim = 0
  /** Set once the target may see something of the request. */
  #controller: Dispatcher.DispatchController | undefined
  #body: ReplyBody | undefined
  #trailers: Readonly<Record<string, string>> = {}
  /** Why the request's own body failed; in an object, because the error may be undefined. */
  #uploadFailure: { readonly error: unknown } | undefined

  constructor(
    { signal, body, onInform }: UpstreamRequest,
    protocol: string | undefined,
    observer: ReplyObserver,
    resolve: (reply: TargetReply) => void,
    reject: (error: unknown) => void,
  ) {
    this.#signal = signal
    this.#inform = onInform
    this.#protocol = protocol
    this.#observer = observer
    this.#resolve = resolve
    this.#reject = reject
    signal.addEventListener('abort', this.#aborted)
    if (body instanceof Readable) {
      // When the target fails, undici destroys the body with its own error. By then the stage is `over`.
      body.once('error', (error) => {
        if (this.#stage !== 'over') this.#uploadFailure = { error }
      })
    }
  }

  readonly #aborted = (): void => {
    const { reason } = this.#signal
    if (this.#stage === 'waiting') {
      this.#fail(reason)
      this.#controller?.abort(reason)
    } else this.#body?.destroy(reason)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#stage === 'over') controller.abort(callAborted)
    else this.#controller = controller
  }

  onRequestUpgrade(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: RawHeaders,
    socket: Duplex,
  ): void {
    const listed = linesOf(headers)
    const isAgreed = listed.upgrade?.join().toLowerCase() === this.#protocol?.toLowerCase()
    if (this.#stage === 'over' || status !== 101 || !isAgreed) {
      socket.on('error', () => undefined).destroy()
      if (this.#stage !== 'over') this.#fail(new NoReply(otherProtocol, true))
      return
    }
    this.#stage = 'over'
    this.#signal.removeEventListener('abort', this.#aborted)
    this.#observer.began(status)
    socket.once('close', () => this.#observer.completed())
    this.#resolve({ kind: 'upgraded', status, headers: listed, socket })
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: RawHeaders): void {
    if (status === 101) controller.abort(otherProtocol)
    else if (status < 200) {
      this.#interim += 1
      // Each one restarts the timeout for the reply.
      if (this.#interim > maxInterim) controller.abort(new InterimFlood())
      else this.#inform?.(status, definedOf(headers))
    } else {
      this.#stage = 'replying'
      this.#observer.began(status)
      const body = new ReplyBody(
        () => controller.resume(),
        (error) => this.#close(error),
      )
      // The body may fail before it has a reader.
      body.on('error', () => undefined)
      this.#body = body
      this.#resolve({
        kind: 'reply',
        status,
        headers: linesOf(headers),
        body,
        trailers: () => this.#trailers,
      })
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    countGarbage(chunk.byteLength)
    if (this.#body?.add(chunk) === false) controller.pause()
  }

  onResponseEnd(_controller: Dispatcher.DispatchController, trailers: RawHeaders): void {
    this.#stage = 'over'
    this.#trailers = joinedOf(trailers)
    this.#observer.completed()
    this.#body?.end()
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    const upload = this.#uploadFailure
    switch (this.#stage) {
      case 'over':
        return
      case 'waiting':
        this.#fail(upload ? upload.error : new NoReply(error, this.#controller !== undefined))
        return
      case 'replying':
        this.#stage = 'over'
        if (upload) {
          this.#observer.abandoned()
          this.#body?.fail(upload.error instanceof Error ? upload.error : callAborted)
        } else this.#body?.fail(this.#observer.broke(error))
    }
  }

  #fail(error: unknown): void {
    this.#stage = 'over'
    this.#signal.removeEventListener('abort', this.#aborted)
    this.#reject(error)
  }

  /** The reply's body was read to its end, or is no longer wanted. */
  #close(error: Error | null): void {
    this.#signal.removeEventListener('abort', this.#aborted)
    if (this.#stage === 'over') return
    this.#stage = 'over'
    this.#observer.abandoned()
    this.#controller?.abort(error ?? callAborted)
  }
}

const callAborted = new Error('the call was aborted')
const otherProtocol = new Error('the target changed to a protocol that was not requested')
