import type { PaymentRow, ReconciledRow, StrangerRow } from '../store/schema.ts'
import type { Books } from './payments.ts'

/** What the books hold against the transfers that the chain shows: payments by block, and strangers. */

/** The account whose receipts are compared; lower-case hex. */
export type Till = Pick<ReconciledRow, 'chain_id' | 'asset' | 'pay_to'>

export type Taken = Pick<PaymentRow, 'id' | 'payer' | 'amount' | 'transaction' | 'nonce'>

/** Payments whose money was taken in a range of blocks, both ends included. */
export async function takenBetween(
  { queries }: Books,
  till: Till,
  from: bigint,
  to: bigint,
): Promise<Taken[]> {
  return queries
    .selectFrom('payments')
    .select(['id', 'payer', 'amount', 'transaction', 'nonce'])
    .where('block_number', '>=', from)
    .where('block_number', '<=', to)
    .where('chain_id', '=', till.chain_id)
    .where('asset', '=', till.asset)
    .where('pay_to', '=', till.pay_to)
    .execute()
}

/** Notes transfers that no payment accounts for; one that is known already stays as it is. */
export async function noteStrangers({ queries }: Books, strangers: readonly StrangerRow[]): Promise<void> {
  if (strangers.length === 0) return
  await queries
    .insertInto('strangers')
    .values([...strangers])
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Up to which block this till was compared; undefined before the first time. */
export async function reconciledTo({ queries }: Books, till: Till): Promise<bigint | undefined> {
  const row = await queries
    .selectFrom('reconciled')
    .select('block_number')
    .where('chain_id', '=', till.chain_id)
    .where('asset', '=', till.asset)
    .where('pay_to', '=', till.pay_to)
    .executeTakeFirst()
  return row?.block_number
}

/** Moves the mark on, never back: of two replicas that compare at once the further one counts. */
export async function markReconciled({ queries, clock }: Books, till: Till, block: bigint): Promise<void> {
  const updated_at = new Date(clock.now())
  await queries
    .insertInto('reconciled')
    .values({ ...till, block_number: block, updated_at })
    .onConflict((conflict) =>
      conflict
        .columns(['chain_id', 'asset', 'pay_to'])
        .doUpdateSet({ block_number: block, updated_at })
        .where('reconciled.block_number', '<', block),
    )
    .execute()
}
