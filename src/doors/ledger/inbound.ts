import { sql } from 'kysely'
import type { Books } from '../../platform/store/books.ts'
import type { PaymentRow, ReconciledRow, UnmatchedTransferRow } from '../../platform/store/schema.ts'

/** What the books hold against the transfers that the chain shows: payments by block, and strangers. */

/** The account whose receipts are compared; lower-case hex. */
export type ReceivingAccount = Pick<ReconciledRow, 'chainId' | 'asset' | 'payTo'>

export type BookedPayment = Pick<PaymentRow, 'id' | 'payer' | 'amount' | 'transaction' | 'nonce'>

/** Payments whose money was taken in a range of blocks, both ends included. */
export async function paymentsBetween(
  { queries }: Books,
  till: ReceivingAccount,
  from: bigint,
  to: bigint,
): Promise<BookedPayment[]> {
  return queries
    .selectFrom('payments')
    .select(['id', 'payer', 'amount', 'transaction', 'nonce'])
    .where('blockNumber', '>=', from)
    .where('blockNumber', '<=', to)
    .where('chainId', '=', till.chainId)
    .where('asset', '=', till.asset)
    .where('payTo', '=', till.payTo)
    .execute()
}

/** Notes transfers that no payment accounts for; one that is known already stays as it is. */
export async function recordUnmatchedTransfers(
  { queries }: Books,
  strangers: readonly UnmatchedTransferRow[],
): Promise<void> {
  if (strangers.length === 0) return
  await queries
    .insertInto('strangers')
    .values([...strangers])
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Lets a payment that was given up go without the name it was bought under, where another payment of the
 * payer has bought under that name meanwhile: its money may come all the same, and a name is for one.
 */
export async function yieldPurchase({ queries }: Books, id: string): Promise<void> {
  await queries
    .updateTable('payments')
    .set({ idempotencyKey: null })
    .where('id', '=', id)
    .where('state', 'in', ['released', 'failed'])
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('payments as other')
          .select('other.id')
          .whereRef('other.payer', '=', 'payments.payer')
          .whereRef('other.idempotencyKey', '=', 'payments.idempotencyKey')
          .whereRef('other.id', '<>', 'payments.id')
          .where('other.state', 'not in', ['released', 'failed']),
      ),
    )
    .execute()
}

/** Up to which block this till was compared; undefined before the first time. */
export async function reconciledTo({ queries }: Books, till: ReceivingAccount): Promise<bigint | undefined> {
  const row = await queries
    .selectFrom('reconciled')
    .select('blockNumber')
    .where('chainId', '=', till.chainId)
    .where('asset', '=', till.asset)
    .where('payTo', '=', till.payTo)
    .executeTakeFirst()
  return row?.blockNumber
}

/**
 * The block after which what came in to this till is its own to account for. A gateway may have sold
 * something before it came to compare the books for the first time, and that is its own as well.
 */
export async function openedAfter({ queries }: Books, till: ReceivingAccount): Promise<bigint | undefined> {
  const row = await queries
    .selectFrom('reconciled')
    .select(
      sql<bigint>`least(opened_block, (
        select min(payments.block_number) - 1 from payments
        where payments.chain_id = reconciled.chain_id and payments.asset = reconciled.asset
          and payments.pay_to = reconciled.pay_to
      ))`.as('openedBlock'),
    )
    .where('chainId', '=', till.chainId)
    .where('asset', '=', till.asset)
    .where('payTo', '=', till.payTo)
    .executeTakeFirst()
  return row?.openedBlock
}

/** Moves the mark on, never back: of two replicas that compare at once the further one counts. */
export async function markReconciled(
  { queries, clock }: Books,
  till: ReceivingAccount,
  block: bigint,
): Promise<void> {
  const updatedAt = new Date(clock.now())
  await queries
    .insertInto('reconciled')
    .values({ ...till, openedBlock: block, blockNumber: block, updatedAt })
    .onConflict((conflict) =>
      conflict
        .columns(['chainId', 'asset', 'payTo'])
        .doUpdateSet({ blockNumber: block, updatedAt })
        .where('reconciled.blockNumber', '<', block),
    )
    .execute()
}
