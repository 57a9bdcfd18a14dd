import { sql } from 'kysely'
import type { Reply } from '../../core/reply.ts'
import type { Books } from '../../platform/store/books.ts'
import { grouped } from '../../platform/store/group.ts'
import type { Held, MinedTransfer } from './payments.ts'
import { noReply, type ReplyColumns, replyColumns } from './reply-columns.ts'

/** The two moves that every ordinary sale makes. Sales that run at the same time share their statements. */

/**
 * Stores the reply, and with it the intent to take the money, before anything is sent to the chain. From here
 * on a crash cannot lose the reply, and a lost reply cannot cost the payer a second payment.
 * @param reply undefined when the reply cannot be stored before it is sent; then it is owed once the money is
 *   here.
 * @param amount the amount to take, in atomic units, when it is less than was claimed.
 * @returns false when another worker took the claim over; then nothing may be settled.
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
    reply: replyColumns(reply) ?? noReply,
    amount: amount ?? null,
    leaseUntil: new Date(now + leaseMs),
    now: new Date(now),
  })
}

interface Served extends Held {
  readonly reply: ReplyColumns
  readonly amount: bigint | null
  readonly leaseUntil: Date
  readonly now: Date
}

const serveTogether = grouped<Served, boolean>({
  keyOf: ({ id }) => id,
  sizeOf: ({ reply }) => 1_000 + (reply.replyBody?.byteLength ?? 0),
  async run(queries, served) {
    const rows = served.map(
      ({ id, attempt, reply, amount, leaseUntil, now }) =>
        sql`(${id}::text, ${attempt}::integer, ${reply.replyStatus}::integer, ${reply.replyHeaders}::jsonb,
        ${reply.replyBody}::bytea, ${amount}::int8, ${leaseUntil}::timestamptz, ${now}::timestamptz)`,
    )
    const moved = await sql<{ id: string }>`
      update payments set state = 'served', reply_status = made.status, reply_headers = made.headers,
        reply_body = made.body, amount = coalesce(made.amount, payments.amount), lease_until = made.lease_until,
        updated_at = made.now
      from (values ${sql.join(rows)}) as made(id, attempt, status, headers, body, amount, lease_until, now)
      where payments.id = made.id and payments.attempt = made.attempt and payments.state = 'claimed'
      returning payments.id
    `.execute(queries)
    return wereMoved(served, moved.rows)
  },
})

/** Marks that the money for a stored reply has moved. */
export function markSettled(books: Books, held: Held, mined: MinedTransfer): Promise<boolean> {
  return settleTogether(books.queries, { ...held, ...mined, now: new Date(books.clock.now()) })
}

const settleTogether = grouped<Held & MinedTransfer & { readonly now: Date }, boolean>({
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
    return wereMoved(settled, moved.rows)
  },
})

/** @returns for each payment of the group whether the statement moved it. */
function wereMoved(group: readonly Held[], moved: readonly { readonly id: string }[]): boolean[] {
  const ids = new Set(moved.map(({ id }) => id))
  return group.map(({ id }) => ids.has(id))
}
