import { extractDiscoveryInfo } from '@x402/extensions/bazaar'

/**
 * Says what is wrong with the address that a catalog would show, by the same extraction that facilitators run over a
 * payment. It keeps origin and path alone, and of an address that is none of HTTP no origin is left.
 */

/** What a client repeats of a 402 when it pays; of the extensions, the one for discovery fits its own schema. */
export interface Repeated {
  readonly resource: { readonly url: string }
  readonly extensions: Readonly<Record<string, unknown>>
}

/**
 * @param path where the operation was asked for its price, or the MCP server of the tool.
 * @param tool the name of the tool; undefined for an operation over HTTP.
 */
export function faultsOfListing(
  { resource, extensions }: Repeated,
  path: string,
  tool: string | undefined,
): string[] {
  const listed = extractDiscoveryInfo(
    {
      x402Version: 2,
      resource: { ...resource },
      accepted: anyPayment,
      payload: {},
      extensions: { ...extensions },
    },
    anyPayment,
  )
  if (listed === null) return ['a catalog finds nothing in it to list']
  const at = URL.parse(listed.resourceUrl)
  const isThere =
    at !== null && /^https?:$/.test(at.protocol) && at.pathname.endsWith(new URL(path, 'http://any').pathname)
  const wrong = isThere ? [] : [`a catalog lists it at ${listed.resourceUrl}, which leads nowhere`]
  const name = 'toolName' in listed ? listed.toolName : undefined
  return name === tool ? wrong : [...wrong, `a catalog lists it as the tool ${name}, and not as ${tool}`]
}

/** The extraction of version 2 does not look at it. */
const anyPayment = {
  scheme: 'exact',
  network: 'eip155:84532',
  asset: '',
  amount: '0',
  payTo: '',
  maxTimeoutSeconds: 0,
  extra: {},
} as const
