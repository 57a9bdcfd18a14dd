import { sql } from 'kysely'
import type { Books } from '../../platform/store/books.ts'
import type { Queries } from '../../platform/store/database.ts'
import { grouped } from '../../platform/store/group.ts'
import { rowJson } from '../../platform/store/row-json.ts'
import type { PaymentRow } from '../../platform/store/rows/payments.ts'
import type { Held } from './payments.ts'
import { ownFailureMs, runningMs } from './unpaid/released-runs.ts'

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
export interface ClaimLimits extends PayerLimits {
  /** The payer's balance in atomic units, at the end of block `balanceBlock`. */
  readonly balance: bigint
  readonly balanceBlock: bigint
  /** How many failed runs of the payer's making count at a time; without it, failed runs do not count. */
  readonly maxFailedRuns?: number
  readonly handlerLeaseMs: number
  readonly settleLeaseMs: number
}

/** How much one payer may have open at the same time. */
export interface PayerLimits {
  /** The maximum number of open payments of one payer. */
  readonly maxInFlight: number
  /**
   * After so many failed settlements or abandoned runs within a day, the payer's money moves before the work.
   */
  readonly settleFirstAfter: number
  readonly credit: CreditLimits
  /** A payer who has settled nothing here since its last failure pays first. */
  readonly newPayerFirst: boolean
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
  | {
      readonly kind: 'claimed'
      readonly held: Held
      readonly timing: PaymentRow['timing']
      /** Whether the run counts as a failed one from its beginning, because others of the payer have failed. */
      readonly isRunCounted: boolean
    }
  /** Runs of the payer have failed: it may begin another one in `waitMs`. */
  | { readonly kind: 'failing'; readonly waitMs: number }
  | Unclaimed

/** Why a payment cannot be claimed. */
type Unclaimed =
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

/** Whether a payment could be claimed, as far as the books know. */
export type Room =
  /** @property calls how many payments like this one could be. */
  | { readonly kind: 'free'; readonly calls: number }
  /** As many payments of this wallet contract are on their way to the chain as may be. */
  | { readonly kind: 'queued' }
  | Unclaimed

/** What is known of a payment that is not claimed yet. */
export interface Asked extends PayerLimits {
  /** What the payer was seen to hold; undefined when that is not known, and then it does not count. */
  readonly funds: { readonly balance: bigint; readonly block: bigint } | undefined
  /** Whether a wallet contract pays. */
  readonly isContract: boolean
}

const dayMs = 86_400_000
const minuteMs = 60_000
/** After so many runs of one payment that served nothing, the money moves before the next run. */
const maxAttempts = 3

/**
 * Claims the payer's authorization for this call. A signature stays valid until it is settled, so without the
 * claim many copies of one payment could run the handler at the same time and pay once. The same statement
 * looks at the payer's other payments; without that, one balance could promise to pay for many. It also looks
 * at what the payer has settled and left unpaid: beyond its credit the money moves before the work. One statement
 * decides (`store/migrations/doors/claim-function.ts`, called by `0024-claim-runs.ts`): of any number of copies exactly one is `claimed`, and never
 * more than the balance covers. A payment that was released or failed, or whose worker died before it served
 * anything, may be claimed again, on the newly signed terms.
 */
export function claim(books: Books, payment: Claim, limits: ClaimLimits): Promise<ClaimResult> {
  const now = books.clock.now()
  const { maxFailedRuns } = limits
  const lastRunAt = maxFailedRuns === undefined ? undefined : now + (maxFailedRuns - 1) * ownFailureMs
  return claimTogether(books.queries, {
    payment: { ...payment, holder: books.gateway ?? null },
    lastRunAt,
    limits: {
      ...boundsOf(limits, now),
      ...(lastRunAt !== undefined && { last_run: timeOf(lastRunAt), run_ms: runningMs }),
      handler_lease: timeOf(now + limits.handlerLeaseMs),
      settle_lease: timeOf(now + limits.settleLeaseMs),
      balance: limits.balance.toString(),
      balance_block: limits.balanceBlock.toString(),
    },
  })
}

/**
 * Asks whether a payment could be claimed, without claiming it: the same statement decides. What other calls
 * do meanwhile may change the answer, so only a claim lets a call run.
 */
export function askRoom(
  books: Books,
  payment: Claim,
  { funds, isContract, ...limits }: Asked,
): Promise<Room> {
  const seen = funds && { balance: funds.balance.toString(), balance_block: funds.block.toString() }
  const ask = isContract ? 'contract' : 'any'
  return askTogether(books.queries, {
    payment,
    limits: { ...boundsOf(limits, books.clock.now()), ...seen, ask },
  })
}

function boundsOf({ maxInFlight, settleFirstAfter, credit, newPayerFirst }: PayerLimits, now: number) {
  return {
    now: timeOf(now),
    since: timeOf(now - dayMs),
    in_flight: maxInFlight,
    failures: settleFirstAfter,
    attempts: maxAttempts,
    new_payer_calls: credit.newPayerCalls,
    new_payer_amount: credit.newPayerAmount.toString(),
    max_unsettled: credit.maxUnsettled.toString(),
    new_payer_first: newPayerFirst,
    minute_ago: timeOf(now - minuteMs),
  }
}

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString()

interface ClaimRequest {
  readonly payment: Claim & Partial<Pick<PaymentRow, 'holder'>>
  /** Up to when failed runs may count when another one begins, in milliseconds of the clock. */
  readonly lastRunAt?: number | undefined
  readonly limits: object
}

const claimTogether = grouped<ClaimRequest, ClaimResult>({
  keyOf: ({ payment }) => payment.id,
  sizeOf: () => 2_000,
  run: (queries, requests) =>
    decideTogether(queries, requests, (row, { payment: { id }, lastRunAt = 0 }) => {
      switch (row.verdict) {
        case 'claimed': {
          const { attempt, timing, clearAt } = row
          return { kind: 'claimed', held: { id, attempt }, timing, isRunCounted: clearAt !== null }
        }
        case 'failing':
          return { kind: 'failing', waitMs: Math.max(row.clearAt.getTime() - lastRunAt, 1) }
        case 'free':
        case 'queued':
          throw new Error('the store answered a claim as if it was only asked for')
        default:
          return unclaimed(row)
      }
    }),
})

const askTogether = grouped<ClaimRequest, Room>({
  keyOf: ({ payment }) => payment.id,
  sizeOf: () => 2_000,
  run: (queries, requests) =>
    decideTogether(queries, requests, (row) => {
      switch (row.verdict) {
        case 'free':
          return { kind: 'free', calls: row.attempt }
        case 'queued':
          return { kind: 'queued' }
        case 'claimed':
        case 'failing':
          throw new Error('the store claimed a payment that was only asked for')
        default:
          return unclaimed(row)
      }
    }),
})

async function decideTogether<Result>(
  queries: Queries,
  requests: readonly ClaimRequest[],
  read: (row: Row, request: ClaimRequest) => Result,
): Promise<Result[]> {
  // Payers are locked one after the other, in the same order everywhere, so two gateways cannot deadlock.
  const ordered = requests
    .map((one, index) => ({ ...one, index }))
    .toSorted((a, b) => (a.payment.payer < b.payment.payer ? -1 : 1))
  const wanted = ordered.map(({ payment, limits }) => ({ wanted: rowJson(payment), limits }))
  const { rows } = await sql<Row & { n: number }>`
    select n::integer, verdict, other, attempt, timing, clear_at from claim_runs(${JSON.stringify(wanted)}::jsonb)
  `.execute(queries)
  const results: Result[] = []
  for (const row of rows) {
    const request = ordered[row.n - 1]
    if (request) results[request.index] = read(row, request)
  }
  return results
}

function unclaimed(row: Exclude<Row, { verdict: 'claimed' | 'failing' | 'free' | 'queued' }>): Unclaimed {
  return row.verdict === 'bought' ? { kind: 'bought', id: row.other } : { kind: row.verdict }
}

type Row =
  | {
      verdict: 'claimed'
      other: string
      attempt: number
      timing: PaymentRow['timing']
      clearAt: Date | null
    }
  | { verdict: 'failing'; clearAt: Date }
  | { verdict: 'free'; other: null; attempt: number }
  | { verdict: 'queued'; other: null }
  | { verdict: 'bought'; other: string }
  | { verdict: 'taken' | 'busy' | 'moving' | 'overdrawn' | 'distrusted' | 'uncredited' | 'waiting' }
