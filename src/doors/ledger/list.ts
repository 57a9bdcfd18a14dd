import { sql } from 'kysely'
import type { Books } from '../../platform/store/books.ts'
import { isBehind, microsecondTime, type Page, type Position, pageOf } from '../../platform/store/page.ts'
import type { PaymentRow, PaymentState } from '../../platform/store/rows/payments.ts'

/**
 * A payment as lists show it. Its signature, which could still move money, and its reply stay in the store: a
 * reader of a list needs neither, and a page of replies could be a gigabyte.
 */
export type ListedPayment = Pick<PaymentRow, (typeof listedColumns)[number]> & {
  /** Size of the stored reply in bytes; null when none is stored. */
  readonly replyBytes: number | null
  readonly position: string
}

const listedColumns = [
  'id',
  'chainId',
  'asset',
  'payer',
  'nonce',
  'payTo',
  'amount',
  'scheme',
  'authorized',
  'facilitator',
  'validAfter',
  'validBefore',
  'version',
  'operation',
  'requestHash',
  'timing',
  'idempotencyKey',
  'state',
  'attempt',
  'leaseUntil',
  'tries',
  'transaction',
  'blockNumber',
  'blockHash',
  'settledAt',
  'failure',
  'replyStatus',
  'refundFrom',
  'refundUntil',
  'refundTransaction',
  'refundAmount',
  'refundReason',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof PaymentRow)[]

/** A period of time that includes `since` and excludes `until`. */
export interface Period {
  readonly since?: Date | undefined
  readonly until?: Date | undefined
}

export interface PaymentFilter extends Period {
  readonly state?: PaymentState | undefined
  readonly operation?: string | undefined
  /** Lower-case hex. */
  readonly payer?: string | undefined
  /** Undefined for the payments of all networks. */
  readonly chainId?: number | undefined
}

/** Lists one page of the payments that were created in a period. */
export async function listPayments(
  { queries }: Pick<Books, 'queries'>,
  filter: PaymentFilter,
  order: 'newest first' | 'oldest first',
  after: Position | undefined,
  limit: number,
): Promise<Page<ListedPayment, Position>> {
  const { state, operation, payer, chainId, since, until } = filter
  const direction = order === 'newest first' ? 'desc' : 'asc'
  let query = select(queries).orderBy('createdAt', direction).orderBy('id', direction)
  if (state) query = query.where('state', '=', state)
  if (operation) query = query.where('operation', '=', operation)
  if (chainId !== undefined) query = query.where('chainId', '=', chainId)
  if (payer) query = query.where('payer', '=', payer)
  if (since) query = query.where('createdAt', '>=', since)
  if (until) query = query.where('createdAt', '<', until)
  if (after) query = query.where(isBehind(['createdAt', 'id'], order, after))
  return pageOf(await query.limit(limit + 1).execute(), limit, ({ position, id }): Position => [position, id])
}

/** Finds one payment as lists show it; undefined when there is none with this id. */
export async function showPayment(
  { queries }: Pick<Books, 'queries'>,
  id: string,
): Promise<ListedPayment | undefined> {
  return select(queries).where('id', '=', id).executeTakeFirst()
}

/** What the payer has signed, to compare it with what a caller sends. */
export type SignedPayment = ListedPayment & Pick<PaymentRow, 'signature' | 'permit'>

/** The same with what was signed. */
export async function showSigned(
  { queries }: Pick<Books, 'queries'>,
  id: string,
): Promise<SignedPayment | undefined> {
  return select(queries).select(['signature', 'permit']).where('id', '=', id).executeTakeFirst()
}

function select(queries: Books['queries']) {
  return queries
    .selectFrom('payments')
    .select(listedColumns)
    .select(sql<number | null>`octet_length(reply_body)`.as('replyBytes'))
    .select(microsecondTime('createdAt').as('position'))
}
