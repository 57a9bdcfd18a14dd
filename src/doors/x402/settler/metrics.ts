import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Address } from 'viem'
import type { GasSupply, Settlement } from '../wire/facilitator.ts'

/**
 * Metrics of settling: what it costs, how it ends, and how many more payments the gas accounts can pay for.
 */
export interface SettlerMetrics {
  /** A transaction with this many payments was mined. */
  mined(payments: number, gasUsed: bigint): void
  /** A transaction with one payment took this much gas and moved no money. */
  wasted(gasUsed: bigint): void
  /**
   * A caller got its outcome. A settlement that was `unknown` may be requested again, and then counts again.
   */
  answered(outcome: Settlement['outcome']): void
  /** A transaction that was not mined in time was replaced. */
  replaced(): void
  /** This many payments wait to be sent. */
  waiting(payments: number): void
  /** The accounts can pay for this many more payments. */
  runway(payments: bigint): void
  /** One account has this much. */
  supply(account: Address, supply: GasSupply): void
}

/** Registers the metrics. A registry takes each of them once. */
export function createSettlerMetrics(registry: Registry): SettlerMetrics {
  const registers = [registry]
  const outcomes = new Counter({
    name: 'tollgate_settlement_outcomes_total',
    help: 'Settlements answered, by outcome.',
    labelNames: ['outcome'],
    registers,
  })
  const gasPerPayment = new Histogram({
    name: 'tollgate_settlement_payment_gas',
    help: 'Gas used for each payment: its share of the transaction it was in.',
    buckets: [30_000, 40_000, 50_000, 60_000, 70_000, 85_000, 100_000, 150_000, 250_000, 500_000],
    registers,
  })
  const perTransaction = new Histogram({
    name: 'tollgate_settlement_transaction_payments',
    help: 'Payments in each transaction that was mined.',
    buckets: [1, 2, 5, 10, 20, 50, 100],
    registers,
  })
  const wasted = new Counter({
    name: 'tollgate_settlement_wasted_gas_total',
    help: 'Gas of settlements that were mined and moved no money.',
    registers,
  })
  const replaced = new Counter({
    name: 'tollgate_settlement_transactions_replaced_total',
    help: 'Transactions replaced at a better price because they were not mined in time.',
    registers,
  })
  const waiting = new Gauge({
    name: 'tollgate_settlement_waiting_payments',
    help: 'Payments waiting to be sent.',
    registers,
  })
  const runway = new Gauge({
    name: 'tollgate_settlement_runway_payments',
    help: 'Payments the settlement accounts can still pay for, one by one at the present gas price.',
    registers,
  })
  const balances = new Gauge({
    name: 'tollgate_settlement_account_balance_wei',
    help: 'What each settlement account holds for gas, in wei.',
    labelNames: ['account'],
    registers,
  })
  const runways = new Gauge({
    name: 'tollgate_settlement_account_runway_payments',
    help: 'Payments each settlement account can still pay for, one by one at the present gas price.',
    labelNames: ['account'],
    registers,
  })
  for (const outcome of ['settled', 'failed', 'unknown']) outcomes.inc({ outcome }, 0)

  return {
    mined(payments, gasUsed) {
      perTransaction.observe(payments)
      const share = Number(gasUsed) / payments
      for (let counted = 0; counted < payments; counted += 1) gasPerPayment.observe(share)
    },
    wasted: (gasUsed) => wasted.inc(Number(gasUsed)),
    answered: (outcome) => outcomes.inc({ outcome }),
    replaced: () => replaced.inc(),
    waiting: (payments) => waiting.set(payments),
    runway: (payments) => runway.set(Number(payments)),
    supply(account, { balanceWei, runwayPayments }) {
      balances.set({ account }, Number(balanceWei))
      runways.set({ account }, Number(runwayPayments))
    },
  }
}
