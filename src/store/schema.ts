import type { ColumnType } from 'kysely'

/**
 * The tables of the durable store, as the code sees them; `migrations.ts` makes them. PostgreSQL and
 * the embedded PGlite give the same types, because both are told how to read `int8`.
 */
export interface Tables {
  payments: Omit<PaymentRow, 'reply_headers'> & {
    /** Written as JSON text. */
    reply_headers: ColumnType<Record<string, string> | null, string | null, string | null>
  }
}

/** The states of a payment, in the order of a payment's life (README, "The books"). */
export const paymentStates = [
  'claimed',
  'served',
  'settling',
  'settled',
  'final',
  'released',
  'failed',
  'refunding',
  'refunded',
] as const

export type PaymentState = (typeof paymentStates)[number]

/**
 * One row for each signed authorization that was ever claimed. Addresses and hashes are lower-case
 * hex, so that the same payment in another spelling meets the same row. The signature is kept because
 * a gateway that dies between serving and settling must be able to settle after its restart.
 */
export interface PaymentRow {
  /** keccak256 over chain id, asset, payer and nonce. */
  id: string
  chain_id: number
  asset: string
  payer: string
  nonce: string
  pay_to: string
  /** Atomic units of the asset. */
  amount: bigint
  /** Unix seconds as signed, in decimal: a payer may sign any 256-bit number. */
  valid_after: string
  valid_before: string
  signature: string
  /** x402 version of the envelope it came in. */
  version: number
  operation: string
  /** SHA-256 over method, target and body: what this payment pays for. */
  request_hash: string
  state: PaymentState
  /** Counts the claims. A worker whose claim was taken over cannot move the row any more. */
  attempt: number
  /** Until when the worker of this attempt is presumed alive. */
  lease_until: Date
  transaction: string | null
  /** Why the chain or the facilitator refused, as an x402 reason word. */
  failure: string | null
  reply_status: number | null
  reply_headers: Record<string, string> | null
  reply_body: Uint8Array | null
  created_at: Date
  updated_at: Date
}
