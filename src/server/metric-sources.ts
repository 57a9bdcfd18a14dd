import type { Log } from '../core/log.ts'
import { sumUnmatchedTransfers } from '../doors/ledger/reconciling/unmatched-transfers.ts'
import { refundedByOperation, totals } from '../doors/ledger/totals.ts'
import { readFunds } from '../doors/x402/evidence/funds.ts'
import type { MetricSources } from '../edge/metrics/business-metrics.ts'
import type { LiveCatalog } from '../platform/config/live-catalog.ts'
import type { Books } from '../platform/store/books.ts'
import { readScanQueue } from '../products/scan/scans/scan-queue.ts'
import type { Foundation } from './foundation.ts'
import type { Settlement } from './settlement.ts'

/** Binds the metrics of the business to the parts that they are read from. */
export function metricSources({
  foundation: { client, network },
  books,
  catalog,
  settlement: { refundAccount },
  log,
}: {
  readonly foundation: Foundation
  readonly books: Books
  readonly catalog: LiveCatalog
  readonly settlement: Pick<Settlement, 'refundAccount'>
  readonly log: Log
}): MetricSources {
  const { chainId, usdc } = network
  const currency = { chainId, asset: usdc.address.toLowerCase() }
  return {
    totals: () => totals(books, currency),
    refunded: () => refundedByOperation(books, currency),
    unmatched: () => sumUnmatchedTransfers(books, currency, 'open'),
    refundBalance: refundAccount
      ? async () => (await readFunds(client, usdc.address, refundAccount.address)).balance
      : undefined,
    scanQueue: () => readScanQueue(books),
    catalog() {
      const entries = Object.entries(catalog.current().operations)
      const sold = entries.filter(([, { priced, access }]) => priced !== undefined || access === 'tier')
      return {
        operations: entries.map(([id]) => id),
        sold: sold.map(([id]) => id),
        ...catalog.state(),
      }
    },
    down: () => log.outages.down(),
  }
}
