import pg from 'pg'
import type { Hex } from 'viem'
import { z } from 'zod'

/**
 * The books as an auditor reads them, in plain SQL: a test can compare what a gateway says with what is
 * recorded.
 */
export interface BooksOnView {
  /** The state of the payment with this nonce; undefined when it was never claimed. */
  stateOf(nonce: Hex): Promise<string | undefined>
  /**
   * Ends all leases, as if their workers were dead. To be used only when no such worker is alive; otherwise
   * two workers would have the same payment.
   */
  endLeases(): Promise<void>
  /** How many gateways have said in time that they live. */
  liveGateways(): Promise<number>
  /** The number of payments by state, and their amounts in atomic units. */
  totals(): Promise<ReadonlyMap<string, Total>>
  close(): Promise<void>
}

export interface Total {
  readonly payments: number
  readonly amount: bigint
}

const totalRows = z.array(
  z.object({ state: z.string(), payments: z.coerce.number(), amount: z.string().transform(BigInt) }),
)
const countRows = z.tuple([z.object({ count: z.coerce.number() })])
const stateRows = z.array(z.object({ state: z.string() }))

export function viewBooks(databaseUrl: string): BooksOnView {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  return {
    async stateOf(nonce) {
      const { rows } = await pool.query('select state from payments where nonce = $1', [nonce])
      return stateRows.parse(rows)[0]?.state
    },
    async endLeases() {
      await pool.query(`update payments set lease_until = 'epoch' where lease_until > 'epoch'`)
    },
    async liveGateways() {
      const { rows } = await pool.query('select count(*) from settling_gateways where live_until > now()')
      return countRows.parse(rows)[0].count
    },
    async totals() {
      const { rows } = await pool.query(
        'select state, count(*)::text as payments, sum(amount)::text as amount from payments group by state',
      )
      return new Map(totalRows.parse(rows).map(({ state, ...total }) => [state, total]))
    },
    close: () => pool.end(),
  }
}

/** The states of payments whose money was received. */
const paidStates = ['paid', 'settled', 'final', 'refunding', 'refunded']

/** The amount that the books say was received, in atomic units. */
export function sumTaken(totals: ReadonlyMap<string, Total>): bigint {
  return paidStates.reduce((sum, state) => sum + (totals.get(state)?.amount ?? 0n), 0n)
}
