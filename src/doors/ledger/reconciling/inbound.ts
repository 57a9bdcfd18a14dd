import { sql } from 'kysely'
import type { Books } from '../../../platform/store/books.ts'
import type { PaymentRow } from '../../../platform/store/rows/payments.ts'
import type { UnmatchedTransferRow } from '../../../platform/store/rows/settlement.ts'
import { isAccount, type ReceivingAccount } from '../receiving-accounts.ts'

/**
 * What the reconciliation reads and writes: payments by block, unmatched transfers, and how far it has
 * compared.
 */

export type BookedPayment = Pick<PaymentRow, 'id' | 'payer' | 'amount' | 'transaction' | 'nonce'>

/** Finds payments whose transfers lie in a range of blocks, both ends included. */
export async function paymentsBetween(
  { queries }: Books,
  account: ReceivingAccount,
  from: bigint,
  to: bigint,
): Promise<BookedPayment[]> {
  return queries
    .selectFrom('payments')
    .select(['id', 'payer', 'amount', 'transaction', 'nonce'])
    .where('blockNumber', '>=', from)
    .where('blockNumber', '<=', to)
    .where(isAccount(account))
    .execute()
}

/** An unmatched transfer that nothing has become of yet. */
export type NewUnmatchedTransfer = Omit<UnmatchedTransferRow, 'paymentId' | 'dismissedAt' | 'dismissal'>

/** Records transfers that belong to no payment. A transfer that is recorded already stays unchanged. */
export async function recordUnmatchedTransfers(
  { queries }: Books,
  transfers: readonly NewUnmatchedTransfer[],
): Promise<void> {
  if (transfers.length === 0) return
  await queries
    .insertInto('strangers')
    .values([...transfers])
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Removes the idempotency key from a released or failed payment, if another payment of the payer has bought
 * under that key since. The money of the first payment may still arrive, and a key stands for one purchase.
 */
export async function freeIdempotencyKey({ queries }: Books, id: string): Promise<void> {
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
          .whereRef('other.chainId', '=', 'payments.chainId')
          .whereRef('other.idempotencyKey', '=', 'payments.idempotencyKey')
          .whereRef('other.id', '<>', 'payments.id')
          .where('other.state', 'not in', ['released', 'failed']),
      ),
    )
    .execute()
}

/** The last block up to which this account was compared; undefined before the first comparison. */
export async function reconciledTo(
  { queries }: Books,
  account: ReceivingAccount,
): Promise<bigint | undefined> {
  const row = await queries
    .selectFrom('reconciled')
    .select('blockNumber')
    .where(isAccount(account))
    .executeTakeFirst()
  return row?.blockNumber
}

/**
 * The block after which transfers to this account belong to these books. A gateway may have sold something
 * before the first comparison, so the block of its first payment counts too.
 */
export async function openingBlock(
  { queries }: Books,
  account: ReceivingAccount,
): Promise<bigint | undefined> {
  const row = await queries
    .selectFrom('reconciled')
    .select(
      sql<bigint>`least(opened_block, (
        select min(payments.block_number) - 1 from payments
        where payments.chain_id = reconciled.chain_id and payments.asset = reconciled.asset
          and payments.pay_to = reconciled.pay_to
      ))`.as('openedBlock'),
    )
    .where(isAccount(account))
    .executeTakeFirst()
  return row?.openedBlock
}

/**
 * Records how far the account was compared. The mark only moves forward, also when two replicas compare at
 * once.
 */
export async function markReconciled(
  { queries, clock }: Books,
  account: ReceivingAccount,
  block: bigint,
): Promise<void> {
  const updatedAt = new Date(clock.now())
  await queries
    .insertInto('reconciled')
    .values({ ...account, openedBlock: block, blockNumber: block, updatedAt })
    .onConflict((conflict) =>
      conflict
        .columns(['chainId', 'asset', 'payTo'])
        .doUpdateSet({ blockNumber: block, updatedAt })
        .where('reconciled.blockNumber', '<', block),
    )
    .execute()
}
