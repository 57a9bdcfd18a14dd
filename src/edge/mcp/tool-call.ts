import { randomUUID } from 'node:crypto'
import type { Call, SoldTool } from '../../core/call.ts'
import type { Endpoint } from '../../core/endpoint.ts'

/** What a tool is called with. */
export interface ToolRequest {
  readonly endpoint: Endpoint
  readonly operation: Call['operation']
  /** Set for a paid tool: what its 402s, offers and receipts name as sold. */
  readonly tool: SoldTool | undefined
  readonly tokenMetadata: string
  readonly args: Readonly<Record<string, unknown>>
  /** The field `_meta` of the request. */
  readonly meta: Readonly<Record<string, unknown>> | undefined
}

/** Where x402 has a payment in a tool call: https://github.com/x402-foundation/x402, transports-v2/mcp. */
const paymentKey = 'x402/payment'

/**
 * Makes the call that HTTP would make of the same input, so that the chain decides and counts it alike: by the
 * credentials and the address of the MCP request, and by the payment in the tool call. A payment that was made here is
 * found by a repeat over HTTP with the same body, and the other way round.
 */
export function callOf(
  { endpoint, operation, tool, tokenMetadata, args, meta }: ToolRequest,
  request: Call,
): Call {
  const names = Object.keys(endpoint.params.shape)
  const fields = ordered(args, endpoint)
  const params = Object.fromEntries(names.flatMap((name) => (name in args ? [[name, args[name]]] : [])))
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    // Half a character has no escape.
    encodeURIComponent(textOf(args[name]).toWellFormed()),
  )
  const isGet = endpoint.method === 'GET'
  const query = isGet ? Object.fromEntries(fields.map(([name, value]) => [name, asText(value)])) : {}
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) search.append(name, textOf(value))
  const bytes = isGet ? new Uint8Array() : Buffer.from(JSON.stringify(Object.fromEntries(fields)))
  return {
    id: randomUUID(),
    endpoint,
    operation,
    target: search.size > 0 ? `${path}?${search}` : path,
    tool,
    tokenMetadata,
    client: request.client,
    params,
    readQuery: () => query,
    header: (name) => headerOf(name, request, meta),
    readBody: async (room) => {
      room.arrive(bytes.byteLength)
      return { bytes, contentType: 'application/json' }
    },
    onLeave: request.onLeave,
  }
}

/**
 * The arguments besides the parameters of the path, in the order of the schema: a client may write the same arguments
 * in another order when it repeats a paid call, and the payment is bound to the bytes.
 */
function ordered(args: Readonly<Record<string, unknown>>, endpoint: Endpoint): [string, unknown][] {
  const { params, query, body, method } = endpoint
  const known = Object.keys((method === 'GET' ? query : body).shape)
  const rank = (name: string) => (known.includes(name) ? known.indexOf(name) : known.length)
  return Object.entries(args)
    .filter(([name]) => !(name in params.shape))
    .sort(([one], [other]) => rank(one) - rank(other))
}

/** A query field as HTTP has it. What no text can stand for stays as it is, and its schema refuses it. */
function asText(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/**
 * The headers of the call. Credentials are those of the MCP request; what belongs to one purchase comes with its tool
 * call, because one MCP request may hold several.
 */
function headerOf(name: string, request: Call, meta: ToolRequest['meta']): readonly string[] | undefined {
  if (credentials.has(name)) return request.header(name)
  if (name === 'payment-signature' && meta?.[paymentKey] !== undefined) {
    return [Buffer.from(JSON.stringify(meta[paymentKey])).toString('base64')]
  }
  const sent = purchaseFields[name] === undefined ? undefined : meta?.[purchaseFields[name]]
  return typeof sent === 'string' ? [sent] : undefined
}

const credentials: ReadonlySet<string> = new Set(['x-mcp-api-key', 'x-api-key', 'authorization'])

/** Other headers of a purchase, and where a tool call has them. */
const purchaseFields: Readonly<Record<string, string>> = {
  'idempotency-key': 'x402/idempotency-key',
  'sign-in-with-x': 'x402/sign-in-with-x',
}
