import { sql } from 'kysely'
import type { Books } from '../../../platform/store/books.ts'
import type { PaymentRow } from '../../../platform/store/rows/payments.ts'
import type { HandoverRow } from '../../../platform/store/rows/settlement.ts'
import type { Held } from '../payments.ts'

/**
 * Payments that wait to be settled by another gateway. The gateway that served a payment keeps holding its row
 * and only borrows the other one's account: so the row moves as if it had settled by itself, and whichever of
 * the two dies, the payment's lease ends and the recovery finishes it.
 */

type Store = Pick<Books, 'queries'>

/** A payment that this gateway settles for another one. */
export interface Handover extends Held {
  /** An earlier transaction for it may be on its way. */
  readonly isAgain: boolean
}

/** What became of it. */
export type HandoverOutcome = Pick<
  HandoverRow,
  'transaction' | 'blockNumber' | 'blockHash' | 'reason' | 'message'
> & { readonly outcome: NonNullable<HandoverRow['outcome']> }

/** Hands a payment over to the gateway that holds an account, in lower-case hex. */
export async function handOver(
  { queries }: Store,
  { id, attempt }: Held,
  { chainId, account, isAgain }: { chainId: number; account: string; isAgain: boolean },
): Promise<void> {
  await queries
    .insertInto('handovers')
    .values({ paymentId: id, attempt, chainId, account, isAgain })
    .onConflict((conflict) => conflict.columns(['paymentId', 'attempt']).doNothing())
    .execute()
}

/**
 * Takes the payments that were handed over to these accounts. A gateway that held an account before may have
 * begun some of them and died.
 */
export async function beginHandovers(
  { queries }: Store,
  { chainId, accounts, gateway }: { chainId: number; accounts: readonly string[]; gateway: string },
): Promise<Handover[]> {
  const { rows } = await sql<Handover>`
    update handovers set begun_by = ${gateway}, tries = tries + 1
    where chain_id = ${chainId} and account = any(${[...accounts]}::text[]) and outcome is null
      and begun_by is distinct from ${gateway}
    returning payment_id as id, attempt, is_again or tries > 1 as is_again
  `.execute(queries)
  return rows
}

/** Reads a payment that is due, as long as the worker that handed it over still holds it. */
export function findDue({ queries }: Store, { id, attempt }: Held): Promise<PaymentRow | undefined> {
  return queries
    .selectFrom('payments')
    .selectAll()
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('state', 'in', ['served', 'settling'])
    .executeTakeFirst()
}

/** Writes the outcome, unless another gateway has taken the account and the payment since. */
export async function concludeHandover(
  { queries }: Store,
  { id, attempt }: Held,
  gateway: string,
  outcome: HandoverOutcome,
): Promise<void> {
  await queries
    .updateTable('handovers')
    .set(outcome)
    .where('paymentId', '=', id)
    .where('attempt', '=', attempt)
    .where('begunBy', '=', gateway)
    .where('outcome', 'is', null)
    .execute()
}

/** Reads the outcomes of those of these payments that have one. */
export async function concludedHandovers(
  { queries }: Store,
  waiting: readonly Held[],
): Promise<(Held & HandoverOutcome)[]> {
  const ids = waiting.map(({ id }) => id)
  const { rows } = await sql<Held & HandoverOutcome>`
    select payment_id as id, attempt, outcome, transaction, block_number, block_hash, reason, message
    from handovers where payment_id = any(${ids}::text[]) and outcome is not null
  `.execute(queries)
  return rows
}

/** Takes a payment back: its outcome was read, or is waited for no longer. */
export async function endHandover({ queries }: Store, { id, attempt }: Held): Promise<void> {
  await queries.deleteFrom('handovers').where('paymentId', '=', id).where('attempt', '=', attempt).execute()
}
