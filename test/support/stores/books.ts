import pg from 'pg'
import type { Hex } from 'viem'
import { z } from 'zod'

/**
 * The books as an auditor reads them: in plain SQL, past all gateways, so that what a gateway believes
 * and what is written are two things a test can compare.
 */
export interface BooksOnView {
  /** The state of the payment with this nonce; undefined when nobody claimed it. */
  stateOf(nonce: Hex): Promise<string | undefined>
  /**
   * Lets the time of all leases pass: whoever held one is presumed dead. Only for when no worker that
   * holds one is alive, or two will be at work on the same payment.
   */
  endLeases(): Promise<void>
  /** By state: how many payments, and how much they are about, in atomic units. */
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
    async totals() {
      const { rows } = await pool.query(
        'select state, count(*)::text as payments, sum(amount)::text as amount from payments group by state',
      )
      return new Map(totalRows.parse(rows).map(({ state, ...total }) => [state, total]))
    },
    close: () => pool.end(),
  }
}

/** The states of payments whose money is in. */
const paidStates = ['paid', 'settled', 'final', 'refunding', 'refunded']

/** What the books say was taken, in atomic units. */
export function sumTaken(totals: ReadonlyMap<string, Total>): bigint {
  return paidStates.reduce((sum, state) => sum + (totals.get(state)?.amount ?? 0n), 0n)
}
