import { type SqlBool, sql } from 'kysely'
import type { Books } from '../../platform/store/books.ts'
import { cut, exactTime, type Page, type Position } from '../../platform/store/page.ts'
import type { PaymentRow, PaymentState } from '../../platform/store/schema.ts'

/**
 * Payments to be looked at. What could still move money (the signature) and what was sold (the reply)
 * stay in the store: nobody who reads a list needs them, and a page of replies could be a gigabyte.
 */
export type Listed = Pick<PaymentRow, (typeof shown)[number]> & {
  /** Size of the stored reply; null when none is stored. */
  readonly replyBytes: number | null
  readonly position: string
}

const shown = [
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
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof PaymentRow)[]

/** A stretch of time: `since` belongs to it, `until` does not. */
export interface Period {
  readonly since?: Date | undefined
  readonly until?: Date | undefined
}

export interface Filter extends Period {
  readonly state?: PaymentState | undefined
  readonly operation?: string | undefined
  /** Lower-case hex. */
  readonly payer?: string | undefined
}

/**
 * One page of the payments that were created in a period. A page begins behind a row and not after a
 * number of rows, so that rows which are added meanwhile neither repeat nor hide any.
 */
export async function listPayments(
  { queries }: Pick<Books, 'queries'>,
  filter: Filter,
  order: 'newest first' | 'oldest first',
  after: Position | undefined,
  limit: number,
): Promise<Page<Listed, Position>> {
  const { state, operation, payer, since, until } = filter
  const direction = order === 'newest first' ? 'desc' : 'asc'
  let query = select(queries).orderBy('createdAt', direction).orderBy('id', direction)
  if (state) query = query.where('state', '=', state)
  if (operation) query = query.where('operation', '=', operation)
  if (payer) query = query.where('payer', '=', payer)
  if (since) query = query.where('createdAt', '>=', since)
  if (until) query = query.where('createdAt', '<', until)
  if (after) {
    const beyond = sql.raw(order === 'newest first' ? '<' : '>')
    query = query.where(sql<SqlBool>`(created_at, id) ${beyond} (${after[0]}::timestamptz, ${after[1]})`)
  }
  return cut(await query.limit(limit + 1).execute(), limit, ({ position, id }): Position => [position, id])
}

/** One payment, or undefined when there is none with this id. */
export async function showPayment(
  { queries }: Pick<Books, 'queries'>,
  id: string,
): Promise<Listed | undefined> {
  return select(queries).where('id', '=', id).executeTakeFirst()
}

function select(queries: Books['queries']) {
  return queries
    .selectFrom('payments')
    .select(shown)
    .select(sql<number | null>`octet_length(reply_body)`.as('replyBytes'))
    .select(exactTime('createdAt').as('position'))
}
