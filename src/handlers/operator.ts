import type { Network } from '../chain/networks.ts'
import type { LiveCatalog } from '../config/live-catalog.ts'
import type { Endpoint } from '../core/call.ts'
import type { SigningKeys } from '../keys/signing-keys.ts'
import type { Currency } from '../ledger/totals.ts'
import type { Reconciliation } from '../x402/reconcile.ts'
import type { Refunds } from '../x402/refund.ts'
import { type MetricsText, metricsEndpoint } from './metrics.ts'
import { catalogReloadEndpoint } from './operator-catalog.ts'
import { type Explain, explainEndpoint } from './operator-explain.ts'
import { exportEndpoint } from './operator-export.ts'
import { type KeyParts, operatorKeyEndpoints } from './operator-keys.ts'
import { operatorPaymentEndpoints } from './operator-payments.ts'
import { reconcileEndpoint } from './operator-reconcile.ts'
import { rotateSigningKeyEndpoint } from './operator-signing-keys.ts'
import { strangersEndpoint } from './operator-strangers.ts'
import { totalsEndpoint } from './operator-totals.ts'
import { usageEndpoints } from './operator-usage.ts'

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
  const currency: Currency = { chain_id: network.chainId, asset: network.usdc.address.toLowerCase() }
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
