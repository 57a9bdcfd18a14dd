import { sql } from 'kysely'
import type { PaidRun } from '../../core/endpoint.ts'
import type { Books } from '../../platform/store/books.ts'
import { createKeyText } from './key-text.ts'
import { type ApiKey, keyColumns, type NewKey, type ShownKey } from './keys.ts'

/**
 * Keys that payments buy and renew. A payment may be served more than once, and takes effect once. A key is
 * bound to the network of its payment: what test money bought must not open doors where the money is real.
 */

/**
 * Makes the key that a payment buys. One payment has one key: a purchase that is served again, because the
 * gateway died before its reply was stored, replaces the key that its buyer never received. An abandoned run
 * must not replace the key of a later run, which the buyer holds.
 * @returns undefined for an abandoned run, or when the payment is being refunded.
 */
export async function sellKey(
  { queries, clock }: Books,
  { tier, owner, label, expiresAt }: NewKey,
  run: PaidRun,
): Promise<ShownKey | undefined> {
  const { id, text, hash } = createKeyText()
  const { rows } = await sql<ApiKey>`
    with run as (${lockRun(run)})
    insert into keys (id, hash, tier, owner, label, payment_id, chain_id, created_at, expires_at)
    select ${id}::text, ${hash}::text, ${tier}::text, ${owner}::text, ${label}::text, run.id, run.chain_id,
      ${new Date(clock.now())}::timestamptz, ${expiresAt}::timestamptz from run
    on conflict (payment_id) do update set id = excluded.id, hash = excluded.hash, tier = excluded.tier,
      owner = excluded.owner, label = excluded.label, chain_id = excluded.chain_id, created_at = excluded.created_at,
      expires_at = excluded.expires_at, generation = 1, previous_hash = null, previous_until = null, revoked_at = null,
      last_used_at = null
    returning ${sql.join(keyColumns.map((column) => sql.ref(`keys.${column}`)))}
  `.execute(queries)
  const [key] = rows
  return key && { key, text }
}

/**
 * Extends a key by so many days (of 24 hours): from its expiry, or from now when it has expired. A key
 * without an expiry stays so. A payment renews once: a second run of it changes nothing, and neither does an
 * abandoned run. A key that was on every network is bound to the payment's.
 * @returns undefined when there is no such key on the payment's network, or it was revoked.
 */
export async function renewKey(
  { queries, clock }: Books,
  id: string,
  days: number,
  run: PaidRun,
): Promise<ApiKey | undefined> {
  const now = new Date(clock.now())
  await sql`
    with run as (${lockRun(run)}),
    -- Locked, because a renewal on another network may bind the key at the same time.
    renewable as (
      select keys.id from keys, run
        where keys.id = ${id} and revoked_at is null and coalesce(keys.chain_id, run.chain_id) = run.chain_id
        for update of keys
    ),
    renewed as (
      insert into key_renewals (payment_id, key_id, days, created_at)
      select run.id, renewable.id, ${days}::integer, ${now}::timestamptz from run, renewable
      on conflict (payment_id) do nothing
      returning key_id, days
    )
    update keys set chain_id = run.chain_id,
      expires_at = greatest(expires_at, ${now}::timestamptz) + renewed.days * interval '24 hours'
    from renewed, run where keys.id = renewed.key_id and expires_at is not null
  `.execute(queries)
  return queries
    .selectFrom('keys')
    .select(keyColumns)
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('payments')
          .select('payments.id')
          .where('payments.id', '=', run.id)
          .whereRef('payments.chainId', '=', 'keys.chainId'),
      ),
    )
    .executeTakeFirst()
}

/**
 * Selects the payment if this run still holds it, and locks it: no other run can take it over before the
 * statement ends.
 */
function lockRun({ id, attempt }: PaidRun) {
  return sql`select id, chain_id from payments where id = ${id} and attempt = ${attempt} and state = 'paid' for share`
}
