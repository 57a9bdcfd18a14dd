import { type Kysely, sql } from 'kysely'
import { credit, terms, theirs } from './0015-credit.ts'
import { claimFunction } from './claim-function.ts'

/**
 * A claim that is only asked for. A payment that the payer's other calls keep waiting would otherwise have to
 * be verified on the chain each time before the books refuse it again, and a caller decides how many wait.
 *
 * With `ask` in `limits` the function decides as for a claim and writes no payment. `balance` and
 * `balance_block` may be missing then: the balance is not known yet, and does not count. The verdicts are those
 * of a claim, with these in place of `claimed`:
 *
 * - `free`: the payment could be claimed. `attempt` is the number of payments like this one that could be, as
 *   far as these limits tell.
 * - `queued`, only with `ask` = `contract`: as many payments of this wallet contract are on their way to the
 *   chain as may be, one for each that has settled.
 *
 * A delivered stream also keeps its idempotency key while its money is asked for again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index payments_collected_names on payments (payer, idempotency_key)
    where collect_at is not null and idempotency_key is not null`.execute(db)
  await claimFunction({
    create: sql`create or replace`,
    settings: sql`set enable_seqscan = off`,
    theirs,
    terms,
    purchases: sql` and chain_id = wanted.chain_id`,
    delivered,
    credit: creditAndQueue,
    ask,
  }).execute(db)
}

/**
 * A failed payment frees its idempotency key, because it bought nothing. But a stream whose money is asked for again was
 * delivered, and may still be paid: a payer who bought again under the key would pay twice for one purchase.
 */
export const delivered = sql`
    if purchase is null then
      select id into purchase from payments
        where payer = wanted.payer and idempotency_key = wanted.idempotency_key and id <> wanted.id
          and chain_id = wanted.chain_id and state = 'failed' and collect_at is not null limit 1;
    end if;`

/** The credit of 0015, which also tells when a wallet contract has to wait for its turn. */
export const creditAndQueue = {
  ...credit,
  declare: sql`${credit.declare}
  on_their_way bigint;`,
  counts: sql`${credit.counts},
  count(*) filter (where state in ('served', 'settling'))`,
  into: sql`${credit.into}, on_their_way`,
  read: sql`${credit.read}
  if limits ->> 'ask' = 'contract' and on_their_way >= greatest(earned_calls, 1) then
    return query select 'queued', null::text, null::integer, null::text;
    return;
  end if;`,
}

/** What is not known, or does not count, is null here, and `least` passes over it. */
export const ask = sql`
  if limits ? 'ask' then
    return query select 'free', null::text, greatest(1, floor(least(
        (limits ->> 'in_flight')::bigint - in_flight,
        ((limits ->> 'balance')::numeric - promised - moving) / nullif(wanted.amount, 0),
        case when limits ->> 'ask' = 'contract' then greatest(earned_calls, 1) - on_their_way end,
        -- A payment of any other scheme is charged first when it is beyond the credit.
        case when wanted.scheme = 'upto' then allowed - begun end,
        case when wanted.scheme = 'upto' then
          case when is_lent then (limits ->> 'new_payer_amount')::numeric - lent_open else earned / 2 - covered_open end
        end / nullif(wanted.amount, 0))))::integer, null::text;
    return;
  end if;`
