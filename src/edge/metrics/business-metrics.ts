import { Counter, Gauge, type Registry } from 'prom-client'
import type { Log } from '../../core/log.ts'
import { type Refunded, receivedStates, type Total } from '../../doors/ledger/totals.ts'
import { paymentStates } from '../../platform/store/rows/payments.ts'
import type { ScanQueue } from '../../products/scan/scans/scan-queue.ts'
import { LateValue } from './late-value.ts'

/** What the metrics are read from. */
export interface MetricSources {
  readonly totals: () => Promise<readonly Total[]>
  readonly refunded: () => Promise<readonly (Refunded & Pick<Total, 'operation'>)[]>
  /** Transfers without a payment that the operator has neither adopted, refunded nor dismissed. */
  readonly unmatched: () => Promise<{ readonly transfers: number; readonly amount: bigint }>
  /** Of the account that pays refunds, in atomic units; undefined without one. */
  readonly refundBalance: (() => Promise<bigint>) | undefined
  readonly scanQueue: () => Promise<ScanQueue>
  readonly catalog: () => {
    /** All operations; others that are in the books have one label together. */
    readonly operations: readonly string[]
    /** Those among them that a payment opens. */
    readonly sold: readonly string[]
    readonly loadedAt: Date
    readonly faultySince: Date | undefined
  }
  /** The names of the dependencies that are down. */
  readonly down: () => readonly string[]
}

const booksMaxAgeMs = 30_000
const balanceMaxAgeMs = 30_000

/**
 * Registers what the operator watches of the business: money, refunds, scans, the catalog, and what is down.
 *
 * Amounts are in micro-USDC, which are whole numbers: Prometheus calculates with floating point, which is exact for
 * whole numbers up to 9 billion USDC. Values from the store are the same at every gateway that shares it, so queries
 * take the maximum over gateways and not the sum. No label names a payer.
 */
export function registerBusinessMetrics(registry: Registry, sources: MetricSources, log: Log): void {
  registerMoney(registry, sources, log)
  registerRefundAccount(registry, sources, log)
  registerScans(registry, sources, log)
  registerCatalog(registry, sources)
  gauge(registry, 'tollgate_dependency_down', '1 for each dependency that is down, as the log names it.', {
    labelNames: ['dependency'],
    collect() {
      this.reset()
      for (const dependency of sources.down()) this.set({ dependency }, 1)
    },
  })
}

function registerMoney(
  registry: Registry,
  { totals, refunded, unmatched, catalog }: MetricSources,
  log: Log,
): void {
  const books = new LateValue(
    async () => {
      const [lines, refunds, strangers] = await Promise.all([totals(), refunded(), unmatched()])
      return { lines, refunds, strangers }
    },
    booksMaxAgeMs,
    log,
  )
  const byState = async () => (await books.get())?.value.lines ?? []
  const operationOf = ({ operation }: Pick<Total, 'operation'>) =>
    catalog().operations.includes(operation) ? operation : 'other'

  gauge(registry, 'tollgate_payments', 'Payments in the books, by operation and present state.', {
    labelNames: ['operation', 'state'],
    async collect() {
      this.reset()
      // An alert on a state needs a value before the first payment gets there.
      for (const state of paymentStates) this.set({ operation: 'other', state }, 0)
      for (const line of await byState()) {
        this.inc({ operation: operationOf(line), state: line.state }, line.payments)
      }
    },
  })
  gauge(registry, 'tollgate_payments_microusdc', 'Their amounts, in millionths of a USDC.', {
    labelNames: ['operation', 'state'],
    async collect() {
      this.reset()
      for (const line of await byState()) {
        this.inc({ operation: operationOf(line), state: line.state }, Number(line.amount))
      }
    },
  })
  const received = async () => (await byState()).filter(({ state }) => isReceived(state))
  const refunds = async () => (await books.get())?.value.refunds ?? []
  const sums = [
    { name: 'received', help: 'Money received for calls', read: received },
    { name: 'refunded', help: 'Money given back', read: refunds },
  ] as const
  for (const { name, help, read } of sums) {
    new Counter({
      name: `tollgate_${name}_microusdc_total`,
      help: `${help}, in millionths of a USDC. A reorganization of the chain may lower it.`,
      labelNames: ['operation'],
      registers: [registry],
      async collect() {
        this.reset()
        for (const operation of catalog().sold) this.inc({ operation }, 0)
        for (const line of await read()) this.inc({ operation: operationOf(line) }, Number(line.amount))
      },
    })
  }
  gauge(registry, 'tollgate_unmatched_transfers', 'Incoming transfers that belong to no payment.', {
    async collect() {
      const read = await books.get()
      if (read) this.set(read.value.strangers.transfers)
    },
  })
  gauge(registry, 'tollgate_unmatched_transfers_microusdc', 'Their amounts, in millionths of a USDC.', {
    async collect() {
      const read = await books.get()
      if (read) this.set(Number(read.value.strangers.amount))
    },
  })
  gauge(registry, 'tollgate_books_read_timestamp_seconds', 'When the money in these metrics was last read.', {
    async collect() {
      const read = await books.get()
      if (read) this.set(read.atMs / 1000)
    },
  })
}

function isReceived(state: Total['state']): boolean {
  return receivedStates.some((one) => one === state)
}

function registerRefundAccount(registry: Registry, { refundBalance }: MetricSources, log: Log): void {
  if (!refundBalance) return
  const balance = new LateValue(refundBalance, balanceMaxAgeMs, log)
  gauge(
    registry,
    'tollgate_refund_account_microusdc',
    'USDC of the account that pays refunds, in millionths.',
    {
      async collect() {
        const read = await balance.get()
        if (read) this.set(Number(read.value))
      },
    },
  )
}

function registerScans(registry: Registry, { scanQueue }: MetricSources, log: Log): void {
  const queue = new LateValue(scanQueue, booksMaxAgeMs, log)
  gauge(registry, 'tollgate_scans', 'Scans that are not done, of all gateways.', {
    labelNames: ['state'],
    async collect() {
      const read = await queue.get()
      if (!read) return
      this.set({ state: 'waiting' }, read.value.waiting)
      this.set({ state: 'running' }, read.value.running)
    },
  })
  gauge(registry, 'tollgate_scan_oldest_waiting_seconds', 'How long the oldest waiting scan has waited.', {
    async collect() {
      const read = await queue.get()
      const oldest = read?.value.oldestWaiting
      if (read) this.set(oldest ? Math.max(Date.now() - oldest.getTime(), 0) / 1000 : 0)
    },
  })
}

function registerCatalog(registry: Registry, { catalog }: MetricSources): void {
  gauge(
    registry,
    'tollgate_catalog_loaded_timestamp_seconds',
    'When the catalog in use was taken into use.',
    {
      collect() {
        this.set(catalog().loadedAt.getTime() / 1000)
      },
    },
  )
  gauge(
    registry,
    'tollgate_catalog_file_faulty',
    '1 when the catalog file cannot be used, and an older one is.',
    {
      collect() {
        this.set(catalog().faultySince ? 1 : 0)
      },
    },
  )
}

function gauge<Label extends string = never>(
  registry: Registry,
  name: string,
  help: string,
  {
    labelNames = [],
    collect,
  }: { labelNames?: Label[]; collect: (this: Gauge<Label>) => void | Promise<void> },
): void {
  new Gauge<Label>({ name, help, labelNames, registers: [registry], collect })
}
