import { type Kysely, sql } from 'kysely'
import { claimFunction } from './claim-function.ts'

/**
 * Credit: how much work a payer gets before its money has moved. A wallet costs nothing, so without a limit a
 * fresh one could run many calls at once, move its money away, and pass it on to the next.
 *
 * `payers` holds what each payer left unpaid. A trigger writes it in the same statement that moves a payment,
 * so no way to fail is left out, also not by a gateway of the version before that still runs beside this one.
 * It is a table of its own because rows of payments may be deleted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('payments')
    // Claimed beyond what the payer had earned: if it fails, the work is lost.
    .addColumn('on_credit', 'boolean', (column) => column.notNull().defaultTo(false))
    // When the money of a delivered stream is asked for again.
    .addColumn('collect_at', 'timestamptz')
    .execute()
  await db.schema
    .createTable('payers')
    .addColumn('chain_id', 'integer', (column) => column.notNull())
    .addColumn('payer', 'text', (column) => column.notNull())
    .addColumn('unpaid_at', 'timestamptz', (column) => column.notNull())
    .addColumn('failed_at', 'timestamptz')
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('lost', 'int8', (column) => column.notNull())
    .addColumn('risk', 'int8', (column) => column.notNull())
    .addPrimaryKeyConstraint('payers_pkey', ['chain_id', 'payer'])
    .execute()
  await sql`insert into payers (chain_id, payer, unpaid_at, failed_at, failures, lost, risk)
    select chain_id, payer, max(updated_at), max(updated_at) filter (where state = 'failed'),
      count(*) filter (where updated_at > now() - interval '1 day'), 0, 0
    from payments where failure is not null and state in ('settling', 'failed', 'released')
    group by chain_id, payer`.execute(db)
  const indexes = [
    // The rows that a claim reads. The index before held every payment that ever failed, too.
    sql`create index payments_unsettled on payments (payer) where state in ('claimed', 'served', 'settling', 'paid')`,
    sql`drop index payments_open`,
    // What a payer has settled, the newest first, without reading the payments themselves.
    sql`create index payments_earned on payments (payer, chain_id, settled_at) include (amount)
      where state in ('settled', 'final')`,
    // The sum over all payers: only payments that are open now.
    sql`create index payments_on_credit on payments (chain_id, state, lease_until) include (amount)
      where on_credit and state in ('claimed', 'served', 'settling')`,
    sql`create index payments_to_collect on payments (collect_at) where collect_at is not null`,
    sql`create index payers_unpaid on payers (unpaid_at)`,
  ]
  for (const index of indexes) await index.execute(db)
  for (const statement of [noteUnpaidFunction, noteUnpaidTrigger]) await statement.execute(db)
  await claimFunction({
    create: sql`create or replace`,
    settings: sql`set enable_seqscan = off`,
    theirs,
    terms,
    purchases: sql` and chain_id = wanted.chain_id`,
    credit,
  }).execute(db)
  await claimGroupFunction.execute(db)
}

/**
 * Notes in `payers` what a payer left unpaid, and what it paid after all.
 *
 * `failures` counts failed settlements and abandoned runs, each within a day of the one before. `lost` sums
 * what was served and not paid. `risk` is the part of it that was served on credit, of about the last minute.
 * A payment that fails twice counts once.
 */
const noteUnpaidFunction = sql`
create function note_unpaid() returns trigger language plpgsql as $$
declare
  has_failed boolean := new.state = 'failed';
  was_served boolean := has_failed and old.timing <> 'before';
begin
  if old.failure <> 'caller_left' and old.timing = 'metered' and new.state in ('settled', 'paid') then
    update payers set lost = greatest(lost - new.amount, 0)
      where chain_id = new.chain_id and payer = new.payer;
  elsif new.state = 'released' or (has_failed and coalesce(old.failure, 'caller_left') = 'caller_left') then
    insert into payers as known (chain_id, payer, unpaid_at, failed_at, failures, lost, risk)
    values (new.chain_id, new.payer, new.updated_at, case when has_failed then new.updated_at end, 1,
      case when was_served then new.amount else 0 end,
      case when new.on_credit and old.timing <> 'before' then new.amount else 0 end)
    on conflict (chain_id, payer) do update set
      unpaid_at = excluded.unpaid_at,
      failed_at = coalesce(excluded.failed_at, known.failed_at),
      failures = case when known.unpaid_at > excluded.unpaid_at - interval '1 day' then known.failures else 0 end + 1,
      lost = known.lost + excluded.lost,
      risk = case when known.unpaid_at > excluded.unpaid_at - interval '1 minute' then known.risk else 0 end
        + excluded.risk;
  end if;
  return null;
end $$`

const noteUnpaidTrigger = sql`
create trigger payments_note_unpaid after update of state on payments for each row
  when ((new.state = 'failed' and old.state <> 'failed')
    or (new.state = 'released' and old.state = 'claimed' and new.failure = 'caller_left')
    or (new.state in ('settled', 'paid') and old.failure is not null))
  execute function note_unpaid()`

/** The payer's payments that are open, and those that a later block than the balance's has taken. */
export const theirs = sql`
    from (
      select chain_id, asset, state, amount, lease_until, block_number, failure, updated_at, timing, on_credit
        from payments where payer = wanted.payer and state in ('claimed', 'served', 'settling', 'paid')
      union all
      select chain_id, asset, state, amount, lease_until, block_number, failure, updated_at, timing, on_credit
        from payments where block_number > balance_block and payer = wanted.payer
          and state not in ('claimed', 'served', 'settling', 'paid')
    ) theirs
    where chain_id = wanted.chain_id and asset = wanted.asset
      and (state not in ('claimed', 'paid') or lease_until >= now or block_number > balance_block);`

/** As in 0008, and whether the payment is on credit. */
export const terms = {
  columns: sql`, scheme, authorized, facilitator, permit, on_credit`,
  values: sql`, coalesce(wanted.scheme, 'exact'), coalesce(wanted.authorized, wanted.amount), wanted.facilitator,
    wanted.permit, is_lent`,
  again: sql`, scheme = excluded.scheme, authorized = excluded.authorized, facilitator = excluded.facilitator,
    permit = excluded.permit, on_credit = excluded.on_credit, collect_at = null,
    failure = nullif(p.failure, 'caller_left')`,
  timing: sql`wanted.timing`,
  // An `upto` amount is known only at the end, so it cannot move first.
  refuse: sql`
  if when_paid = 'before' and wanted.scheme = 'upto' then
    return query select coalesce(beyond, 'distrusted'), null::text, null::integer, null::text;
    return;
  end if;
`,
}

/**
 * The credit of a payer. `limits` holds, besides what `claimFunction` lists: `new_payer_calls` and
 * `new_payer_amount` (what a payer may have unsettled before it has paid anything here), `max_unsettled`
 * (what all payers together may have on credit, with what was lost since `minute_ago`), and
 * `new_payer_first` (whether a payer who has paid nothing here pays first). A gateway of the version before
 * sends none of them, and gives credit without a limit.
 *
 * Verdicts for `upto`: `waiting` when the payer's own other calls leave no room, `uncredited` when the call
 * would be beyond the credit without them, too.
 */
export const credit = {
  declare: sql`
  unpaid payers;
  begun bigint;
  allowed bigint;
  covered_open numeric;
  lent_open numeric;
  earned_calls bigint;
  earned numeric;
  last_settled timestamptz;
  may_borrow boolean;
  risk numeric;
  is_lent boolean := false;
  beyond text;`,
  counts: sql`,
      -- Work that was begun before its money moved.
      count(*) filter (where state in ('claimed', 'served', 'settling') and timing <> 'before'),
      coalesce(sum(amount) filter (where state in ('claimed', 'served', 'settling') and timing <> 'before'
        and not on_credit), 0),
      coalesce(sum(amount) filter (where state in ('claimed', 'served', 'settling') and timing <> 'before'
        and on_credit), 0)`,
  into: sql`, begun, covered_open, lent_open`,
  read: sql`
  select * into unpaid from payers where chain_id = wanted.chain_id and payer = wanted.payer;
  failures := case when unpaid.unpaid_at > (limits ->> 'since')::timestamptz then unpaid.failures else 0 end;
  -- Only what was settled after the last failure: credit that was used up once has to be earned anew.
  select count(*), coalesce(sum(amount), 0), max(settled_at) into earned_calls, earned, last_settled
    from (
      select amount, settled_at from payments
        where payer = wanted.payer and chain_id = wanted.chain_id and state in ('settled', 'final')
          and settled_at > coalesce(unpaid.failed_at, '-infinity')
        order by settled_at desc limit 100
    ) newest;`,
  decide: sql`
  if when_paid <> 'before' and limits ? 'new_payer_calls' then
    -- What was lost has to be settled first; half of the rest may be unsettled again.
    earned := earned - coalesce(unpaid.lost, 0);
    may_borrow := earned >= 0 and (unpaid.unpaid_at is null or last_settled > unpaid.unpaid_at
      -- A caller who leaves now and then stays a customer.
      or earned_calls + (limits ->> 'new_payer_calls')::bigint > unpaid.failures);
    allowed := earned_calls + case when may_borrow then (limits ->> 'new_payer_calls')::bigint else 0 end;
    if begun >= allowed or ((limits ->> 'new_payer_first')::boolean and earned_calls = 0) then
      when_paid := 'before';
      beyond := case when begun >= allowed and allowed > 0 then 'waiting' else 'uncredited' end;
    elsif (covered_open + wanted.amount) * 2 > earned then
      if not may_borrow or wanted.amount > (limits ->> 'new_payer_amount')::numeric then
        when_paid := 'before';
        beyond := case when begun > 0 and wanted.amount * 2 <= earned then 'waiting' else 'uncredited' end;
      elsif lent_open + wanted.amount > (limits ->> 'new_payer_amount')::numeric then
        when_paid := 'before';
        beyond := 'waiting';
      else
        -- After the locks of all payers of this statement, so that two statements cannot wait for each other.
        perform pg_advisory_xact_lock(hashtextextended('payments on credit', 404));
        select (select coalesce(sum(amount), 0) from payments where on_credit and chain_id = wanted.chain_id
              and state = 'claimed' and lease_until >= now)
            + (select coalesce(sum(amount), 0) from payments where on_credit and chain_id = wanted.chain_id
              and state in ('served', 'settling'))
            + (select coalesce(sum(payers.risk), 0) from payers where unpaid_at > (limits ->> 'minute_ago')::timestamptz
              and chain_id = wanted.chain_id)
          into risk;
        if risk + wanted.amount > (limits ->> 'max_unsettled')::numeric then
          when_paid := 'before';
          beyond := 'uncredited';
        else
          is_lent := true;
        end if;
      end if;
    end if;
  end if;`,
}

/**
 * The claims of one statement. It locks all their payers first, in the order of the list, which is the same
 * at every gateway. The lock on the sum over all payers comes after them.
 */
const claimGroupFunction = sql`
create function claim_payments(claims jsonb)
returns table (n bigint, verdict text, other text, attempt integer, timing text) language plpgsql as $$
#variable_conflict use_column
declare
  one record;
begin
  for one in
    select asked.claim -> 'wanted' ->> 'payer' as payer
      from jsonb_array_elements(claims) with ordinality as asked(claim, n) order by asked.n
  loop
    perform pg_advisory_xact_lock(hashtextextended(one.payer, 402));
  end loop;
  return query
  select asked.n, decided.verdict, decided.other, decided.attempt, decided.timing
    from jsonb_array_elements(claims) with ordinality as asked(claim, n),
      claim_payment(jsonb_populate_record(null::payments, asked.claim -> 'wanted'), asked.claim -> 'limits') as decided;
end $$`
