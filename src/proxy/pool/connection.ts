import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type buildConnector, Client, type Dispatcher, errors } from 'undici'
import type { RawHeaders } from './header-lines.ts'
import { ReplyReading } from './reply-reading.ts'

/**
 * One connection to a target, which ends when the target sends much without saying anything: header lines, trailers
 * or the frames of chunks without end. undici has a limit for headers too, but it goes on with what it has read and
 * makes an error for each further line, 16,000 of them in one read. That takes a tenth of a second, in which every
 * other caller waits.
 */
export class Connection extends Client {
  readonly #silence: Silence

  /** @param options as the pool passes them on, with the connector. */
  constructor(origin: URL, { connect, ...options }: Client.Options & { readonly connect: Connect }) {
    const silence = new Silence()
    super(origin, {
      ...options,
      // Ours ends the connection first.
      maxHeaderSize: 8 * maxSilentBytes,
      connect: (wanted, callback) =>
        connect(wanted, (...opened) => {
          // undici adds its own listeners in the callback, so ours is called before them.
          if (opened[1]) silence.watch(opened[1])
          callback(...opened)
        }),
    })
    this.#silence = silence
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    return super.dispatch(options, new HeardHandler(handler, this.#silence))
  }
}

type Connect = buildConnector.connector

/** All connections of this process share the turns of its event loop. */
const reading = new ReplyReading()

/** Of a head, of trailers, or between two pieces of a body. */
const maxSilentBytes = 65_536

/** Counts what was read of a connection since its parser handed something out. */
class Silence {
  #socket: Socket | undefined
  /** Ends its reading by turns. */
  #leave = (): void => undefined
  #heardAt = 0
  /** Whether the parser has handed something out since the last look. */
  #isHeard = true

  watch(socket: Socket): void {
    this.#socket = socket
    this.#leave = reading.watch(socket)
    this.#heardAt = 0
    this.#isHeard = true
    socket.on('readable', this.#look)
  }

  /** The connection is used for another protocol now. */
  unwatch(): void {
    this.#socket?.off('readable', this.#look)
    this.#leave()
    this.#socket = undefined
  }

  heard(): void {
    this.#isHeard = true
  }

  isLong(): boolean {
    return this.#parsedBytes() - this.#heardAt > maxSilentBytes
  }

  /** Before the parser takes what has arrived. What waits while the reply's reader is slow is not counted. */
  readonly #look = (): void => {
    if (this.#isHeard) {
      this.#isHeard = false
      this.#heardAt = this.#parsedBytes()
    } else if (this.isLong()) {
      const socket = this.#socket
      // The parser would still take it.
      this.#leave()
      socket?.read()
      socket?.destroy(new errors.HeadersOverflowError())
    }
  }

  #parsedBytes(): number {
    const socket = this.#socket
    return socket ? socket.bytesRead - socket.readableLength : 0
  }
}

/** Passes everything on, and notes that something came. */
class HeardHandler implements Dispatcher.DispatchHandler {
  readonly #handler: Dispatcher.DispatchHandler
  readonly #silence: Silence

  constructor(handler: Dispatcher.DispatchHandler, silence: Silence) {
    this.#handler = handler
    this.#silence = silence
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.#silence.heard()
    this.#handler.onRequestStart?.(controller, context)
  }

  onRequestUpgrade(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: RawHeaders,
    socket: Duplex,
  ): void {
    this.#silence.unwatch()
    this.#handler.onRequestUpgrade?.(controller, status, headers, socket)
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: RawHeaders,
    reason?: string,
  ): void {
    // A head is looked at in whole reads, so one that is a little too long may come this far.
    if (this.#silence.isLong() && bytesOf(headers) > maxSilentBytes) {
      controller.abort(new errors.HeadersOverflowError())
      return
    }
    this.#silence.heard()
    this.#handler.onResponseStart?.(controller, status, headers, reason)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#silence.heard()
    this.#handler.onResponseData?.(controller, chunk)
  }

  onResponseEnd(controller: Dispatcher.DispatchController, trailers: RawHeaders): void {
    this.#silence.heard()
    this.#handler.onResponseEnd?.(controller, trailers)
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    this.#handler.onResponseError?.(controller, error)
  }
}

function bytesOf(headers: RawHeaders): number {
  let bytes = 0
  for (const name in headers)
    for (const line of [headers[name] ?? []].flat()) bytes += name.length + line.length
  return bytes
}
