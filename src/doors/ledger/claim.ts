import { sql } from 'kysely'
import type { Books } from '../../platform/store/books.ts'
import { grouped } from '../../platform/store/group.ts'
import { rowJson } from '../../platform/store/row-json.ts'
import type { PaymentRow } from '../../platform/store/schema.ts'
import type { Held } from './payments.ts'

/** What identifies a payment and what it pays for; addresses and hashes in lower-case hex. */
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

/** How far a payer is trusted. */
export interface Limits {
  /** What the payer holds, in atomic units, as of the end of block `balanceBlock`. */
  readonly balance: bigint
  readonly balanceBlock: bigint
  /** Most payments of one payer that may be open at once. */
  readonly maxInFlight: number
  /** After so many failed settlements within a day, a payer's money moves before the work. */
  readonly settleFirstAfter: number
  readonly handlerLeaseMs: number
  readonly settleLeaseMs: number
}

export type Claimed =
  | { readonly kind: 'claimed'; readonly held: Held; readonly timing: PaymentRow['timing'] }
  /** This very payment is in the books already, and not free. */
  | { readonly kind: 'taken' }
  /** Another payment of this payer has bought, or is buying, under the same idempotency key. */
  | { readonly kind: 'bought'; readonly id: string }
  /** The payer has as many payments open as one may have. */
  | { readonly kind: 'busy' }
  /** The payer's other payments need the balance; some of them may be gone from it already. */
  | { readonly kind: 'moving' }
  | { readonly kind: 'overdrawn' }
  /** Of scheme `upto`, from a payer whose money has to move first: this cannot, so it was not claimed. */
  | { readonly kind: 'distrusted' }

const day = 86_400_000
/** A payer whose runs of one payment keep coming to nothing pays before the next one. */
const maxAttempts = 3

/**
 * Claims the payer's authorization for this call. A signature stays valid until it is settled, so
 * without the claim the same payment could run the handler many times at once and pay once; and
 * without looking at the payer's other payments in the same breath, one balance could pay for many.
 * One statement decides (`store/migrations/claim-function.ts`): of any number of copies exactly one is
 * `claimed`, and never more than the balance covers. A payment that was released or failed, or whose
 * worker died before it served anything, may be claimed again, on the terms that are signed this time.
 */
export function claim(books: Books, payment: Claim, limits: Limits): Promise<Claimed> {
  const now = books.clock.now()
  const after = (milliseconds: number) => new Date(now + milliseconds).toISOString()
  const bounds = {
    now: after(0),
    since: after(-day),
    handler_lease: after(limits.handlerLeaseMs),
    settle_lease: after(limits.settleLeaseMs),
    balance: limits.balance.toString(),
    balance_block: limits.balanceBlock.toString(),
    in_flight: limits.maxInFlight,
    failures: limits.settleFirstAfter,
    attempts: maxAttempts,
  }
  return claimTogether(books.queries, { payment, limits: bounds })
}

interface Asked {
  readonly payment: Claim
  readonly limits: object
}

const claimTogether = grouped<Asked, Claimed>({
  keyOf: ({ payment }) => payment.id,
  sizeOf: () => 2_000,
  async run(queries, asked) {
    // Payers are locked one after the other, in one order everywhere: two gateways never wait for each other.
    const ordered = asked
      .map((one, index) => ({ ...one, index }))
      .toSorted((a, b) => (a.payment.payer < b.payment.payer ? -1 : 1))
    const wanted = ordered.map(({ payment, limits }) => ({ wanted: rowJson(payment), limits }))
    const { rows } = await sql<Row & { n: number }>`
      select n::integer, verdict, other, attempt, timing
      from jsonb_array_elements(${JSON.stringify(wanted)}::jsonb)
          with ordinality as asked(claim, n),
        claim_payment(jsonb_populate_record(null::payments, claim -> 'wanted'), claim -> 'limits')
    `.execute(queries)
    const answers: Claimed[] = []
    for (const row of rows) {
      const claimed = ordered[row.n - 1]
      if (claimed) answers[claimed.index] = answerOf(row, claimed.payment.id)
    }
    return answers
  },
})

function answerOf(row: Row, id: string): Claimed {
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
  | { verdict: 'taken' | 'busy' | 'moving' | 'overdrawn' | 'distrusted' }
