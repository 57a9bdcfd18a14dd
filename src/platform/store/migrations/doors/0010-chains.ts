import { type Kysely, sql } from 'kysely'
import { terms, theirs } from './0008-metered.ts'
import { claimFunction } from './claim-function.ts'

/**
 * Binds what was sold to the network that it was paid on: test money must not buy access on another network.
 * And keeps every account that payments ever went to, so that a changed PAY_TO leaves none out of the books.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('keys').addColumn('chain_id', 'integer').execute()
  const keys = [
    sql`update keys set chain_id = payments.chain_id from payments where payments.id = keys.payment_id`,
    // A renewal binds a key that no payment bought. The newest one shows which network is in use.
    sql`update keys set chain_id = newest.chain_id
      from (
        select distinct on (key_renewals.key_id) key_renewals.key_id, payments.chain_id
        from key_renewals join payments on payments.id = key_renewals.payment_id
        where payments.state not in ('refunding', 'refunded')
        order by key_renewals.key_id, key_renewals.created_at desc, payments.id
      ) as newest
      where keys.id = newest.key_id and keys.chain_id is null`,
    // Days that were paid on another network, less those that a refund has taken back already.
    sql`update keys set expires_at = keys.expires_at - elsewhere.days * interval '24 hours'
      from (
        select key_renewals.key_id, sum(key_renewals.days) as days
        from key_renewals join payments on payments.id = key_renewals.payment_id
          join keys on keys.id = key_renewals.key_id
        where payments.chain_id <> keys.chain_id and payments.state not in ('refunding', 'refunded')
        group by key_renewals.key_id
      ) as elsewhere
      where keys.id = elsewhere.key_id`,
    // A gateway of the version before, which may still run beside this one, sells keys and names no network.
    sql`create function bind_key() returns trigger language plpgsql as $$
      begin
        new.chain_id := (select chain_id from payments where id = new.payment_id);
        return new;
      end $$`,
    sql`create trigger keys_bind before insert on keys for each row
      when (new.chain_id is null and new.payment_id is not null) execute function bind_key()`,
  ]
  for (const statement of keys) await statement.execute(db)

  // The same idempotency key names another purchase on another network.
  await db.schema.dropIndex('payments_purchase').execute()
  await sql`create unique index payments_purchase on payments (payer, idempotency_key, chain_id)
    where idempotency_key is not null and state not in ('released', 'failed')`.execute(db)
  await claimFunction({
    create: sql`create or replace`,
    settings: sql`set enable_seqscan = off`,
    theirs,
    terms,
    purchases: sql` and chain_id = wanted.chain_id`,
  }).execute(db)

  await db.schema
    .createTable('receiving_accounts')
    .addColumn('chain_id', 'integer', (column) => column.notNull())
    .addColumn('asset', 'text', (column) => column.notNull())
    .addColumn('pay_to', 'text', (column) => column.notNull())
    .addColumn('current_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('receiving_accounts_pkey', ['chain_id', 'asset', 'pay_to'])
    .execute()
  await sql`insert into receiving_accounts (chain_id, asset, pay_to, current_at)
    select chain_id, asset, pay_to, max(at) from (
      select chain_id, asset, pay_to, created_at as at from payments
      union all
      select chain_id, asset, pay_to, updated_at from reconciled
    ) as known group by chain_id, asset, pay_to`.execute(db)
}
