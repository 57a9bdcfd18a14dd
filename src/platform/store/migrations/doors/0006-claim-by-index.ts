import { type Kysely, sql } from 'kysely'
import { claimFunction } from './claim-function.ts'

/**
 * The claim of 0002, always by index. PostgreSQL plans its statements once per connection, possibly while the
 * table is almost empty and a sequential scan is cheapest. The embedded store gathers no statistics by itself,
 * so it would keep that plan, and every claim would take longer than the one before. The `or` over two indexes
 * also read a payer's dead index entries again each time. The row "claim" of `npm run bench -- ledger` shows
 * both.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const settings = sql`set enable_seqscan = off`
  await claimFunction({ create: sql`create or replace`, settings, theirs }).execute(db)
}

const theirs = sql`
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
