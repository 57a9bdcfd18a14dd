import { type Kysely, sql } from 'kysely'
import { claimFunction } from './claim-function.ts'

/**
 * Payments of scheme `upto`, of which only the used part is taken; the usage of each metered call; and our
 * own payments to upstreams.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('payments')
    .addColumn('scheme', 'text', (column) =>
      column.notNull().defaultTo('exact').check(sql`scheme in ('exact', 'upto')`),
    )
    .addColumn('authorized', 'int8')
    .addColumn('facilitator', 'text')
    .addColumn('permit', 'text')
    .execute()
  await sql`update payments set authorized = amount`.execute(db)
  const constraints = [
    sql`alter table payments alter column authorized set not null`,
    // The last guard: whatever usage the gateway computes, the books never hold more than the payer signed.
    sql`alter table payments add constraint payments_authorized_check check (amount <= authorized)`,
    sql`alter table payments drop constraint payments_timing_check`,
    sql`alter table payments add constraint payments_timing_check check (timing in ('after', 'before', 'metered'))`,
  ]
  for (const constraint of constraints) await constraint.execute(db)

  await db.schema
    .createTable('meterings')
    .addColumn('call_id', 'text', (column) => column.primaryKey())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('door', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('payment_id', 'text')
    .addColumn('unit', 'text')
    .addColumn('input', 'int8', (column) => column.notNull())
    .addColumn('output', 'int8', (column) => column.notNull())
    .addColumn('is_estimate', 'boolean', (column) => column.notNull())
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('amount', 'int8', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('costs')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('call_id', 'text', (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('upstream', 'text', (column) => column.notNull())
    .addColumn('chain_id', 'integer', (column) => column.notNull())
    .addColumn('asset', 'text', (column) => column.notNull())
    .addColumn('payer', 'text', (column) => column.notNull())
    .addColumn('pay_to', 'text', (column) => column.notNull())
    .addColumn('amount', 'int8', (column) => column.notNull().check(sql`amount > 0`))
    .addColumn('valid_before', 'int8', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull().check(sql`state in ('signed', 'taken', 'unused')`))
    .addColumn('transaction', 'text')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('updated_at', 'timestamptz', (column) => column.notNull())
    .execute()
  const indexes = [
    sql`create index meterings_by_age on meterings (created_at, call_id)`,
    sql`create index costs_by_call on costs (call_id)`,
    sql`create index costs_by_day on costs (upstream, created_at) where state <> 'unused'`,
    sql`create index costs_open on costs (created_at, id) where state = 'signed'`,
    sql`create index costs_taken on costs (updated_at, id) where state = 'taken'`,
  ]
  for (const index of indexes) await index.execute(db)

  await claimFunction({
    create: sql`create or replace`,
    settings: sql`set enable_seqscan = off`,
    theirs,
    terms,
  }).execute(db)
  await beginCostFunction.execute(db)
}

/**
 * A gateway of the version before, which may still run beside this one, names no scheme and means `exact`.
 */
export const terms = {
  columns: sql`, scheme, authorized, facilitator, permit`,
  values: sql`, coalesce(wanted.scheme, 'exact'), coalesce(wanted.authorized, wanted.amount), wanted.facilitator,
    wanted.permit`,
  again: sql`, scheme = excluded.scheme, authorized = excluded.authorized, facilitator = excluded.facilitator,
    permit = excluded.permit`,
  timing: sql`wanted.timing`,
  // An `upto` amount is known only at the end, so it cannot move first: such a payer has to pay by `exact`.
  refuse: sql`
  if when_paid = 'before' and wanted.scheme = 'upto' then
    return query select 'distrusted', null::text, null::integer, null::text;
    return;
  end if;
`,
}

/** As in 0006. */
export const theirs = sql`
    from (
      select chain_id, asset, state, amount, lease_until, block_number, failure, updated_at from payments
        where payer = wanted.payer and (state in ('claimed', 'served', 'settling', 'paid', 'failed')
          or (state = 'released' and failure is not null))
      union all
      select chain_id, asset, state, amount, lease_until, block_number, failure, updated_at from payments
        where block_number > balance_block and payer = wanted.payer
          and state not in ('claimed', 'served', 'settling', 'paid', 'failed')
          and not (state = 'released' and failure is not null)
    ) theirs
    where chain_id = wanted.chain_id and asset = wanted.asset
      and (state not in ('claimed', 'paid') or lease_until >= now or block_number > balance_block);`

/**
 * Records a payment that we are about to make to an upstream, unless the upstream would then have cost more
 * than `per_day` since `day_start`. It is a function because it must read the sum and add to it with no other
 * transaction in between, and a single statement does not see rows that were committed while it waited for a
 * lock.
 */
const beginCostFunction = sql`
create function begin_cost(wanted costs, per_day bigint, day_start timestamptz)
returns boolean language plpgsql set enable_seqscan = off as $$
declare
  spent numeric;
begin
  perform pg_advisory_xact_lock(hashtextextended(wanted.upstream, 403));
  select coalesce(sum(amount), 0) into spent from costs
    where upstream = wanted.upstream and state <> 'unused' and created_at >= day_start;
  if spent + wanted.amount > per_day then
    return false;
  end if;
  insert into costs select wanted.*;
  return true;
end $$`
