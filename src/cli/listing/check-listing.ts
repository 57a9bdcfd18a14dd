import { validateDiscoveryExtension, validateDiscoveryExtensionSpec } from '@x402/extensions/bazaar'
import { z } from 'zod'
import { checkDescription } from './description.ts'
import { faultsOfListing } from './listed-address.ts'
import { askPaidTools } from './paid-tools.ts'

/**
 * Looks at the 402 of each paid operation, and of each paid tool, as the catalogs of paid services do, and says what they would refuse. They
 * refuse without a word: an operator would only see that nothing is listed.
 */

/** What a catalog would say of one operation. */
export interface ListingCheck {
  /** The operation, the tool of the MCP server, or `openapi.json`. */
  readonly operation: string
  readonly address: string
  /** Empty: a catalog takes it. */
  readonly problems: readonly string[]
}

const paidOperations = z.object({
  servers: z.array(z.object({ url: z.url() })),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({ operationId: z.string(), 'x-payment-info': z.unknown().optional() }),
    ),
  ),
})

/** @throws Error when the gateway does not describe its paid operations. */
export async function checkListing(gateway: string): Promise<ListingCheck[]> {
  const document = await fetch(`${gateway}/payments/openapi.json`, {
    signal: AbortSignal.timeout(deadlineMs),
  })
  if (!document.ok) throw new Error(`${gateway}/payments/openapi.json answers ${document.status}`)
  const { paths, servers } = paidOperations.parse(await document.json())
  const sold = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, 'x-payment-info': price }]) =>
      price === undefined ? [] : [{ operation: operationId, method: method.toUpperCase(), path }],
    ),
  )
  const checks: ListingCheck[] = []
  for (const { operation, method, path } of sold)
    checks.push(await checkOne(gateway, operation, method, path))
  for (const { name, required } of await askPaidTools(gateway, deadlineMs))
    checks.push(checkTool(name, required))
  for (const { url } of servers) checks.push(await checkDescription(gateway, url, deadlineMs))
  return checks
}

function checkTool(name: string, required: unknown): ListingCheck {
  return required === undefined
    ? { operation: name, address: '/mcp', problems: ['the tool names no price to a call without payment'] }
    : checkRequired(name, { path: '/mcp', tool: name }, required)
}

const deadlineMs = 10_000

async function checkOne(
  gateway: string,
  operation: string,
  method: string,
  path: string,
): Promise<ListingCheck> {
  const reply = await fetch(`${gateway}${path}`, {
    method,
    signal: AbortSignal.timeout(deadlineMs),
    ...(method === 'GET' ? {} : { headers: { 'content-type': 'application/json' }, body: '{}' }),
  })
  const header = reply.headers.get('payment-required')
  if (header === null) {
    const problem = `answers ${reply.status} without a price to a call without payment`
    return { operation, address: path, problems: [problem] }
  }
  return checkRequired(operation, { path, tool: undefined }, readHeader(header))
}

/** @param asked where the price was asked for; the path stands for an address that cannot be read. */
function checkRequired(
  operation: string,
  { path, tool }: { readonly path: string; readonly tool: string | undefined },
  required: unknown,
): ListingCheck {
  const read = paymentRequired.safeParse(required)
  if (!read.success) {
    return {
      operation,
      address: path,
      problems: read.error.issues.map(({ path: at, message }) => `${at.join('.')}: ${message}`),
    }
  }
  const { resource, extensions } = read.data
  const ofExtension = faultsOfExtension(extensions.bazaar)
  return {
    operation,
    address: resource.url,
    problems: [
      ...faultsOfAddress(resource.url),
      ...(ofExtension.length > 0 ? ofExtension : faultsOfListing({ resource, extensions }, path, tool)),
    ],
  }
}

/** The limits of the Bazaar. */
const paymentRequired = z.looseObject({
  resource: z.looseObject({
    url: z.url(),
    description: z.string().min(1).max(500, 'has more than 500 characters'),
    serviceName: z
      .string({ error: 'is missing: give the provider a name in ASCII' })
      .regex(/^[\x20-\x7e]{1,32}$/, 'must be 1 to 32 ASCII characters'),
    tags: z.array(z.string().max(32)).max(5).optional(),
    iconUrl: z.url({ protocol: /^https$/, error: 'must be an https address' }).optional(),
  }),
  accepts: z
    .array(z.looseObject({ scheme: z.string(), amount: z.string().regex(/^\d+$/), payTo: z.string() }))
    .min(1),
  extensions: z.looseObject({ bazaar: z.unknown().optional() }),
})

function readHeader(header: string): unknown {
  return JSON.parse(Buffer.from(header, 'base64').toString())
}

function faultsOfAddress(address: string): string[] {
  const { protocol, hostname } = new URL(address)
  const isLocal = /^(?:localhost|127\.|10\.|192\.168\.|\[::1\])/.test(hostname)
  return [
    ...(protocol === 'https:' ? [] : ['its address is not https: set BASE_URL, or PAYMENTS_BASE_URL']),
    ...(isLocal ? ['its address is of this machine: set BASE_URL, or PAYMENTS_BASE_URL'] : []),
  ]
}

const declared = z.custom<Parameters<typeof validateDiscoveryExtension>[0]>(
  (value) =>
    z.object({ info: z.object({ input: z.looseObject({}) }), schema: z.looseObject({}) }).safeParse(value)
      .success,
)

function faultsOfExtension(extension: unknown): readonly string[] {
  const read = declared.safeParse(extension)
  if (!read.success) return ['it declares no discovery extension']
  // The first compares it with the schema that it brings along, the second with the specification.
  const verdicts = [validateDiscoveryExtension(read.data), validateDiscoveryExtensionSpec({ ...read.data })]
  return verdicts.flatMap(({ valid, errors = [] }) => (valid ? [] : errors))
}
