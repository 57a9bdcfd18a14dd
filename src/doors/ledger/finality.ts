import { type SqlBool, sql } from 'kysely'
import type { Books } from '../../platform/store/books.ts'
import type { PaymentRow } from '../../platform/store/rows/payments.ts'
import { type MinedTransfer, move } from './payments.ts'

/**
 * The blocks that hold our payments. Until a block is final the chain may drop it, and the transfers with it.
 */

export interface Block {
  readonly number: bigint
  readonly hash: string
}

/** Selects blocks of one network; other networks have blocks with the same numbers. */
export interface BlockQuery {
  readonly chainId: number
  /** Only blocks with a higher number than this one. */
  readonly after: Block
  /** The finalized block of the last check: a `paid` payment in it or before it needs no further check. */
  readonly finalTo: bigint
  readonly limit: number
}

/** Lists the blocks that hold payments which are not final, the oldest first. */
export async function openBlocks(
  { queries }: Books,
  { chainId, after, finalTo, limit }: BlockQuery,
): Promise<Block[]> {
  const rows = await queries
    .selectFrom('payments')
    .select(['blockNumber', 'blockHash'])
    .distinct()
    .where('chainId', '=', chainId)
    .where('state', 'in', ['paid', 'settled'])
    .where((row) =>
      row.or([
        row('state', '=', 'settled'),
        row.and([row('state', '=', 'paid'), row('blockNumber', '>', finalTo)]),
      ]),
    )
    .where(sql<SqlBool>`(block_number, block_hash) > (${after.number}::int8, ${after.hash})`)
    .orderBy('blockNumber')
    .orderBy('blockHash')
    .limit(limit)
    .execute()
  return rows.flatMap(({ blockNumber: number, blockHash: hash }) =>
    number === null || hash === null ? [] : [{ number, hash }],
  )
}

/**
 * Marks the payments that were settled in these finalized blocks as final.
 * @returns the number of payments.
 */
export async function markFinal({ queries, clock }: Books, blocks: readonly Block[]): Promise<number> {
  const hashes = blocks.map(({ hash }) => hash)
  const numbers = blocks.map(({ number }) => number)
  if (blocks.length === 0) return 0
  const [result] = await queries
    .updateTable('payments')
    .set({ state: 'final', updatedAt: new Date(clock.now()) })
    .where('state', '=', 'settled')
    .where('blockNumber', 'in', numbers)
    .where('blockHash', 'in', hashes)
    .execute()
  return Number(result?.numUpdatedRows ?? 0n)
}

/**
 * Reopens the payments of a block that the chain has dropped. They are due immediately. From now on `timing`
 * says whether the work is still owed: a served payment only needs its transfer again; any other payment is
 * served once its transfer is in a block again.
 * @returns the ids of the payments.
 */
export async function reopenPayments({ queries, clock }: Books, block: Block): Promise<string[]> {
  const now = new Date(clock.now())
  const rows = await queries
    .updateTable('payments')
    .set((row) => ({
      state: 'settling' as const,
      timing: sql<'after' | 'before'>`case state when 'paid' then 'before' else 'after' end`,
      blockNumber: null,
      blockHash: null,
      attempt: row('attempt', '+', 1),
      tries: 0,
      leaseUntil: new Date(now.getTime() - 1),
      updatedAt: now,
    }))
    .where('state', 'in', ['paid', 'settled'])
    .where('blockNumber', '=', block.number)
    .where('blockHash', '=', block.hash)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Finds settled payments without a block, as an older version wrote them. */
export async function settledWithoutBlock(
  { queries }: Books,
  chainId: number,
  limit: number,
): Promise<PaymentRow[]> {
  return queries
    .selectFrom('payments')
    .selectAll()
    .where('chainId', '=', chainId)
    .where('state', 'in', ['paid', 'settled'])
    .where('blockNumber', 'is', null)
    .limit(limit)
    .execute()
}

/** Records the block of a settled payment's transfer, when it was unknown or has changed. */
export async function recordInclusion(
  books: Books,
  row: PaymentRow,
  { transaction, block, at }: MinedTransfer,
): Promise<boolean> {
  return move(books, row, ['paid', 'settled', 'refunding'], {
    transaction,
    blockNumber: block.number,
    blockHash: block.hash,
    settledAt: sql<Date>`coalesce(settled_at, ${at}::timestamptz)`,
  })
}
