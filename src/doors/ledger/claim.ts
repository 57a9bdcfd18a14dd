import { sql } from 'kysely'
import type { Books } from '../../platform/store/books.ts'
import { grouped } from '../../platform/store/group.ts'
import { rowJson } from '../../platform/store/row-json.ts'
import type { PaymentRow } from '../../platform/store/schema.ts'
import type { Held } from './payments.ts'

/** A payment to claim, and what it pays for. Addresses and hashes are lower-case hex. */
export type Claim = Pick<
  PaymentRow,
  | 'id'
  | 'chainId'
  | 'asset'
  | 'payer'
  | 'nonce'
  | 'payTo'
  | 'amount'
  | 'scheme'
  | 'authorized'
  | 'facilitator'
  | 'permit'
  | 'validAfter'
  | 'validBefore'
  | 'signature'
  | 'version'
  | 'operation'
  | 'requestHash'
  | 'idempotencyKey'
  | 'timing'
>

/** How much one payer may have open at the same time, and how long a worker's claim lasts. */
export interface ClaimLimits {
  /** The payer's balance in atomic units, at the end of block `balanceBlock`. */
  readonly balance: bigint
  readonly balanceBlock: bigint
  /** The maximum number of open payments of one payer. */
  readonly maxInFlight: number
  /**
   * After so many failed settlements or abandoned runs within a day, the payer's money moves before the work.
   */
  readonly settleFirstAfter: number
  readonly credit: CreditLimits
  /** A payer who has settled nothing here since its last failure pays first. */
  readonly newPayerFirst: boolean
  readonly handlerLeaseMs: number
  readonly settleLeaseMs: number
}

/** How much work payers get before their money has moved. Amounts are atomic units. */
export interface CreditLimits {
  /** What a payer may have unsettled before it has settled anything here. */
  readonly newPayerCalls: number
  readonly newPayerAmount: bigint
  /**
   * What all payers together may have unsettled beyond what they have earned, with what was lost within the
   * last minute.
   */
  readonly maxUnsettled: bigint
}

export type ClaimResult =
  | { readonly kind: 'claimed'; readonly held: Held; readonly timing: PaymentRow['timing'] }
  /** This payment is in the books already and cannot be claimed. */
  | { readonly kind: 'taken' }
  /** Another payment of the payer has bought, or is buying, under the same idempotency key. */
  | { readonly kind: 'bought'; readonly id: string }
  /** The payer has the maximum number of open payments. */
  | { readonly kind: 'busy' }
  /**
   * The payer's open payments may need the whole balance; some of them may have been taken from it already.
   */
  | { readonly kind: 'moving' }
  /** The payer's open payments need the whole balance. */
  | { readonly kind: 'overdrawn' }
  /** The payer has to pay first, and an `upto` payment cannot: its amount is known only at the end. */
  | { readonly kind: 'distrusted' }
  /** The same, because the call is beyond the credit of this payer, or of all of them together. */
  | { readonly kind: 'uncredited' }
  /** The same, until other calls of the payer are settled. */
  | { readonly kind: 'waiting' }

const dayMs = 86_400_000
const minuteMs = 60_000
/** After so many runs of one payment that served nothing, the money moves before the next run. */
const maxAttempts = 3

/**
 * Claims the payer's authorization for this call. A signature stays valid until it is settled, so without the
 * claim many copies of one payment could run the handler at the same time and pay once. The same statement
 * looks at the payer's other payments; without that, one balance could promise to pay for many. It also looks
 * at what the payer has settled and left unpaid: beyond its credit the money moves before the work. One statement
 * decides (`store/migrations/claim-function.ts`): of any number of copies exactly one is `claimed`, and never
 * more than the balance covers. A payment that was released or failed, or whose worker died before it served
 * anything, may be claimed again, on the newly signed terms.
 */
export function claim(books: Books, payment: Claim, limits: ClaimLimits): Promise<ClaimResult> {
  const now = books.clock.now()
  const after = (milliseconds: number) => new Date(now + milliseconds).toISOString()
  const bounds = {
    now: after(0),
    since: after(-dayMs),
    handler_lease: after(limits.handlerLeaseMs),
    settle_lease: after(limits.settleLeaseMs),
    balance: limits.balance.toString(),
    balance_block: limits.balanceBlock.toString(),
    in_flight: limits.maxInFlight,
    failures: limits.settleFirstAfter,
    attempts: maxAttempts,
    new_payer_calls: limits.credit.newPayerCalls,
    new_payer_amount: limits.credit.newPayerAmount.toString(),
    max_unsettled: limits.credit.maxUnsettled.toString(),
    new_payer_first: limits.newPayerFirst,
    minute_ago: after(-minuteMs),
  }
  return claimTogether(books.queries, { payment, limits: bounds })
}

interface ClaimRequest {
  readonly payment: Claim
  readonly limits: object
}

const claimTogether = grouped<ClaimRequest, ClaimResult>({
  keyOf: ({ payment }) => payment.id,
  sizeOf: () => 2_000,
  async run(queries, requests) {
    // Payers are locked one after the other, in the same order everywhere, so two gateways cannot deadlock.
    const ordered = requests
      .map((one, index) => ({ ...one, index }))
      .toSorted((a, b) => (a.payment.payer < b.payment.payer ? -1 : 1))
    const wanted = ordered.map(({ payment, limits }) => ({ wanted: rowJson(payment), limits }))
    const { rows } = await sql<Row & { n: number }>`
      select n::integer, verdict, other, attempt, timing from claim_payments(${JSON.stringify(wanted)}::jsonb)
    `.execute(queries)
    const results: ClaimResult[] = []
    for (const row of rows) {
      const request = ordered[row.n - 1]
      if (request) results[request.index] = resultOf(row, request.payment.id)
    }
    return results
  },
})

function resultOf(row: Row, id: string): ClaimResult {
  switch (row.verdict) {
    case 'claimed':
      return { kind: 'claimed', held: { id, attempt: row.attempt }, timing: row.timing }
    case 'bought':
      return { kind: 'bought', id: row.other }
    default:
      return { kind: row.verdict }
  }
}

type Row =
  | { verdict: 'claimed'; other: string; attempt: number; timing: PaymentRow['timing'] }
  | { verdict: 'bought'; other: string }
  | { verdict: 'taken' | 'busy' | 'moving' | 'overdrawn' | 'distrusted' | 'uncredited' | 'waiting' }
