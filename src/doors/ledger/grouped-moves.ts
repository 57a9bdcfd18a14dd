import { sql } from 'kysely'
import type { Reply } from '../../core/reply.ts'
import type { Books } from '../../platform/store/books.ts'
import type { Queries } from '../../platform/store/database.ts'
import { grouped } from '../../platform/store/group.ts'
import type { GasCostRow } from '../../platform/store/rows/settlement.ts'
import type { Held, MinedTransfer } from './payments.ts'
import { noReply, type ReplyColumns, replyColumns } from './reply-columns.ts'

/** What every ordinary sale writes. Sales that run at the same time share their statements. */

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
    const ids = new Set(moved.rows.map(({ id }) => id))
    return served.map(({ id }) => ids.has(id))
  },
})

/** Marks that the money for a stored reply has moved. */
export function markSettled(books: Books, held: Held, mined: MinedTransfer): Promise<boolean> {
  const settled = { ...held, ...mined, now: new Date(books.clock.now()) }
  return bookTogether(books.queries, { kind: 'settled', settled })
}

/**
 * Records what a transaction has cost. A transaction that the chain dropped and mined again costs what its last
 * block says.
 */
export async function noteGasCost({ queries }: Pick<Books, 'queries'>, cost: GasCostRow): Promise<void> {
  await bookTogether(queries, { kind: 'gas', cost })
}

interface Settled extends Held, MinedTransfer {
  readonly now: Date
}

type Booked =
  | { readonly kind: 'settled'; readonly settled: Settled }
  | { readonly kind: 'gas'; readonly cost: GasCostRow }

/**
 * A receipt tells which payments are settled and what their transaction has cost, so both go into one statement: a
 * sale would otherwise wait for the statement of the gas.
 */
const bookTogether = grouped<Booked, boolean>({
  keyOf: (one) => (one.kind === 'gas' ? `gas ${one.cost.transaction}` : one.settled.id),
  sizeOf: () => 500,
  async run(queries, booked) {
    const costs = booked.flatMap((one) => (one.kind === 'gas' ? [one.cost] : []))
    const settled = booked.flatMap((one) => (one.kind === 'settled' ? [one.settled] : []))
    if (settled.length === 0) {
      await insertCosts(queries, costs).execute()
      return booked.map(() => true)
    }
    const moved = await sql<{ id: string }>`
      ${costs.length > 0 ? sql`with spent as (${insertCosts(queries, costs)})` : sql``} ${settle(settled)}
    `.execute(queries)
    const ids = new Set(moved.rows.map(({ id }) => id))
    return booked.map((one) => one.kind === 'gas' || ids.has(one.settled.id))
  },
})

function insertCosts(queries: Queries, costs: readonly GasCostRow[]) {
  return queries
    .insertInto('gasCosts')
    .values(costs.map((row) => ({ ...row, wei: row.wei.toString() })))
    .onConflict((conflict) =>
      conflict.columns(['chainId', 'transaction']).doUpdateSet(({ ref }) => ({
        wei: ref('excluded.wei'),
        isReverted: ref('excluded.isReverted'),
        blockNumber: ref('excluded.blockNumber'),
      })),
    )
}

function settle(settled: readonly Settled[]) {
  const rows = settled.map(
    ({ id, attempt, transaction, block, at, now }) =>
      sql`(${id}::text, ${attempt}::integer, ${transaction}::text, ${block.number}::int8, ${block.hash}::text,
        ${at}::timestamptz, ${now}::timestamptz)`,
  )
  return sql<{ id: string }>`
    update payments set state = 'settled', transaction = made.transaction, failure = null,
      block_number = made.number, block_hash = made.hash,
      settled_at = coalesce(payments.settled_at, made.at), updated_at = made.now
    from (values ${sql.join(rows)}) as made(id, attempt, transaction, number, hash, at, now)
    where payments.id = made.id and payments.attempt = made.attempt
      and payments.state in ('served', 'settling')
    returning payments.id`
}
