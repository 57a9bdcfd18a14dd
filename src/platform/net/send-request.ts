import { setImmediate } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { bodyTooLarge, maxWireBytes, readDecodedBody } from './decoded-body.ts'
import { FetchFailure, toFetchError } from './fetch-error.ts'
import { type Hop, isRedirect } from './redirect.ts'

interface ResponseLimits {
  readonly accept: readonly string[] | undefined
  readonly maxBytes: number
  readonly isCutAllowed: boolean
  readonly isBodyOptional: boolean
  readonly isRedirectFollowed: boolean
}

interface ReceivedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, readonly string[]>>
  /** The target of a redirect, whose body was not read. */
  readonly location: string | undefined
  readonly body: Uint8Array
  readonly isCut: boolean
  readonly bytes: number
  readonly wireBytes: number
  readonly firstByteMs: number
}

/**
 * Sends one request and reads its response. The head decides whether the body is read; a body that is not
 * read closes the connection, so that the server cannot go on sending.
 *
 * @throws FetchFailure, the errors of undici, and the signal's reason
 */
export async function sendRequest(
  dispatcher: Dispatcher,
  { url, method, headers: sent, body: payload }: Hop,
  limits: ResponseLimits,
  signal: AbortSignal,
): Promise<ReceivedResponse> {
  const startedAt = performance.now()
  const reply = await dispatcher.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method,
    headers: sent,
    body: payload ?? null,
    signal,
  })
  const firstByteMs = performance.now() - startedAt
  const status = reply.statusCode
  const headers = listed(reply.headers)
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304
  const nothing = { body: new Uint8Array(), isCut: false, wireBytes: 0 }
  const readBody = async () => {
    const encoding = hasBody ? (headers['content-encoding'] ?? []).join() : ''
    try {
      return await readDecodedBody(reply.body, encoding, limits)
    } catch (error) {
      if (!limits.isBodyOptional) throw error
      // Throws what the server cannot have caused.
      if (!signal.aborted) toFetchError(error, url.href)
      return { ...nothing, isCut: true }
    }
  }
  try {
    const location = limits.isRedirectFollowed && isRedirect(status) ? headers.location?.[0] : undefined
    if (location === undefined && hasBody) checkHead(status, headers, limits)
    const read = location === undefined ? await readBody() : nothing
    return { status, headers, location, firstByteMs, bytes: read.body.length, ...read }
  } finally {
    // Ends a body that was not read, which then fails with an error that no one else handles.
    reply.body.on('error', () => undefined).destroy()
    // undici frees a connection one turn after the body's end; a request before that would open another.
    await setImmediate()
  }
}

function checkHead(status: number, headers: ReceivedResponse['headers'], limits: ResponseLimits): void {
  const { accept, maxBytes, isCutAllowed } = limits
  const type = (headers['content-type']?.[0] ?? '').split(';', 1).join().trim().toLowerCase()
  if (accept && status < 300 && !accept.some((range) => isOfType(type, range))) {
    const seen = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type) ? type : 'no media type'
    throw new FetchFailure('content_type', `The answer is ${seen}; expected was ${accept.join(' or ')}.`)
  }
  if (!isCutAllowed && Number(headers['content-length']?.[0] ?? 0) > maxWireBytes(maxBytes)) {
    throw bodyTooLarge(maxBytes)
  }
}

/** `text/html` matches `text/html`, `text/*` and every type. */
function isOfType(type: string, range: string): boolean {
  if (range === '*/*') return true
  return range.endsWith('/*') ? type.startsWith(range.slice(0, -1)) : type === range.toLowerCase()
}

function listed(headers: Record<string, string | string[] | undefined>): ReceivedResponse['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat()]))
}
