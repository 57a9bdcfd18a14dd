import { Duplex } from 'node:stream'
import { costOf, type Delivery } from '../core/catalog/metering.ts'
import type { Meter } from '../core/catalog/prices.ts'
import type { Upstream } from '../core/catalog/upstreams.ts'
import { faultyField, type GatewayError } from '../core/errors.ts'
import type { Incoming } from '../core/incoming.ts'
import { parseUsdc } from '../core/money.ts'
import type { Reply } from '../core/reply.ts'
import type { Counting, ReplyCounting } from './counting/contract.ts'
import { filterReplyHeaders } from './headers/reply-headers.ts'
import { countGarbage } from './pool/collect-garbage.ts'
import type { Pool, Upgraded, UpstreamReply, UpstreamRequest } from './pool/upstream-reply.ts'

/**
 * A WebSocket to an upstream. What is said on it is passed on unread; its bytes and its seconds can be counted, its
 * messages cannot. It may last longer than the operation's deadline, which holds for the handshake alone: a socket
 * ends when either side ends it, when both are silent for `idleSeconds`, or when it has cost the most that a call
 * may cost, for from there on it would be used for nothing.
 */
interface Parts {
  readonly pool: Pool
  readonly upstream: Upstream
  readonly incoming: Pick<Incoming, 'headers'>
  /** Both, or neither where nothing is metered. */
  readonly meter: Meter | undefined
  readonly counting: Counting | undefined
}

/**
 * @param request GET without a body, with the headers that any call gets; those of the handshake are added here
 * @returns the reply to hand to `http`, whose `tunnel` is to be destroyed without an error when the caller leaves and
 *   with one when the gateway stops; or what the upstream replied instead of agreeing
 * @throws GatewayError as the pool does, and VALIDATION_ERROR where the price counts what a WebSocket does not tell
 */
export async function openTunnel(
  request: UpstreamRequest,
  { pool, upstream, incoming, meter, counting }: Parts,
): Promise<{ readonly reply: Reply } | { readonly refusal: UpstreamReply }> {
  if (meter && (meter.per === 'tokens' || meter.per === 'items')) throw uncountable(meter)
  const headers = { ...only(ofHandshake, incoming.headers), ...request.headers }
  const answer = await pool.upgrade({ ...request, headers }, 'websocket')
  if (!('socket' in answer)) return { refusal: answer }
  try {
    const sent = { ...filterReplyHeaders(answer.headers, upstream), ...only(ofAgreement, answer.headers) }
    // There is no body for them to follow, and Node refuses to send a head that says otherwise.
    delete sent.trailer
    const reading = counting?.countReply(answer)
    const metered = meter && counting && reading && { meter, counting, reading }
    const { tunnel, delivered } = join(answer.socket, upstream.idleSeconds * 1_000, metered)
    return { reply: { status: 101, headers: sent, body: new Uint8Array(), tunnel, delivered } }
  } catch (error) {
    answer.socket.destroy()
    throw error
  }
}

interface Metered {
  readonly meter: Meter
  readonly counting: Counting
  readonly reading: ReplyCounting
}

function join(
  socket: Upgraded['socket'],
  idleMs: number,
  metered: Metered | undefined,
): { readonly tunnel: Duplex; readonly delivered: Promise<Delivery> } {
  const { promise: delivered, resolve } = Promise.withResolvers<Delivery>()
  /** What happened first: all else follows from it. */
  let outcome: Delivery['outcome'] | undefined
  let given = 0
  let hasEnded = false
  let timer = setTimeout(lapse, idleMs)
  const clock = metered?.meter.per === 'seconds' ? setInterval(endWhenSpent, 1_000) : undefined

  const tunnel = new Duplex({
    read: () => void socket.resume(),
    write(chunk: Uint8Array, _encoding, done) {
      timer.refresh()
      countGarbage(chunk.byteLength)
      socket.write(chunk, (error) => {
        if (!error) metered?.counting.countSent(chunk)
        done(error)
        endWhenSpent()
      })
    },
    final(done) {
      outcome ??= 'left'
      linger()
      socket.end(() => done())
    },
    destroy(error, done) {
      clearTimeout(timer)
      clearInterval(clock)
      socket.destroy()
      metered?.reading.end()
      resolve({ outcome: outcome ?? (error ? 'broken' : 'left'), usage: usage() })
      done(error)
    },
  })
  // Told by `delivered`; whoever has it in hand may have let go of it.
  tunnel.on('error', () => undefined)

  function usage(): Delivery['usage'] {
    return metered?.reading.usage(given - tunnel.readableLength)
  }

  function endWhenSpent(): void {
    const used = usage()
    if (metered && used && isSpent(metered.meter, used)) lapse()
  }

  function lapse(): void {
    outcome ??= 'complete'
    tunnel.destroy()
  }

  /** One side has ended: the other has a moment to do the same. */
  function linger(): void {
    clearTimeout(timer)
    timer = setTimeout(lapse, Math.min(idleMs, lingerMs))
  }

  socket.on('data', (chunk: Uint8Array) => {
    timer.refresh()
    countGarbage(chunk.byteLength)
    given += chunk.byteLength
    if (!tunnel.push(chunk)) socket.pause()
    endWhenSpent()
  })
  socket.on('end', () => {
    hasEnded = true
    outcome ??= 'complete'
    tunnel.push(null)
  })
  tunnel.once('end', linger)
  socket.on('error', (error) => tunnel.destroy(error))
  socket.on('close', () => {
    if (!hasEnded) tunnel.destroy(new Error('the target broke off'))
  })
  return { tunnel, delivered }
}

function isSpent(meter: Meter, usage: NonNullable<Delivery['usage']>): boolean {
  const { amount, units } = costOf(meter, usage)
  return amount >= parseUsdc(meter.max) || (meter.maxUnits !== undefined && units >= meter.maxUnits)
}

function uncountable({ per }: Meter): GatewayError {
  return faultyField('upgrade', `is not offered here: ${per} cannot be counted on a WebSocket`)
}

function only(names: readonly string[], headers: Incoming['headers']): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of names) {
    const lines = headers[name]
    if (lines) found[name] = lines.join(', ')
  }
  return found
}

/** https://www.rfc-editor.org/rfc/rfc6455#section-11.3 */
const ofHandshake = [
  'sec-websocket-key',
  'sec-websocket-version',
  'sec-websocket-protocol',
  'sec-websocket-extensions',
]
const ofAgreement = ['sec-websocket-accept', 'sec-websocket-protocol', 'sec-websocket-extensions']

const lingerMs = 2_000
