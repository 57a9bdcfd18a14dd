import { type Kysely, sql } from 'kysely'

/**
 * What a payment needs beyond its first life: money before the work, a purchase named by its payer,
 * the block that bears the transfer, refunds, and a claim that looks at all of a payer's payments.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('payments')
    .addColumn('timing', 'text', (column) =>
      column.notNull().defaultTo('after').check(sql`timing in ('after', 'before')`),
    )
    .addColumn('idempotency_key', 'text')
    .addColumn('tries', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('block_number', 'int8')
    .addColumn('block_hash', 'text')
    .addColumn('settled_at', 'timestamptz')
    .addColumn('refund_from', 'text')
    .addColumn('refund_until', 'int8')
    .addColumn('refund_transaction', 'text')
    .execute()
  await db.schema.alterTable('payments').dropConstraint('payments_state_check').execute()
  await db.schema
    .alterTable('payments')
    .addCheckConstraint(
      'payments_state_check',
      sql`state in ('claimed', 'served', 'settling', 'paid', 'settled', 'final', 'released', 'failed',
        'refunding', 'refunded')`,
    )
    .execute()
  // Without a block they can be neither final nor reorganised: the reconciliation looks theirs up.
  await sql`update payments set settled_at = updated_at where state = 'settled'`.execute(db)

  await db.schema.dropIndex('payments_unfinished').execute()
  const indexes = [
    sql`create index payments_unfinished on payments (lease_until)
      where state in ('served', 'settling', 'refunding')`,
    // What a claim looks at: few of a payer's rows, however many there are.
    sql`create index payments_open on payments (payer)
      where state in ('claimed', 'served', 'settling', 'paid', 'failed')
        or (state = 'released' and failure is not null)`,
    // One purchase by one name; a payment that came to nothing does not use the name up.
    sql`create unique index payments_purchase on payments (payer, idempotency_key)
      where idempotency_key is not null and state not in ('released', 'failed')`,
    sql`create index payments_block on payments (block_number) where block_number is not null`,
    sql`create index payments_not_final on payments (block_number nulls first) where state in ('paid', 'settled')`,
    sql`create index payments_refund_valid on payments (refund_until) where state = 'refunded'`,
    sql`create index payments_replies on payments (settled_at) where reply_body is not null`,
    sql`create index payments_by_settlement on payments (settled_at, id) where settled_at is not null`,
    sql`create index payments_refunded on payments (updated_at, id) where state = 'refunded'`,
    sql`create index payments_by_age on payments (created_at, id)`,
  ]
  for (const index of indexes) await index.execute(db)

  await db.schema
    .createTable('strangers')
    .addColumn('chain_id', 'integer', (column) => column.notNull())
    .addColumn('transaction', 'text', (column) => column.notNull())
    .addColumn('log_index', 'integer', (column) => column.notNull())
    .addColumn('asset', 'text', (column) => column.notNull())
    .addColumn('block_number', 'int8', (column) => column.notNull())
    .addColumn('block_hash', 'text', (column) => column.notNull())
    .addColumn('payer', 'text', (column) => column.notNull())
    .addColumn('pay_to', 'text', (column) => column.notNull())
    .addColumn('amount', 'int8', (column) => column.notNull())
    .addColumn('nonce', 'text')
    .addColumn('seen_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('strangers_pkey', ['chain_id', 'transaction', 'log_index'])
    .execute()
  await db.schema
    .createTable('reconciled')
    .addColumn('chain_id', 'integer', (column) => column.notNull())
    .addColumn('asset', 'text', (column) => column.notNull())
    .addColumn('pay_to', 'text', (column) => column.notNull())
    .addColumn('opened_block', 'int8', (column) => column.notNull())
    .addColumn('block_number', 'int8', (column) => column.notNull())
    .addColumn('updated_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('reconciled_pkey', ['chain_id', 'asset', 'pay_to'])
    .execute()

  await claimFunction.execute(db)
}

/**
 * The claim, in one statement for its caller. It is a function because a payer's payments must be
 * counted and the new one added with nobody in between, and a statement cannot see what was committed
 * while it waited for a lock: inside a function every statement looks anew.
 *
 * `wanted` holds the columns of the row to be; `limits`: balance and balance_block (what the payer
 * holds, and as of which block), in_flight (most payments open at once), failures (how many failed
 * settlements, or runs whose caller left, since `since` make the money move first), attempts (how many runs of one payment do),
 * now, handler_lease, settle_lease.
 */
const claimFunction = sql`
create function claim_payment(wanted payments, limits jsonb)
returns table (verdict text, other text, attempt integer, timing text) language plpgsql as $$
#variable_conflict use_column
declare
  now timestamptz := limits ->> 'now';
  known payments;
  purchase text;
  balance_block bigint := limits ->> 'balance_block';
  in_flight bigint;
  promised numeric;
  moving numeric;
  failures bigint;
  when_paid text;
begin
  perform pg_advisory_xact_lock(hashtextextended(wanted.payer, 402));

  select * into known from payments where id = wanted.id;
  -- A signature that failed on the chain can be read there by everybody: it is good for its own request only.
  if known.id is not null and not (known.state = 'released'
      or (known.state = 'failed' and known.request_hash = wanted.request_hash)
      or (known.state = 'claimed' and known.lease_until < now)) then
    return query select 'taken', known.id, null::integer, null::text;
    return;
  end if;

  if wanted.idempotency_key is not null then
    -- A worker that died before it served anything has bought nothing under this name.
    update payments set state = 'released', updated_at = now
      where payer = wanted.payer and idempotency_key = wanted.idempotency_key and id <> wanted.id
        and state = 'claimed' and lease_until < now;
    select id into purchase from payments
      where payer = wanted.payer and idempotency_key = wanted.idempotency_key and id <> wanted.id
        and state not in ('released', 'failed');
    if purchase is not null then
      return query select 'bought', purchase, null::integer, null::text;
      return;
    end if;
  end if;

  select count(*) filter (where state in ('served', 'settling')
        or (state in ('claimed', 'paid') and lease_until >= now)),
      -- Surely still in the balance: not sent yet, or taken in a block later than the balance's.
      coalesce(sum(amount) filter (where state = 'claimed' or block_number > balance_block), 0),
      -- In the balance or gone from it: only the chain knows by now.
      coalesce(sum(amount) filter (where state in ('served', 'settling')), 0),
      -- Failed, or failed before and tried again: a second try must not hide the first.
      count(*) filter (where state in ('settling', 'failed', 'released') and failure is not null
        and updated_at > (limits ->> 'since')::timestamptz)
    into in_flight, promised, moving, failures
    from payments
    where payer = wanted.payer and chain_id = wanted.chain_id and asset = wanted.asset
      and (state in ('served', 'settling', 'failed') or (state in ('claimed', 'paid') and lease_until >= now)
        or (state = 'released' and failure is not null) or block_number > balance_block);
  if in_flight >= (limits ->> 'in_flight')::bigint then
    return query select 'busy', null::text, null::integer, null::text;
    return;
  end if;
  if wanted.amount + promised + moving > (limits ->> 'balance')::numeric then
    return query select
      case when wanted.amount + promised > (limits ->> 'balance')::numeric then 'overdrawn' else 'moving' end,
      null::text, null::integer, null::text;
    return;
  end if;

  when_paid := case
    when wanted.timing = 'before' or failures >= (limits ->> 'failures')::bigint
      -- What failed once has had its run for nothing.
      or known.failure <> 'caller_left' or known.attempt >= (limits ->> 'attempts')::bigint then 'before'
    else 'after' end;

  return query
  insert into payments as p (id, chain_id, asset, payer, nonce, pay_to, amount, valid_after, valid_before,
    signature, version, operation, request_hash, idempotency_key, timing, state, attempt, tries, lease_until,
    created_at, updated_at)
  values (wanted.id, wanted.chain_id, wanted.asset, wanted.payer, wanted.nonce, wanted.pay_to, wanted.amount,
    wanted.valid_after, wanted.valid_before, wanted.signature, wanted.version, wanted.operation,
    wanted.request_hash, wanted.idempotency_key, when_paid,
    -- Money that moves first is an intent from the start: a crash must not hide it.
    case when_paid when 'before' then 'settling' else 'claimed' end, 1, 0,
    (case when_paid when 'before' then limits ->> 'settle_lease' else limits ->> 'handler_lease' end)::timestamptz,
    now, now)
  on conflict (id) do update set
    pay_to = excluded.pay_to, amount = excluded.amount, valid_after = excluded.valid_after,
    valid_before = excluded.valid_before, signature = excluded.signature, version = excluded.version,
    operation = excluded.operation, request_hash = excluded.request_hash,
    idempotency_key = excluded.idempotency_key, timing = excluded.timing, state = excluded.state,
    attempt = p.attempt + 1, tries = 0, lease_until = excluded.lease_until,
    updated_at = excluded.updated_at
  where p.state = 'released' or (p.state = 'failed' and p.request_hash = excluded.request_hash)
    or (p.state = 'claimed' and p.lease_until < now)
  returning 'claimed', p.id, p.attempt, p.timing;
  if not found then
    return query select 'taken', wanted.id, null::integer, null::text;
  end if;
end $$`
