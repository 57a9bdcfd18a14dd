import type { PublicClient } from 'viem'
import type { Network } from '../../../platform/chain/networks.ts'
import type { CdpApiKey } from '../../../platform/config/config.ts'
import type { Extensions } from '../wire/extensions.ts'
import type { Facilitator } from '../wire/facilitator.ts'
import type { Authorize } from './http.ts'
import { createRemoteFacilitator } from './remote.ts'

/**
 * Coinbase's facilitator: an x402 facilitator that wants to know who asks. Each request carries a token
 * signed with the API key for its own method and address, good for two minutes, so that one which leaks
 * opens nothing else.
 */
interface CdpFacilitatorOptions {
  /** CDP's API, without a trailing slash. */
  readonly apiUrl: string
  readonly apiKey: CdpApiKey
  /** Longest wait for one answer. */
  readonly timeoutMs: number
  /** Told with each payment. */
  readonly extensions?: Extensions | undefined
  readonly client: PublicClient
  readonly network: Network
}

export function createCdpFacilitator({
  apiUrl,
  apiKey,
  timeoutMs,
  extensions,
  client,
  network,
}: CdpFacilitatorOptions): Facilitator {
  const url = `${apiUrl}/platform/v2/x402`
  return createRemoteFacilitator({
    id: 'cdp',
    url,
    timeoutMs,
    authorize: tokens(apiKey),
    extensions,
    client,
    network,
  })
}

function tokens({ id, secret }: CdpApiKey): Authorize {
  return async (method, endpoint) => {
    // Loaded only by those who use it: 300 ms of the start and 35 MB.
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
