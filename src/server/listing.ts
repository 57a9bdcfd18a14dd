import { Counter, type Registry } from 'prom-client'
import type { PublicClient } from 'viem'
import type { OpenListingFacilitator } from '../doors/x402/door/listing/listing-turns.ts'
import { createCdpFacilitator } from '../doors/x402/facilitators/cdp.ts'
import { RemoteFacilitator } from '../doors/x402/facilitators/remote.ts'
import type { Network } from '../platform/chain/networks.ts'
import type { Config } from '../platform/config/config.ts'
import { requireSetting } from '../platform/config/config-error.ts'
import type { Secrets } from '../platform/config/secrets.ts'
import type { ListingTurnRow } from '../platform/store/rows/settlement.ts'

/** How payments reach the facilitators that list operations. They are named by the catalog, not by FACILITATOR_URL. */
export interface ListingSettlement {
  readonly open: OpenListingFacilitator
  readonly turnTimeoutMs: number
  readonly countTurn: (turn: Pick<ListingTurnRow, 'operation' | 'facilitator' | 'outcome'>) => void
}

interface ListingOptions {
  readonly config: Pick<Config, 'listing'>
  readonly secrets: Pick<Secrets, 'cdpApiKey'>
  readonly client: PublicClient
  readonly network: Network
  readonly registry: Registry
}

export function createListingSettlement({
  config,
  secrets,
  client,
  network,
  registry,
}: ListingOptions): ListingSettlement {
  const { timeoutMs, cdpApiUrl: apiUrl } = config.listing
  const turns = new Counter({
    name: 'tollgate_listing_turns_total',
    help: 'Payments that were to go through the facilitator that lists their operation, by outcome.',
    labelNames: ['operation', 'facilitator', 'outcome'],
    registers: [registry],
  })
  return {
    open(name, listed) {
      const shared = { ...listed, timeoutMs, client, network }
      if (name !== 'cdp') return new RemoteFacilitator({ ...shared, url: name })
      // `catalogFaults` refuses a catalog that names it without its key.
      const apiKey = requireSetting(secrets.cdpApiKey, 'CDP_API_KEY_ID')
      return createCdpFacilitator({ ...shared, apiUrl, apiKey })
    },
    // The list of what it supports, its verdict, its settlement, and the transaction on the chain.
    turnTimeoutMs: 4 * timeoutMs,
    countTurn: (turn) => turns.inc({ ...turn }),
  }
}
