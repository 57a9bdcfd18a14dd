import { sql, type UpdateObject } from 'kysely'
import type { Reply } from '../../core/reply.ts'
import type { Books } from '../../platform/store/books.ts'
import { grouped } from '../../platform/store/group.ts'
import type { PaymentRow, PaymentState, Tables } from '../../platform/store/schema.ts'
import { type Kept, keptOf, nothing } from './kept.ts'

/**
 * The life of a payment in the books. Each move is one statement that names the state and the attempt
 * it starts from, so of two workers that both believe they hold a payment only one can move it, and a
 * worker that comes back late changes nothing.
 *
 *     claimed ──► served ──► settled ──► final     the money moves after the work
 *     settling ──► paid ──► settled ──► final      the money moves before it
 *
 * A broadcast whose outcome is unknown waits in `settling`. `released` and `failed` may be claimed
 * again; should their money arrive after all, they are `paid`. What was paid may be refunded.
 */

/** A payment this worker may move, until its lease runs out. */
export interface Held {
  readonly id: string
  readonly attempt: number
}

/** Where the chain shows a transfer. */
export interface Mined {
  readonly transaction: string
  readonly block: { readonly number: bigint; readonly hash: string }
  /** When we learnt of it; a signed receipt says so, and the first time told stays. */
  readonly at: Date
}

/**
 * Writes down the reply and with it the intent to take the money, before anything is broadcast: from
 * here on a crash cannot lose the reply, and a lost reply cannot cost the payer a second payment.
 * @param reply undefined while it has not reached the payer and cannot be kept: then the payer is owed it once
 *   the money is here. @param amount what is taken, in atomic units, where it is less than was claimed.
 * @returns false when the claim was taken over meanwhile; then nothing may be settled.
 */
export function markServed(
  books: Books,
  held: Held,
  reply: Reply | undefined,
  leaseMs: number,
  amount?: bigint,
): Promise<boolean> {
  const now = books.clock.now()
  return serveTogether(books.queries, {
    ...held,
    kept: keptOf(reply) ?? nothing,
    amount: amount ?? null,
    leaseUntil: new Date(now + leaseMs),
    now: new Date(now),
  })
}

interface Served extends Held {
  readonly kept: Kept
  readonly amount: bigint | null
  readonly leaseUntil: Date
  readonly now: Date
}

const serveTogether = grouped<Served, boolean>({
  keyOf: ({ id }) => id,
  sizeOf: ({ kept }) => 1_000 + (kept.replyBody?.byteLength ?? 0),
  async run(queries, served) {
    const rows = served.map(
      ({ id, attempt, kept, amount, leaseUntil, now }) =>
        sql`(${id}::text, ${attempt}::integer, ${kept.replyStatus}::integer, ${kept.replyHeaders}::jsonb,
        ${kept.replyBody}::bytea, ${amount}::int8, ${leaseUntil}::timestamptz, ${now}::timestamptz)`,
    )
    const moved = await sql<{ id: string }>`
      update payments set state = 'served', reply_status = made.status, reply_headers = made.headers,
        reply_body = made.body, amount = coalesce(made.amount, payments.amount), lease_until = made.lease_until,
        updated_at = made.now
      from (values ${sql.join(rows)}) as made(id, attempt, status, headers, body, amount, lease_until, now)
      where payments.id = made.id and payments.attempt = made.attempt and payments.state = 'claimed'
      returning payments.id
    `.execute(queries)
    return whichOf(served, moved.rows)
  },
})

/** The money for a reply that was written down has moved. */
export function markSettled(books: Books, held: Held, mined: Mined): Promise<boolean> {
  return settleTogether(books.queries, { ...held, ...mined, now: new Date(books.clock.now()) })
}

const settleTogether = grouped<Held & Mined & { readonly now: Date }, boolean>({
  keyOf: ({ id }) => id,
  sizeOf: () => 500,
  async run(queries, settled) {
    const rows = settled.map(
      ({ id, attempt, transaction, block, at, now }) =>
        sql`(${id}::text, ${attempt}::integer, ${transaction}::text, ${block.number}::int8, ${block.hash}::text,
          ${at}::timestamptz, ${now}::timestamptz)`,
    )
    const moved = await sql<{ id: string }>`
      update payments set state = 'settled', transaction = made.transaction, failure = null,
        block_number = made.number, block_hash = made.hash,
        settled_at = coalesce(payments.settled_at, made.at), updated_at = made.now
      from (values ${sql.join(rows)}) as made(id, attempt, transaction, number, hash, at, now)
      where payments.id = made.id and payments.attempt = made.attempt
        and payments.state in ('served', 'settling')
      returning payments.id
    `.execute(queries)
    return whichOf(settled, moved.rows)
  },
})

/** Of those that were to be moved, which were. */
function whichOf(asked: readonly Held[], moved: readonly { readonly id: string }[]): boolean[] {
  const ids = new Set(moved.map(({ id }) => id))
  return asked.map(({ id }) => ids.has(id))
}

/**
 * The money has moved, and the payer has nothing for it yet: nothing was served, or what was served is
 * lost. Whoever holds the payment serves it until the lease ends.
 */
export async function markPaid(books: Books, held: Held, mined: Mined, leaseMs: number): Promise<boolean> {
  return move(books, held, ['served', 'settling'], {
    state: 'paid',
    ...takenAt(mined),
    leaseUntil: new Date(books.clock.now() + leaseMs),
  })
}

/** What was paid before is served now. */
export async function markSold(books: Books, held: Held, reply: Reply): Promise<boolean> {
  return move(books, held, ['paid'], { state: 'settled', ...keptOf(reply) })
}

/**
 * A broadcast may or may not take the money: only the chain can tell. It is asked again after a while,
 * and less and less often, for nobody knows how long the chain may take.
 */
export async function markSettling(
  books: Books,
  held: Held,
  transaction: string | undefined,
): Promise<boolean> {
  return move(books, held, ['served', 'settling'], {
    state: 'settling',
    ...(transaction ? { transaction } : {}),
    ...rest(books),
  })
}

/** Nobody looks at it for five seconds, then ten, twenty, up to a minute. */
export function rest({ clock }: Books) {
  const now = new Date(clock.now())
  return {
    tries: sql<number>`tries + 1`,
    leaseUntil: sql<Date>`${now}::timestamptz + least(interval '5 seconds' * power(2, least(tries, 10)), interval '1 minute')`,
  }
}

/** The chain refuses to move the money; the reply that waited for it is dropped. */
export async function markFailed(books: Books, held: Held, failure: string): Promise<boolean> {
  return move(books, held, ['served', 'settling'], {
    state: 'failed',
    failure,
    ...nothing,
  })
}

/**
 * Nothing was served. What was not charged may not be, and its signature may be used again; what was
 * charged before is owed, to whoever sends the same payment next.
 * @param failure set when it was the caller who left: work that one payer lets be done for nothing is counted.
 */
export async function release(books: Books, held: Held, failure?: 'caller_left'): Promise<boolean> {
  return move(books, held, ['claimed', 'paid'], {
    ...(failure ? { failure } : {}),
    state: sql`case state when 'claimed' then 'released' else state end`,
    leaseUntil: new Date(books.clock.now() - 1),
  })
}

/**
 * Takes up a payment whose money was taken and that nobody serves.
 * @returns undefined when somebody is at work on it, or there is nothing owed any more.
 */
export async function resume(books: Books, id: string, leaseMs: number): Promise<Held | undefined> {
  const now = books.clock.now()
  return books.queries
    .updateTable('payments')
    .set((row) => ({
      attempt: row('attempt', '+', 1),
      leaseUntil: new Date(now + leaseMs),
      updatedAt: new Date(now),
    }))
    .where('id', '=', id)
    .where('state', '=', 'paid')
    .where('leaseUntil', '<', new Date(now))
    .returning(['id', 'attempt'])
    .executeTakeFirst()
}

/**
 * The chain shows a transfer for a payment that was given up: somebody else has carried the signed
 * authorization out. The money is here, so the payer is owed what it was for.
 */
export async function markArrived(books: Books, id: string, mined: Mined): Promise<boolean> {
  const now = new Date(books.clock.now())
  const moved = await books.queries
    .updateTable('payments')
    .set((row) => ({
      state: 'paid' as const,
      ...takenAt(mined),
      attempt: row('attempt', '+', 1),
      leaseUntil: new Date(now.getTime() - 1),
      updatedAt: now,
    }))
    .where('id', '=', id)
    .where((row) =>
      row.or([
        row('state', 'in', ['released', 'failed']),
        row.and([row('state', '=', 'claimed'), row('leaseUntil', '<', now)]),
      ]),
    )
    .returning('id')
    .executeTakeFirst()
  return moved !== undefined
}

function takenAt({ transaction, block, at }: Mined) {
  return {
    transaction,
    blockNumber: block.number,
    blockHash: block.hash,
    settledAt: sql<Date>`coalesce(settled_at, ${at}::timestamptz)`,
    failure: null,
  }
}

/** Moves a payment on, if it still stands in one of `from` and nobody has taken it over. */
export async function move(
  books: Books,
  held: Held,
  from: readonly PaymentState[],
  change: UpdateObject<Tables, 'payments'>,
): Promise<boolean> {
  const moved = await books.queries
    .updateTable('payments')
    .set({ ...change, updatedAt: new Date(books.clock.now()) })
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

/** What a payer has bought, or is buying, under an idempotency key. */
export async function findPurchase(
  books: Books,
  payer: string,
  key: string,
): Promise<PaymentRow | undefined> {
  return books.queries
    .selectFrom('payments')
    .selectAll()
    .where('payer', '=', payer)
    .where('idempotencyKey', '=', key)
    .where('state', 'not in', ['released', 'failed'])
    .executeTakeFirst()
}
