import { type Kysely, sql } from 'kysely'
import { terms, theirs } from './0015-credit.ts'
import { ask, creditAndQueue } from './0019-room.ts'
import { claimFunction } from './claim-function.ts'

/**
 * The claim of 0019, by which a delivered stream keeps its idempotency key while its money is asked for again. A
 * failed payment frees its key, because it bought nothing. But such a stream was delivered, and may still be paid: a
 * payer who bought again under the key would pay twice for one purchase.
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

const delivered = sql`
    if purchase is null then
      select id into purchase from payments
        where payer = wanted.payer and idempotency_key = wanted.idempotency_key and id <> wanted.id
          and chain_id = wanted.chain_id and state = 'failed' and collect_at is not null limit 1;
    end if;`
