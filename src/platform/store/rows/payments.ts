import type { MeterUnit } from '../../../core/catalog/prices.ts'

/** The states of a payment, in the order of its life (`doors/x402/README.md`). */
export const paymentStates = [
  'claimed',
  'served',
  'settling',
  'paid',
  'settled',
  'final',
  'released',
  'failed',
  'refunding',
  'refunded',
] as const

export type PaymentState = (typeof paymentStates)[number]

/**
 * One row for each signed authorization that was ever claimed. Addresses and hashes are lower-case hex, so
 * that the same payment in another spelling finds the same row. The signature is kept because a gateway that
 * dies between serving and settling must be able to settle after its restart.
 */
export interface PaymentRow {
  /** keccak256 over chain id, asset, payer and nonce. */
  id: string
  chainId: number
  asset: string
  payer: string
  nonce: string
  payTo: string
  /** The amount to take, in atomic units. For a metered call it is the maximum until the call was served. */
  amount: bigint
  /** With `upto`, less than the signed amount may be taken. */
  scheme: 'exact' | 'upto'
  /** The signed amount, in atomic units; never less than `amount`. */
  authorized: bigint
  /** Scheme `upto` only: the one account that may settle the payment. */
  facilitator: string | null
  /** Scheme `upto` only: the EIP-2612 permit that came with the payment, `value:nonce:deadline:signature`. */
  permit: string | null
  /** Unix seconds as signed, in decimal text: a payer may sign any 256-bit number. */
  validAfter: string
  validBefore: string
  signature: string
  /** x402 version of the envelope that the payment came in. */
  version: number
  operation: string
  /**
   * SHA-256 of method, target and body: the request that this payment pays for. Empty in an adopted payment
   * until its payer sends it again (`doors/ledger/reconciling/adopt.ts`).
   */
  requestHash: string
  /** When the money moves: `after` or `before` the handler, or `metered`, when the used amount is known. */
  timing: 'after' | 'before' | 'metered'
  /** The payer's name for this purchase: another payment of theirs with this key is the same purchase. */
  idempotencyKey: string | null
  state: PaymentState
  /** The number of claims so far. A worker whose claim was taken over cannot move the row. */
  attempt: number
  /** Until then the worker of this attempt is presumed alive. */
  leaseUntil: Date
  /**
   * The gateway that began this attempt (`Books.gateway`): when it dies, the lease of the payment ends with its
   * own. Null for a gateway that does not say that it lives.
   */
  holder: string | null
  /** How many searches for the outcome have failed; each further search waits longer. */
  tries: number
  transaction: string | null
  /** The block that holds the transfer, until the chain drops it. */
  blockNumber: bigint | null
  blockHash: string | null
  settledAt: Date | null
  /** Why the chain or the facilitator last refused, as an x402 reason word; or `caller_left`. */
  failure: string | null
  /** Claimed beyond what the payer had earned by payments that settled. */
  onCredit: boolean
  /** When the money of a delivered reply is asked for again, after its settlement failed. */
  collectAt: Date | null
  replyStatus: number | null
  replyHeaders: Record<string, string> | null
  replyBody: Uint8Array | null
  /** The account that pays the refund, and until when (Unix seconds) its signature is valid. */
  refundFrom: string | null
  refundUntil: bigint | null
  refundTransaction: string | null
  /**
   * The amount to give back, in atomic units. Null without a refund, and in refunds of older versions, which
   * give everything back.
   */
  refundAmount: bigint | null
  /** The operator's words. */
  refundReason: string | null
  /**
   * When the chain may be searched again for the transfer of a released or failed payment; null while it was
   * not searched.
   */
  searchAfter: Date | null
  /** What the last search found (`doors/ledger/unpaid/searches.ts`); null during a search. */
  searchFound: 'unused' | 'unknown' | 'nothing' | null
  /** The number of searches so far; each further one waits longer. */
  searches: number
  createdAt: Date
  updatedAt: Date
}

/** What a payer left unpaid. A trigger of `payments` writes it (migration 0015). */
export interface PayerRow {
  chainId: number
  payer: string
  /** The last failed settlement or abandoned run. */
  unpaidAt: Date
  /** The last failed settlement: what was settled before it earns no credit. */
  failedAt: Date | null
  /** Failed settlements and abandoned runs, each within a day of the one before. */
  failures: number
  /** What was served and never paid, in atomic units. */
  lost: bigint
  /** What was lost on credit within about a minute before `unpaidAt`, in atomic units. */
  risk: bigint
}

/** What the runs of a payer count for that were released: they served nothing and cost nothing. */
export interface ReleasedRunsRow {
  chainId: number
  /** The payer's address in lower case. */
  payer: string
  /** When they count for nothing any more (`doors/ledger/unpaid/released-runs.ts`). */
  clearAt: Date
}

/** One call that was metered, or that cost us something, with its usage. */
export interface MeteringRow {
  callId: string
  operation: string
  door: 'open' | 'free' | 'key' | 'payment'
  /** The caller: `key:<id>`, `oidc:<subject>`, `client:<address>`, or the payer's address in lower case. */
  subject: string
  /** Null when no payment pays for the call. */
  paymentId: string | null
  /** What is counted; null when the row only records a cost. */
  unit: MeterUnit | null
  input: bigint
  output: bigint
  isEstimate: boolean
  outcome: 'complete' | 'left' | 'broken'
  /** The usage at the price of the catalog, in atomic USDC, whether or not a payment pays it. */
  amount: bigint
  createdAt: Date
}

/** A payment of ours to an upstream, for one call. */
export interface CostRow {
  /** The nonce of the authorization that we signed, which identifies the payment on the chain. */
  id: string
  callId: string
  operation: string
  upstream: string
  chainId: number
  asset: string
  /** Our wallet. */
  payer: string
  payTo: string
  /** Atomic units of the asset. */
  amount: bigint
  /** Unix seconds. */
  validBefore: bigint
  /** `signed` until the chain shows that the money was taken, or that it can no longer be. */
  state: 'signed' | 'taken' | 'unused'
  transaction: string | null
  createdAt: Date
  updatedAt: Date
}
