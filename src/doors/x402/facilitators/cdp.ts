import type { CdpApiKey } from '../../../platform/config/secrets.ts'
import type { Authorize } from './http.ts'
import { RemoteFacilitator, type RemoteFacilitatorOptions } from './remote.ts'

interface CdpFacilitatorOptions
  extends Pick<
    RemoteFacilitatorOptions,
    'timeoutMs' | 'extensions' | 'resource' | 'noteExtensions' | 'client' | 'network'
  > {
  /** CDP's API, without a trailing slash. */
  readonly apiUrl: string
  readonly apiKey: CdpApiKey
}

/**
 * Creates Coinbase's facilitator: an x402 facilitator that authenticates its callers. Each request carries a
 * token that the API key signs for its method and address and that is valid for two minutes, so a leaked one
 * opens nothing else.
 */
export function createCdpFacilitator({
  apiUrl,
  apiKey,
  ...options
}: CdpFacilitatorOptions): RemoteFacilitator {
  const url = `${apiUrl}/platform/v2/x402`
  return new RemoteFacilitator({ ...options, id: 'cdp', url, authorize: createTokens(apiKey) })
}

function createTokens({ id, secret }: CdpApiKey): Authorize {
  return async (method, endpoint) => {
    // Imported on first use: without it, the start is faster (the rows "first 402" of `npm run bench`).
    const { generateJwt } = await import('@coinbase/cdp-sdk/auth')
    const token = await generateJwt({
      apiKeyId: id,
      apiKeySecret: secret,
      requestMethod: method,
      requestHost: endpoint.host,
      requestPath: endpoint.pathname,
    })
    return { authorization: `Bearer ${token}` }
  }
}
