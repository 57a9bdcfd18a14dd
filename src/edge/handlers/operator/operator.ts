import type { Endpoint } from '../../../core/endpoint.ts'
import type { SigningKeys } from '../../../doors/keys/signing-keys.ts'
import type { Currency } from '../../../doors/ledger/totals.ts'
import type { Reconciliation } from '../../../doors/x402/recovery/reconcile.ts'
import type { Refunds } from '../../../doors/x402/recovery/refund.ts'
import type { Network } from '../../../platform/chain/networks.ts'
import type { LiveCatalog } from '../../../platform/config/live-catalog.ts'
import { catalogReloadEndpoint } from './catalog.ts'
import { type Explain, explainEndpoint } from './explain.ts'
import { exportEndpoint } from './export.ts'
import { type KeyParts, operatorKeyEndpoints } from './keys.ts'
import { type MetricsText, metricsEndpoint } from './metrics.ts'
import { operatorPaymentEndpoints } from './payments.ts'
import { reconcileEndpoint } from './reconcile.ts'
import { rotateSigningKeyEndpoint } from './signing-keys.ts'
import { totalsEndpoint } from './totals.ts'
import { strangersEndpoint } from './unmatched-transfers.ts'
import { usageEndpoints } from './usage.ts'

/** What the operator's endpoints look at and set to work. */
export interface OperatorParts extends KeyParts {
  readonly network: Network
  readonly refunds: Pick<Refunds, 'refund'>
  readonly reconciliation: Pick<Reconciliation, 'reconcile'>
  readonly metrics: MetricsText
  readonly catalog: Pick<LiveCatalog, 'reload'>
  readonly signingKeys: Pick<SigningKeys, 'rotate'>
  readonly explain: Explain
}

/** The operator's side of the gateway. Every one of these carries its own access and stands in no catalogue. */
export function operatorEndpoints(parts: OperatorParts): Endpoint[] {
  const { books, network } = parts
  const currency: Currency = { chainId: network.chainId, asset: network.usdc.address.toLowerCase() }
  return [
    ...operatorPaymentEndpoints(books, parts.refunds),
    ...operatorKeyEndpoints(parts),
    totalsEndpoint(books, currency),
    strangersEndpoint(books, currency),
    ...usageEndpoints(books),
    exportEndpoint(books, currency),
    reconcileEndpoint(parts.reconciliation),
    metricsEndpoint(parts.metrics),
    catalogReloadEndpoint(parts.catalog),
    rotateSigningKeyEndpoint(parts.signingKeys),
    explainEndpoint(parts.explain),
  ]
}
