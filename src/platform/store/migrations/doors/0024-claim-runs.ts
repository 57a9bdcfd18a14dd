import { type Kysely, sql } from 'kysely'

/**
 * The claims of one statement, with the runs of their payers that failed. Every call that is paid needs both answers,
 * and a statement of its own for each would cost the embedded store as much again.
 *
 * `limits` holds, besides what `claim_payment` reads: `last_run` (a payer whose failed runs count for longer has to
 * wait) and `run_ms` (what a run counts for from its beginning, where others have failed). Without `last_run` failed
 * runs do not count.
 *
 * The verdict `failing` refuses a payer who has to wait; nothing is written then. `clear_at` says until when the
 * payer's failed runs count; it is null when there are none.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
create function claim_runs(claims jsonb)
returns table (n bigint, verdict text, other text, attempt integer, timing text, clear_at timestamptz)
language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
  one record;
  decided record;
  counted timestamptz;
begin
  -- All payers first, in the order of the list, which is the same at every gateway.
  for one in
    select asked.claim -> 'wanted' ->> 'payer' as payer
      from jsonb_array_elements(claims) with ordinality as asked(claim, n) order by asked.n
  loop
    perform pg_advisory_xact_lock(hashtextextended(one.payer, 402));
  end loop;
  for one in
    select asked.n, asked.claim -> 'wanted' as wanted, asked.claim -> 'limits' as limits
      from jsonb_array_elements(claims) with ordinality as asked(claim, n) order by asked.n
  loop
    counted := null;
    if one.limits ? 'last_run' then
      select runs.clear_at into counted from released_runs as runs
        where runs.chain_id = (one.wanted ->> 'chain_id')::integer and runs.payer = one.wanted ->> 'payer'
          and runs.clear_at > (one.limits ->> 'now')::timestamptz
        for update;
    end if;
    if counted > (one.limits ->> 'last_run')::timestamptz then
      return query select one.n, 'failing', null::text, null::integer, null::text, counted;
      continue;
    end if;
    select claimed.* into decided
      from claim_payment(jsonb_populate_record(null::payments, one.wanted), one.limits) as claimed;
    if decided.verdict = 'claimed' and counted is not null then
      update released_runs as runs
        set clear_at = runs.clear_at + (one.limits ->> 'run_ms')::float8 * interval '1 millisecond'
        where runs.chain_id = (one.wanted ->> 'chain_id')::integer and runs.payer = one.wanted ->> 'payer';
    end if;
    return query select one.n, decided.verdict, decided.other, decided.attempt, decided.timing, counted;
  end loop;
end $$`.execute(db)
}
