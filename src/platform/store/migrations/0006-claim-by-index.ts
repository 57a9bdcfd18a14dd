import { type Kysely, sql } from 'kysely'
import { claimFunction } from './claim-function.ts'

/**
 * The claim of 0002, always by index. Its statements are planned once per connection, perhaps when the table is
 * all but empty and a look through all of it is the cheapest; the embedded store, which gathers no statistics by
 * itself, then looks through all of it for ever, and each claim takes longer than the one before. And what
 * joined two indexes with `or` met a payer's dead entries again each time.
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
