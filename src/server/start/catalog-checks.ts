import { type Catalog, listingOf } from '../../core/catalog/catalog.ts'
import type { CheckedEnvironment } from '../../platform/config/check-environment.ts'
import type { Settings } from '../../platform/config/config.ts'
import { settlementTimeoutOf } from '../../platform/config/facilitator-config.ts'
import { upstreamFaults } from '../upstreams.ts'

/**
 * Finds the faults of a catalog that only the settings show, a sentence each.
 * @param isMalformed names settings that cannot be read: what depends on them is not checked.
 */
export async function catalogFaults(
  catalog: Catalog,
  settings: Settings,
  isMalformed: CheckedEnvironment['isMalformed'] = () => false,
): Promise<string[]> {
  const hasTimeouts = !timeoutSettings.some(isMalformed)
  const settlementTimeoutMs = settlementTimeoutOf(settings.config.facilitators)
  return [
    ...(hasTimeouts ? validityFaults(catalog, settlementTimeoutMs) : []),
    ...(isMalformed('CDP_API_KEY_ID') || isMalformed('CDP_API_KEY_SECRET')
      ? []
      : listingFaults(catalog, settings)),
    ...(await upstreamFaults(catalog.upstreams, settings, isMalformed)),
  ]
}

/** Coinbase's facilitator asks every caller for a key. */
function listingFaults({ operations }: Catalog, { secrets }: Settings): string[] {
  if (secrets.cdpApiKey) return []
  return Object.entries(operations).flatMap(([id, operation]) =>
    listingOf(operation)?.facilitator === 'cdp'
      ? [`operations.${id}: listing.facilitator cdp needs CDP_API_KEY_ID and CDP_API_KEY_SECRET`]
      : [],
  )
}

const timeoutSettings = ['FACILITATOR_URL', 'FACILITATOR_TIMEOUT_MS', 'SETTLEMENT_TIMEOUT_MS'] as const

/**
 * A payment must stay valid for as long as the call and its settlement may take; otherwise the operation
 * would refuse every payment.
 */
function validityFaults(catalog: Catalog, settlementTimeoutMs: number): string[] {
  const settlementSeconds = Math.ceil(settlementTimeoutMs / 1000)
  return Object.entries(catalog.operations).flatMap(([id, operation]) => {
    const priced = operation.access === 'tier' ? operation : operation.priced
    if (!priced) return []
    const needed = priced.deadlineSeconds + settlementSeconds
    if (priced.validitySeconds > needed) return []
    return [
      `operations.${id}: validity_seconds must be more than ${needed}: deadline_seconds and the ${settlementSeconds} seconds a settlement may take`,
    ]
  })
}
