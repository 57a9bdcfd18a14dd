import type { Call } from '../../core/call.ts'
import { type Endpoint, endpoint } from '../../core/endpoint.ts'
import type { Reply } from '../../core/reply.ts'
import type { WaitingBodies } from '../../gateway/bodies/waiting-bodies.ts'
import type { Credentials } from '../../gateway/principal.ts'
import { mcpRows } from '../handlers/mcp/mcp.ts'
import type { McpParts, McpService } from './server.ts'
import { paidTools, serviceTools } from './tools.ts'

/** What the MCP endpoints are called by. */
export interface McpAddresses {
  readonly baseUrl: string
  readonly paymentsBaseUrl: string
  /** Whether a trusted proxy's X-Forwarded-Host names the host of a request. */
  readonly trustForwardedHost: boolean
  readonly version: string
}

/** The MCP endpoints: they have paths as all others, and their requests are answered here instead of by the chain. */
export interface Mcp {
  readonly endpoints: readonly Endpoint[]
  /** @returns answers the requests of an MCP endpoint; undefined for any other. */
  readonly serving: (endpoint: Endpoint) => ((call: Call) => Promise<Reply>) | undefined
}

/**
 * Builds both MCP servers: the service's with its tools, and the one of the paid operations, which wallets call.
 * Without them, agents that speak MCP alone could neither scan nor buy.
 */
export function createMcp(
  parts: Omit<McpParts, 'baseUrl' | 'tokenMetadata' | 'version'>,
  {
    bodies,
    credentials,
    ...addresses
  }: McpAddresses & { readonly bodies: WaitingBodies; readonly credentials: Credentials },
): Mcp {
  const { baseUrl, paymentsBaseUrl, trustForwardedHost, version } = addresses
  const open = async (service: McpService, metadata: string) => {
    const [{ createServeMcp }, { createMcpServer }] = await Promise.all([
      import('./serve.ts'),
      import('./server.ts'),
    ])
    return createServeMcp({
      serverFor: createMcpServer({ ...parts, baseUrl, tokenMetadata: metadata, version }, service),
      bodies,
      credentials,
      tokenMetadata: metadata,
      hosts: [...new Set([baseUrl, paymentsBaseUrl].map((url) => new URL(url).hostname)), ...ownNames],
      hostHeader: trustForwardedHost ? 'x-forwarded-host' : 'host',
    })
  }
  // Many gateways are never called by MCP, and its library is large. So the first request to a server loads it.
  const serve = (...about: Parameters<typeof open>) => {
    let opening: ReturnType<typeof open> | undefined
    return async (call: Call) => {
      opening ??= open(...about)
      return (await opening)(call)
    }
  }
  const serviceEndpoint = endpoint('callTools', mcpRows.callTools, refuse)
  const paidEndpoint = endpoint('callPaidTools', mcpRows.callPaidTools, refuse)
  const servings = new Map([
    [serviceEndpoint, serve(serviceDescription(paymentsBaseUrl), metadataOf(baseUrl, serviceEndpoint))],
    [
      paidEndpoint,
      serve(paidDescription(baseUrl, paymentsBaseUrl), metadataOf(paymentsBaseUrl, paidEndpoint)),
    ],
  ])
  return { endpoints: [...servings.keys()], serving: (found) => servings.get(found) }
}

/** Clients look for the metadata of a resource at the well-known path with that of the resource behind it (RFC 9728). */
function metadataOf(base: string, { path }: Endpoint): string {
  return `${base}/.well-known/oauth-protected-resource${path}`
}

/** The gateway's own machine. */
const ownNames = ['localhost', '127.0.0.1', '[::1]']

function refuse(): Reply {
  throw new Error('a request to an MCP endpoint came to the chain')
}

function serviceDescription(paymentsBaseUrl: string): McpService {
  return {
    name: 'tollgate',
    title: (provider) => provider,
    instructions: `Scans websites for how ready they are for AI agents and answer engines, and searches what scans have found. Start with start_scan, ask get_scan_status every 5 to 10 seconds, then read get_scan_results. Scans without an API key are limited to a few a day; send a key in the header x-mcp-api-key for more. A tool error has the fields error, message, code and details, and the message says what to do. Tools that are paid per call in USDC are at ${paymentsBaseUrl}${mcpRows.callPaidTools.path}.`,
    tools: serviceTools,
    hasPrompt: true,
  }
}

function paidDescription(baseUrl: string, paymentsBaseUrl: string): McpService {
  return {
    name: 'tollgate-paid',
    title: (provider) => `${provider}: paid tools`,
    instructions: `Each tool is paid per call in USDC by x402 over MCP, without an account. A call without a payment returns a tool error whose structured content is the x402 PaymentRequired object: sign one of its requirements, and call again with the payment in _meta["x402/payment"]. The receipt comes in _meta["x402/payment-response"]. A call that fails is not charged, and the same payment with the same arguments gets the same result again. Website scans are at ${baseUrl}${mcpRows.callTools.path}.`,
    tools: paidTools,
    soldAt: `${paymentsBaseUrl}${mcpRows.callPaidTools.path}`,
    hasPrompt: false,
  }
}
