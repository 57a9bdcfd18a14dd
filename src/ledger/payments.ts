import type { Updateable } from 'kysely'
import type { Reply } from '../core/call.ts'
import type { Clock } from '../core/clock.ts'
import type { Queries } from '../store/database.ts'
import type { PaymentRow, PaymentState, Tables } from '../store/schema.ts'

/**
 * The life of a payment in the books. Each move is one statement that names the state and the attempt
 * it starts from, so of two workers that both believe they hold a payment only one can move it, and a
 * worker that comes back late changes nothing.
 *
 *     claimed ──► served ──► settled          (a broadcast whose outcome is unknown waits in settling)
 *        │           └─────► failed           the chain refused, no money moved
 *        └──► released ──► claimed …          the handler failed, the signature may be used again
 */
export interface Books {
  readonly queries: Queries
  readonly clock: Clock
}

/** What identifies a payment and what it pays for; addresses and hashes in lower-case hex. */
export type Claim = Pick<
  PaymentRow,
  | 'id'
  | 'chain_id'
  | 'asset'
  | 'payer'
  | 'nonce'
  | 'pay_to'
  | 'amount'
  | 'valid_after'
  | 'valid_before'
  | 'signature'
  | 'version'
  | 'operation'
  | 'request_hash'
>

/** A payment this worker may move, until its lease runs out. */
export interface Held {
  readonly id: string
  readonly attempt: number
}

/**
 * Claims the payer's authorization for this call. A signature stays valid until it is settled, so
 * without the claim the same payment could run the handler many times at once and pay once. One
 * statement decides: of any number of copies exactly one gets a row back. A payment that was released,
 * or whose worker died before it served anything, may be claimed again, on the terms that are signed
 * this time: a payer may sign another amount under the same nonce.
 */
export async function claim(books: Books, payment: Claim, leaseMs: number): Promise<Held | undefined> {
  const now = new Date(books.clock.now())
  const lease_until = new Date(now.getTime() + leaseMs)
  return books.queries
    .insertInto('payments')
    .values({ ...payment, state: 'claimed', attempt: 1, lease_until, created_at: now, updated_at: now })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((row) => ({
          ...payment,
          state: 'claimed',
          attempt: row('payments.attempt', '+', 1),
          lease_until,
          updated_at: now,
        }))
        .where((row) =>
          row.or([
            row('payments.state', '=', 'released'),
            row.and([row('payments.state', '=', 'claimed'), row('payments.lease_until', '<', now)]),
          ]),
        ),
    )
    .returning(['id', 'attempt'])
    .executeTakeFirst()
}

/**
 * Writes down the reply and with it the intent to take the money, before anything is broadcast: from
 * here on a crash cannot lose the reply, and a lost reply cannot cost the payer a second payment.
 * @returns false when the claim was taken over meanwhile; then nothing may be settled.
 */
export async function markServed(books: Books, held: Held, reply: Reply, leaseMs: number): Promise<boolean> {
  return move(books, held, ['claimed'], {
    state: 'served',
    reply_status: reply.status,
    reply_headers: JSON.stringify(reply.headers),
    reply_body: reply.body,
    lease_until: new Date(books.clock.now() + leaseMs),
  })
}

/** The money has moved in `transaction`. */
export async function markSettled(books: Books, held: Held, transaction: string): Promise<boolean> {
  return move(books, held, ['served', 'settling'], { state: 'settled', transaction, failure: null })
}

/** A broadcast may or may not take the money: only the chain can tell, and it will be asked again at `leaseMs`. */
export async function markSettling(
  books: Books,
  held: Held,
  transaction: string | undefined,
  leaseMs: number,
): Promise<boolean> {
  return move(books, held, ['served', 'settling'], {
    state: 'settling',
    ...(transaction ? { transaction } : {}),
    lease_until: new Date(books.clock.now() + leaseMs),
  })
}

/** The money can no longer move; the reply that waited for it is dropped. */
export async function markFailed(books: Books, held: Held, failure: string): Promise<boolean> {
  return move(books, held, ['served', 'settling'], {
    state: 'failed',
    failure,
    reply_status: null,
    reply_headers: null,
    reply_body: null,
  })
}

/** Nothing was served, so nothing may be charged; the same signature may be used again. */
export async function release(books: Books, held: Held): Promise<boolean> {
  return move(books, held, ['claimed'], { state: 'released' })
}

async function move(
  books: Books,
  held: Held,
  from: readonly PaymentState[],
  change: Updateable<Tables['payments']>,
): Promise<boolean> {
  const moved = await books.queries
    .updateTable('payments')
    .set({ ...change, updated_at: new Date(books.clock.now()) })
    .where('id', '=', held.id)
    .where('attempt', '=', held.attempt)
    .where('state', 'in', from)
    .returning('id')
    .executeTakeFirst()
  return moved !== undefined
}

/** The payment with this id, whoever holds it. */
export async function findPayment(books: Books, id: string): Promise<PaymentRow | undefined> {
  return books.queries.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst()
}

/**
 * Takes over a payment that was served but whose worker is gone or did not learn the outcome.
 * @returns undefined when somebody holds it, or there is nothing left to finish.
 */
export async function takeOver(books: Books, id: string, leaseMs: number): Promise<PaymentRow | undefined> {
  const now = new Date(books.clock.now())
  return books.queries
    .updateTable('payments')
    .set((row) => ({
      attempt: row('attempt', '+', 1),
      lease_until: new Date(now.getTime() + leaseMs),
      updated_at: now,
    }))
    .where('id', '=', id)
    .where('state', 'in', ['served', 'settling'])
    .where('lease_until', '<', now)
    .returningAll()
    .executeTakeFirst()
}

/** Ids of payments that were served and still wait for their outcome with nobody at work on them, oldest first. */
export async function unfinishedPayments(books: Books, limit: number): Promise<string[]> {
  const rows = await books.queries
    .selectFrom('payments')
    .select('id')
    .where('state', 'in', ['served', 'settling'])
    .where('lease_until', '<', new Date(books.clock.now()))
    .orderBy('lease_until')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}
