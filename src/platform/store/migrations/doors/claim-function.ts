import { type RawBuilder, sql } from 'kysely'

/**
 * The claim, as one statement for its caller. It is a function because it must count a payer's payments and
 * add the new one with no other claim in between. A single statement does not see rows that were committed
 * while it waited for a lock; inside a function every statement takes a new snapshot.
 *
 * `wanted` holds the columns of the new row. `limits` holds: `balance` and `balance_block` (what the payer
 * holds as of that block), `in_flight` (maximum of open payments of one payer), `failures` (so many failed
 * settlements, or runs whose caller left, since `since` make the money move first), `attempts` (so many runs
 * of one payment do the same), `now`, `handler_lease`, `settle_lease`.
 *
 * The verdict `distrusted` refuses an `upto` payment whose payer has to pay first.
 *
 * @param create `create` or `create or replace`.
 * @param settings planner settings while the function runs.
 * @param theirs selects the payer's other payments; its wording decides which indexes are used.
 * @param terms the columns that later migrations added; older stores ran without them.
 * @param failed a further condition on a failed payment that is claimed again, beginning with `and`. It must be
 *   true or false: of an unknown one the payment would be claimed.
 * @param purchases a condition that selects the purchases with which an idempotency key is shared, beginning
 *   with `and`.
 * @param delivered finds a further purchase under the key, when there is none so far.
 * @param credit how much work a payer gets before its money has moved; older stores bound it by the balance
 *   alone.
 * @param ask answers a question for room, when everything is decided and nothing is written.
 */
export function claimFunction({
  create,
  settings,
  theirs,
  terms = { columns: sql``, values: sql``, again: sql``, timing: sql`'after'`, refuse: sql`` },
  failed = sql``,
  purchases = sql``,
  delivered = sql``,
  credit = { declare: sql``, counts: sql``, into: sql``, read: sql``, decide: sql`` },
  ask = sql``,
}: {
  readonly create: RawBuilder<unknown>
  readonly settings: RawBuilder<unknown>
  readonly theirs: RawBuilder<unknown>
  readonly terms?: Terms
  readonly failed?: RawBuilder<unknown>
  readonly purchases?: RawBuilder<unknown>
  readonly delivered?: RawBuilder<unknown>
  readonly credit?: Credit
  readonly ask?: RawBuilder<unknown>
}): RawBuilder<unknown> {
  return sql`
${create} function claim_payment(wanted payments, limits jsonb)
returns table (verdict text, other text, attempt integer, timing text) language plpgsql ${settings} as $$
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
  when_paid text;${credit.declare}
begin
  perform pg_advisory_xact_lock(hashtextextended(wanted.payer, 402));

  select * into known from payments where id = wanted.id;
  -- A signature that failed on the chain can be read there by everybody: it is good for its own request only.
  if known.id is not null and not (known.state = 'released'
      or (known.state = 'failed' and known.request_hash = wanted.request_hash${failed})
      or (known.state = 'claimed' and known.lease_until < now)) then
    return query select 'taken', known.id, null::integer, null::text;
    return;
  end if;

  if wanted.idempotency_key is not null then
    -- A worker that died before it served anything has bought nothing under this name.
    update payments set state = 'released', updated_at = now
      where payer = wanted.payer and idempotency_key = wanted.idempotency_key and id <> wanted.id${purchases}
        and state = 'claimed' and lease_until < now;
    select id into purchase from payments
      where payer = wanted.payer and idempotency_key = wanted.idempotency_key and id <> wanted.id${purchases}
        and state not in ('released', 'failed');${delivered}
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
        and updated_at > (limits ->> 'since')::timestamptz)${credit.counts}
    into in_flight, promised, moving, failures${credit.into}
${theirs}
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
${credit.read}
  when_paid := case
    when wanted.timing = 'before' or failures >= (limits ->> 'failures')::bigint
      -- What failed once has had its run for nothing.
      or known.failure <> 'caller_left' or known.attempt >= (limits ->> 'attempts')::bigint then 'before'
    else ${terms.timing} end;
${credit.decide}${terms.refuse}${ask}
  return query
  insert into payments as p (id, chain_id, asset, payer, nonce, pay_to, amount, valid_after, valid_before,
    signature, version, operation, request_hash, idempotency_key, timing, state, attempt, tries, lease_until,
    created_at, updated_at${terms.columns})
  values (wanted.id, wanted.chain_id, wanted.asset, wanted.payer, wanted.nonce, wanted.pay_to, wanted.amount,
    wanted.valid_after, wanted.valid_before, wanted.signature, wanted.version, wanted.operation,
    wanted.request_hash, wanted.idempotency_key, when_paid,
    -- Money that moves first is an intent from the start: a crash must not hide it.
    case when_paid when 'before' then 'settling' else 'claimed' end, 1, 0,
    (case when_paid when 'before' then limits ->> 'settle_lease' else limits ->> 'handler_lease' end)::timestamptz,
    now, now${terms.values})
  on conflict (id) do update set
    pay_to = excluded.pay_to, amount = excluded.amount, valid_after = excluded.valid_after,
    valid_before = excluded.valid_before, signature = excluded.signature, version = excluded.version,
    operation = excluded.operation, request_hash = excluded.request_hash,
    idempotency_key = excluded.idempotency_key, timing = excluded.timing, state = excluded.state,
    attempt = p.attempt + 1, tries = 0, lease_until = excluded.lease_until,
    updated_at = excluded.updated_at${terms.again}
  where p.state = 'released' or (p.state = 'failed' and p.request_hash = excluded.request_hash)
    or (p.state = 'claimed' and p.lease_until < now)
  returning 'claimed', p.id, p.attempt, p.timing;
  if not found then
    return query select 'taken', wanted.id, null::integer, null::text;
  end if;
end $$`
}

/** Parts of the claim for columns that came later; each list begins with a comma. */
interface Terms {
  readonly columns: RawBuilder<unknown>
  readonly values: RawBuilder<unknown>
  /** The columns that a payment takes over when it is claimed again. */
  readonly again: RawBuilder<unknown>
  /** The timing for a payer who does not have to pay first. */
  readonly timing: RawBuilder<unknown>
  /** Refuses before anything is written, once the timing is known. */
  readonly refuse: RawBuilder<unknown>
}

/** Parts of the claim that decide how much of a payer's work may be unpaid at a time. */
interface Credit {
  readonly declare: RawBuilder<unknown>
  /** Further sums over the payer's other payments, and the variables they go to; each begins with a comma. */
  readonly counts: RawBuilder<unknown>
  readonly into: RawBuilder<unknown>
  /** Reads what the payer has settled and left unpaid, before the timing is chosen. */
  readonly read: RawBuilder<unknown>
  /** Changes the timing of a payment that is beyond the credit. */
  readonly decide: RawBuilder<unknown>
}
