import { Duplex } from 'node:stream'
import { costOf, type Delivery } from '../core/catalog/metering.ts'
import type { Meter } from '../core/catalog/prices.ts'
import type { Upstream } from '../core/catalog/upstreams.ts'
import { faultyField, type GatewayError } from '../core/errors.ts'
import type { IncomingRequest } from '../core/incoming-request.ts'
import { parseUsdc } from '../core/money.ts'
import type { Reply } from '../core/reply.ts'
import type { Counting, LiveCounting } from './counting/contract.ts'
import { interimHeaders } from './headers/reply-headers.ts'
import { countGarbage } from './pool/collect-garbage.ts'
import type { Pool, UpgradedConnection, UpstreamReply, UpstreamRequest } from './pool/upstream-reply.ts'

interface TunnelOptions {
  readonly pool: Pool
  readonly upstream: Upstream
  readonly incoming: Pick<IncomingRequest, 'headers'>
  /** `meter` and `counting` are both set, or both undefined for a call without a meter. */
  readonly meter: Meter | undefined
  readonly counting: Counting | undefined
}

type TunnelOutcome =
  /**
   * The reply's `tunnel` must be destroyed: without an error when the caller leaves, with one when the
   * gateway stops.
   */
  | { readonly kind: 'opened'; readonly reply: Reply }
  /** The upstream did not agree to the upgrade. */
  | { readonly kind: 'refused'; readonly reply: UpstreamReply }

/**
 * Opens a WebSocket to an upstream. Its data passes unread, so its bytes and seconds can be counted and its messages
 * cannot.
 *
 * The operation's deadline limits only the handshake. A tunnel ends when either side ends it, when both are silent
 * for `idle_seconds`, or when it has cost the maximum of a call: after that its use would be free.
 *
 * @param request GET without a body, with the headers of any call; those of the handshake are added
 * @throws GatewayError as the pool does, and VALIDATION_ERROR when the meter cannot count a WebSocket
 */
export async function openTunnel(
  request: UpstreamRequest,
  { pool, upstream, incoming, meter, counting }: TunnelOptions,
): Promise<TunnelOutcome> {
  if (meter && !counting?.countTunnel) throw uncountable(meter)
  const headers = { ...only(handshakeHeaders, incoming.headers), ...request.headers }
  const answer = await pool.upgrade({ ...request, headers }, 'websocket')
  switch (answer.kind) {
    case 'reply':
      return { kind: 'refused', reply: answer }
    case 'upgraded':
      return { kind: 'opened', reply: connect(answer, upstream, meter, counting) }
  }
}

function connect(
  connection: UpgradedConnection,
  upstream: Upstream,
  meter: Meter | undefined,
  counting: Counting | undefined,
): Reply {
  const { headers, socket } = connection
  try {
    const sent = { ...interimHeaders(headers, upstream), ...only(agreementHeaders, headers) }
    // No body precedes trailers here, and Node refuses to send a head that announces them.
    delete sent.trailer
    const reading = counting?.countTunnel?.()
    const metered = meter && counting && reading && { meter, counting, reading }
    const tunnel = new Tunnel(socket, upstream.idleSeconds * 1_000, metered)
    return { status: 101, headers: sent, body: new Uint8Array(), tunnel, delivered: tunnel.delivered }
  } catch (error) {
    socket.destroy()
    throw error
  }
}

interface Metered {
  readonly meter: Meter
  readonly counting: Counting
  readonly reading: LiveCounting
}

/** The caller's end of a tunnel: writes go to the target, reads come from it. */
class Tunnel extends Duplex {
  readonly #socket: Duplex
  readonly #idleMs: number
  readonly #metered: Metered | undefined
  readonly #delivered = Promise.withResolvers<Delivery>()
  /** Set by the first event that ends the tunnel. */
  #outcome: Delivery['outcome'] | undefined
  #receivedBytes = 0
  #hasTargetEnded = false
  #idleTimer: NodeJS.Timeout
  readonly #costTimer: NodeJS.Timeout | undefined

  constructor(socket: Duplex, idleMs: number, metered: Metered | undefined) {
    super()
    this.#socket = socket
    this.#idleMs = idleMs
    this.#metered = metered
    this.#idleTimer = setTimeout(this.#complete, idleMs)
    if (metered?.meter.per === 'seconds') this.#costTimer = setInterval(this.#endAtMaximum, 1_000)
    // `delivered` reports the error, and the stream may have no reader any more.
    this.on('error', () => undefined)
    this.once('end', () => this.#linger())
    socket.on('data', (chunk: Uint8Array) => this.#receive(chunk))
    socket.on('end', () => this.#targetEnded())
    socket.on('error', (error: Error) => this.destroy(error))
    socket.on('close', () => {
      if (!this.#hasTargetEnded) this.destroy(new Error('the target broke off'))
    })
  }

  get delivered(): Promise<Delivery> {
    return this.#delivered.promise
  }

  override _read(): void {
    this.#socket.resume()
  }

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#idleTimer.refresh()
    countGarbage(chunk.byteLength)
    this.#socket.write(chunk, (error) => {
      if (!error) this.#metered?.counting.countSent(chunk)
      done(error)
      this.#endAtMaximum()
    })
  }

  override _final(done: () => void): void {
    this.#outcome ??= 'left'
    this.#linger()
    this.#socket.end(() => done())
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#idleTimer)
    clearInterval(this.#costTimer)
    this.#socket.destroy()
    this.#metered?.reading.end()
    this.#delivered.resolve({
      outcome: this.#outcome ?? (error ? 'broken' : 'left'),
      usage: this.#usage(),
    })
    done(error)
  }

  #receive(chunk: Uint8Array): void {
    this.#idleTimer.refresh()
    countGarbage(chunk.byteLength)
    this.#receivedBytes += chunk.byteLength
    if (!this.push(chunk)) this.#socket.pause()
    this.#endAtMaximum()
  }

  #targetEnded(): void {
    this.#hasTargetEnded = true
    this.#outcome ??= 'complete'
    this.push(null)
  }

  #usage(): Delivery['usage'] {
    return this.#metered?.reading.usage(this.#receivedBytes - this.readableLength)
  }

  readonly #endAtMaximum = (): void => {
    const usage = this.#usage()
    if (this.#metered && usage && isAtMaximum(this.#metered.meter, usage)) this.#complete()
  }

  readonly #complete = (): void => {
    this.#outcome ??= 'complete'
    this.destroy()
  }

  /** One side has ended: the other gets a moment to do the same. */
  #linger(): void {
    clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(this.#complete, Math.min(this.#idleMs, lingerMs))
  }
}

function isAtMaximum(meter: Meter, usage: NonNullable<Delivery['usage']>): boolean {
  const { amount, units } = costOf(meter, usage)
  return amount >= parseUsdc(meter.max) || (meter.maxUnits !== undefined && units >= meter.maxUnits)
}

function uncountable({ per }: Meter): GatewayError {
  return faultyField('upgrade', `is not offered here: ${per} cannot be counted on a WebSocket`)
}

function only(names: readonly string[], headers: IncomingRequest['headers']): Record<string, string> {
  const chosen: Record<string, string> = {}
  for (const name of names) {
    const lines = headers[name]
    if (lines) chosen[name] = lines.join(', ')
  }
  return chosen
}

/** https://www.rfc-editor.org/rfc/rfc6455#section-11.3 */
const handshakeHeaders = [
  'sec-websocket-key',
  'sec-websocket-version',
  'sec-websocket-protocol',
  'sec-websocket-extensions',
]
const agreementHeaders = ['sec-websocket-accept', 'sec-websocket-protocol', 'sec-websocket-extensions']

const lingerMs = 2_000
