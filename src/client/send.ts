import { decodePaymentResponseHeader } from '@x402/core/http'
import type { SettleResponse } from '@x402/core/types'
import { reasonOf } from './fetch-failure.ts'
import { PayError } from './pay-error.ts'

/** Sends one request, with or without a payment, and reads its reply. */

export interface PaidRequest {
  readonly url: string
  readonly method: string
  /** JSON text; undefined for none. */
  readonly body: string | undefined
  /** Names the purchase: a repeated request with the same key gets the stored reply and is not charged again. */
  readonly idempotencyKey?: string | undefined
}

export interface CallResult {
  readonly status: number
  /** Base64 when the reply is not text; empty when the outlet got it. */
  readonly body: string
  readonly isBase64: boolean
  readonly textEngine: string | null
  /** The settlement that the reply reports; undefined without a receipt. */
  readonly receipt: SettleResponse | undefined
  /** Present when the payment settles after the reply is delivered. */
  readonly paymentId: string | null
  readonly isStreamed: boolean
  /** The methods that a refused one could be replaced by, as the reply's Allow header lists them. */
  readonly allowed: string | null
}

/** Receives a successful reply piece by piece as it arrives: a stream of events as text, binary replies as bytes. */
export interface Outlet {
  readonly text: (piece: string) => void
  /** Resolves when there is room for more. */
  readonly bytes: (piece: Uint8Array) => Promise<void>
}

export interface Sent {
  readonly result: CallResult
  readonly headers: Headers
}

/**
 * The longest silence while waiting for a reply or its next piece. Longer than any operation takes, so that
 * the server times out first and reports the state of the payment.
 */
const maxSilenceMs = 180_000

/**
 * Sends a request and reads its reply.
 * @param payment the header that carries the payment; empty for none.
 * @param outlet gets binary replies and event streams of status 2xx; without it they are kept in the result.
 * @throws PayError when the request is invalid, the server does not answer, or the connection breaks.
 */
export async function send(
  request: PaidRequest,
  payment: Readonly<Record<string, string>>,
  outlet?: Outlet,
): Promise<Sent> {
  const silence = new AbortController()
  const timer = setTimeout(
    () => silence.abort(new Error(`no data for ${maxSilenceMs / 1000} seconds`)),
    maxSilenceMs,
  )
  try {
    const prepared = prepare(request, payment, silence.signal)
    const response = await fetch(prepared).catch((cause: unknown) => {
      const problem = `${request.url} does not answer: ${reasonOf(cause)}. Is the gateway running, and is the address right?`
      throw new PayError(problem, { cause })
    })
    const result = await readReply(response, request.url, outlet, () => timer.refresh())
    return { result, headers: response.headers }
  } finally {
    clearTimeout(timer)
  }
}

function prepare(
  { url, method, body, idempotencyKey }: PaidRequest,
  payment: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Request {
  const json = body === undefined ? {} : { 'content-type': 'application/json' }
  const name = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }
  try {
    return new Request(url, {
      method,
      headers: { ...json, ...name, ...payment },
      body: body ?? null,
      signal,
    })
  } catch (cause) {
    throw new PayError(`This request cannot be sent: ${reasonOf(cause)}`, { cause })
  }
}

async function readReply(
  response: Response,
  url: string,
  outlet: Outlet | undefined,
  onPiece: () => void,
): Promise<CallResult> {
  const { status, headers, ok } = response
  const kind = kindOf(headers)
  const streamTo = ok && kind !== 'text' ? outlet : undefined
  const kept: Uint8Array[] = []
  const decoder = new TextDecoder()
  for await (const bytes of readPieces(response, url)) {
    onPiece()
    if (!streamTo) kept.push(bytes)
    else if (kind === 'bytes') await streamTo.bytes(bytes)
    else streamTo.text(decoder.decode(bytes, { stream: true }))
  }
  streamTo?.text(decoder.decode())
  const isBase64 = kind === 'bytes'
  const whole = Buffer.concat(kept)
  return {
    status,
    body: isBase64 ? whole.toString('base64') : decoder.decode(whole),
    isBase64,
    textEngine: headers.get('x-text-engine'),
    receipt: readReceipt(headers.get('payment-response')),
    paymentId: headers.get('x-payment-id'),
    isStreamed: streamTo !== undefined,
    allowed: headers.get('allow'),
  }
}

function kindOf(headers: Headers): 'events' | 'text' | 'bytes' {
  const type = headers.get('content-type') ?? 'text/plain'
  if (/^text\/event-stream\b/i.test(type)) return 'events'
  return /^text\/|[/+-](?:json|jsonl|ndjson|xml|yaml|javascript|x-www-form-urlencoded)\b|charset=/i.test(type)
    ? 'text'
    : 'bytes'
}

async function* readPieces({ body }: Response, url: string): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? []
  } catch (cause) {
    throw new PayError(`The reply of ${url} broke off: ${reasonOf(cause)}.`, { cause })
  }
}

function readReceipt(header: string | null): SettleResponse | undefined {
  if (!header) return undefined
  try {
    return decodePaymentResponseHeader(header)
  } catch {
    // The reply is paid for: a faulty receipt must not keep it from the payer.
    return undefined
  }
}
