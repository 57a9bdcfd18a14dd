import type { EndpointRow, Handlers } from '../../../core/endpoint.ts'
import type { Log } from '../../../core/log.ts'
import type { SigningKeys } from '../../../doors/keys/signing-keys.ts'
import type { Currency } from '../../../doors/ledger/totals.ts'
import type { Adoptions } from '../../../doors/x402/recovery/adopt.ts'
import type { Reconciliation } from '../../../doors/x402/recovery/reconcile.ts'
import type { Refunds } from '../../../doors/x402/recovery/refund.ts'
import type { Network } from '../../../platform/chain/networks.ts'
import type { LiveCatalog } from '../../../platform/config/live-catalog.ts'
import { changesSomething } from '../audited.ts'
import { operatorDirectoryHandlers, operatorDirectoryRows } from '../directory/operator.ts'
import { type ForgetScans, operatorScanHandlers, operatorScanRows } from '../scans/operator.ts'
import { operatorWebhookHandlers, operatorWebhookRows } from '../webhooks/operator.ts'
import type { WebhookParts } from '../webhooks/subscribe.ts'
import { auditHandlers, auditRows } from './audit.ts'
import { catalogReloadHandlers, catalogReloadRows } from './catalog.ts'
import { type Explain, explainHandlers, explainRows } from './explain.ts'
import { exportHandlers, exportRows } from './export.ts'
import { keyUseHandlers, keyUseRows, type OperatorKeyUsageParts } from './key-usage.ts'
import { type KeyParts, operatorKeyHandlers, operatorKeyRows } from './keys.ts'
import { ledgerHandlers, ledgerRows } from './ledger.ts'
import { listingHandlers, listingRows } from './listing.ts'
import { type MetricsText, metricsHandlers, metricsRows } from './metrics.ts'
import { operatorPaymentHandlers, operatorPaymentRows } from './payments.ts'
import { reconcileHandlers, reconcileRows } from './reconcile.ts'
import { signingKeyHandlers, signingKeyRows } from './signing-keys.ts'
import { strangerHandlers, strangerRows } from './strangers.ts'
import { usageHandlers, usageRows } from './usage.ts'

/** The operator's endpoints. Each row carries its own access, and no catalog can name one. */
export const operatorRows = {
  ...operatorPaymentRows,
  ...operatorKeyRows,
  ...keyUseRows,
  ...ledgerRows,
  ...listingRows,
  ...strangerRows,
  ...usageRows,
  ...exportRows,
  ...reconcileRows,
  ...metricsRows,
  ...catalogReloadRows,
  ...signingKeyRows,
  ...explainRows,
  ...operatorScanRows,
  ...operatorDirectoryRows,
  ...operatorWebhookRows,
  ...auditRows,
}

export interface OperatorParts extends KeyParts, OperatorKeyUsageParts {
  readonly network: Network
  readonly refunds: Pick<Refunds, 'refund'>
  readonly adoptions: Adoptions
  readonly reconciliation: Pick<Reconciliation, 'reconcile'>
  readonly metrics: MetricsText
  readonly catalog: Pick<LiveCatalog, 'reload' | 'current'>
  readonly signingKeys: Pick<SigningKeys, 'rotate'>
  /** The operations that are sold as tools of an MCP server, too. */
  readonly tools: ReadonlySet<string>
  readonly explain: Explain
  readonly forgetScans: ForgetScans
  readonly webhooks: Pick<WebhookParts, 'books' | 'wake'>
  readonly log: Log
}

/** What the audit trail records: see `../audited.ts`. */
const actions = Object.entries<EndpointRow>(operatorRows)
  .filter(([, row]) => changesSomething(row))
  .map(([id]) => id)

export function operatorHandlers(parts: OperatorParts): Handlers<typeof operatorRows> {
  const { books, network } = parts
  const currency: Currency = { chainId: network.chainId, asset: network.usdc.address.toLowerCase() }
  return {
    ...operatorPaymentHandlers(books, parts.refunds, network),
    ...operatorKeyHandlers(parts),
    ...keyUseHandlers(parts),
    ...ledgerHandlers(books, currency),
    ...listingHandlers(books, network.chainId, parts.catalog, parts.tools),
    ...strangerHandlers(books, currency, parts.adoptions),
    ...usageHandlers(books, network),
    ...exportHandlers(books, currency),
    ...reconcileHandlers(parts.reconciliation),
    ...metricsHandlers(parts.metrics),
    ...catalogReloadHandlers(parts.catalog),
    ...signingKeyHandlers(parts.signingKeys),
    ...explainHandlers(parts.explain),
    ...operatorScanHandlers(books, parts.forgetScans),
    ...operatorDirectoryHandlers(books),
    ...operatorWebhookHandlers(parts.webhooks),
    ...auditHandlers(books, actions),
  }
}
