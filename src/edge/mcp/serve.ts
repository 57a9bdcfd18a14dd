import { createMcpHandler, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server'
import Negotiator from 'negotiator'
import { z } from 'zod'
import type { Call } from '../../core/call.ts'
import { json, type Reply } from '../../core/reply.ts'
import { isBeyondShape } from '../../core/text/json-shape.ts'
import type { WaitingBodies } from '../../gateway/bodies/waiting-bodies.ts'
import { checkToken } from '../../gateway/check-token.ts'
import { clientOf } from '../../gateway/client-address.ts'
import type { Credentials } from '../../gateway/principal.ts'
import type { ServerFor } from './server.ts'

export interface ServeParts {
  readonly serverFor: ServerFor
  readonly bodies: WaitingBodies
  readonly credentials: Pick<Credentials, 'token'>
  /** The address that tells where access tokens for this server are issued. */
  readonly tokenMetadata: string
  /** The names that this server is called by, without ports. */
  readonly hosts: readonly string[]
  /** The header that names the host of a request. */
  readonly hostHeader: 'host' | 'x-forwarded-host'
}

/**
 * Answers a POST to an MCP endpoint, in the current protocol and in the older ones. The request itself passes no door:
 * each tool call in it makes a call of its own, which passes the chain. Nothing is kept between requests.
 * @throws GatewayError for an access token that is not valid, and for a body that is too large or does not arrive.
 */
export function createServeMcp(parts: ServeParts) {
  const { serverFor, bodies, credentials, tokenMetadata, hosts, hostHeader } = parts
  return async (call: Call): Promise<Reply> => {
    const refusal = refuseForeign(call, hosts, hostHeader)
    if (refusal) return refusal
    await checkToken(call.header, credentials, tokenMetadata)
    const { bytes, contentType } = await readBody(call, bodies)
    if (isBeyondShape(bytes, largestShape)) {
      return rpcError(
        400,
        -32_600,
        `Invalid Request: more than ${largestShape.values} values, or nested too deeply`,
      )
    }
    const batch = readBatch(bytes)
    const fault = batch && faultOf(batch)
    if (fault !== undefined) return rpcError(400, -32_600, `Invalid Request: ${fault}`)
    const headers = new Headers(contentType === undefined ? {} : { 'content-type': contentType })
    headers.set('accept', acceptOf(call))
    for (const name of protocolHeaders) {
      const value = call.header(name)?.join(', ')
      if (value !== undefined) headers.set(name, value)
    }
    const refused: Reply[] = []
    const handler = createMcpHandler(() => serverFor(call, (reply) => refused.push(reply)), {
      keepAliveMs: 0,
    })
    const response = await handler.fetch(
      new Request(anyAddress, { method: 'POST', headers, body: bytes.slice() }),
    )
    const reply = await replyOf(response)
    // The other calls of a batch may be paid, so their results must reach the client.
    return batch === undefined ? (refused[0] ?? reply) : reply
  }
}

/** @returns the messages of a batch; undefined for what is none, or cannot be read: that is left to the protocol. */
function readBatch(bytes: Uint8Array): readonly unknown[] | undefined {
  const text = new TextDecoder().decode(bytes)
  if (!text.trimStart().startsWith('[')) return undefined
  try {
    return z.array(z.unknown()).safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/**
 * Says what is wrong with a batch. Of two requests with one id only one would get its reply, and the other may be a
 * payment. A small body of many requests would get a very large reply.
 */
function faultOf(batch: readonly unknown[]): string | undefined {
  if (batch.length > largestBatch) return `the batch has more than ${largestBatch} messages`
  const ids = batch.flatMap((one) => {
    const { data } = requestWithId.safeParse(one)
    return data ? [data.id] : []
  })
  return new Set(ids).size < ids.length ? 'two requests of the batch have the same id' : undefined
}

const largestBatch = 20

const requestWithId = z.object({ id: z.union([z.string(), z.number()]), method: z.string() })

/** As large as the body of any operation of ours may be. */
const largestShape = { depth: 64, values: 10_000 }

const protocolHeaders = ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id']

/**
 * The media types that the client takes. The SDK looks for the names of both in the header, and would refuse a client
 * that takes everything, as those that were written with a plain HTTP library do.
 */
function acceptOf(call: Call): string {
  const accept = call.header('accept')?.join(', ') ?? '*/*'
  const taken = new Negotiator({ headers: { accept } }).mediaTypes(mediaTypes)
  return taken.length === mediaTypes.length ? mediaTypes.join(', ') : accept
}

const mediaTypes = ['application/json', 'text/event-stream']

/** The protocol reads no address. */
const anyAddress = 'http://mcp.invalid/'

/**
 * Refuses what a web page of others may have sent: with a name of its own that it has bound to our address (DNS
 * rebinding), or from its own origin. The protocol asks for both checks.
 */
function refuseForeign(
  call: Call,
  hosts: readonly string[],
  hostHeader: ServeParts['hostHeader'],
): Reply | undefined {
  const allowed = [...hosts]
  const host = validateHostHeader((call.header(hostHeader) ?? call.header('host'))?.[0], allowed)
  if (!host.ok) return rpcError(403, -32_000, host.message)
  const origin = validateOriginHeader(call.header('origin')?.[0], allowed)
  return origin.ok ? undefined : rpcError(403, -32_000, origin.message)
}

/** The body counts until it is read whole; what a tool is called with counts again in its own call. */
async function readBody(call: Call, bodies: WaitingBodies) {
  const room = bodies.openRoom(() => clientOf(call.client()))
  try {
    return await call.readBody(room)
  } finally {
    room.leave()
  }
}

function rpcError(status: number, code: number, message: string): Reply {
  return json(status, { jsonrpc: '2.0', id: null, error: { code, message } }, noStore)
}

const noStore = { 'cache-control': 'no-store' }

/**
 * An event stream is sent whole, too: it holds nothing but the answers to this request, and those to older clients come
 * as events.
 */
async function replyOf(response: Response): Promise<Reply> {
  const contentType = response.headers.get('content-type')
  return {
    status: response.status,
    headers: { ...noStore, ...(contentType === null ? {} : { 'content-type': contentType }) },
    body: new Uint8Array(await response.arrayBuffer()),
  }
}
