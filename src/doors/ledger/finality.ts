import { type SqlBool, sql } from 'kysely'
import type { Books } from '../../platform/store/books.ts'
import type { PaymentRow } from '../../platform/store/schema.ts'
import { type Mined, move } from './payments.ts'

/** Which payments rest on which blocks. Until a block is final the chain may drop it, and the money with it. */

export interface Block {
  readonly number: bigint
  readonly hash: string
}

/** Which blocks to look at; those of one network, for others have blocks of the same numbers. */
export interface Looking {
  readonly chainId: number
  /** Those behind this one, in the order of their numbers. */
  readonly after: Block
  /** Up to here a payment that is paid and not served yet was found final: nothing more happens to it by itself. */
  readonly finalTo: bigint
  readonly limit: number
}

/** The blocks that bear payments which are not final yet, oldest first. */
export async function openBlocks(
  { queries }: Books,
  { chainId, after, finalTo, limit }: Looking,
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

/** What was settled in these blocks can be taken back by nobody any more. @returns how many payments. */
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
 * The chain has dropped a block: what it bore is open again, and due at once. The timing says from now on
 * whether the work is still owed: of what was served the money is due, whenever it was first taken, and
 * what was not is served when its money is back.
 * @returns the payments concerned.
 */
export async function reopen({ queries, clock }: Books, block: Block): Promise<string[]> {
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

/** Settled payments of which the books do not know the block, as an older version wrote them. */
export async function settledNowhere(
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

/** Notes where the chain shows the transfer of a payment that was settled: its block was not known, or is another one now. */
export async function locate(
  books: Books,
  row: PaymentRow,
  { transaction, block, at }: Mined,
): Promise<boolean> {
  return move(books, row, ['paid', 'settled', 'refunding'], {
    transaction,
    blockNumber: block.number,
    blockHash: block.hash,
    settledAt: sql<Date>`coalesce(settled_at, ${at}::timestamptz)`,
  })
}
