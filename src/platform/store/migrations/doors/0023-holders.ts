import { type Kysely, sql } from 'kysely'
import { terms, theirs } from './0015-credit.ts'
import { ask, creditAndQueue, delivered } from './0019-room.ts'
import { claimFunction } from './claim-function.ts'

/**
 * `holder` names the gateway that began the present attempt of a payment, so that its leases can end when the
 * gateway has died. A gateway of the version before writes none, and its leases last as long as they were given.
 *
 * A failed payment that was sent under a name is claimed again under that name only. Everybody can read its
 * signature: a stranger who guesses its request would otherwise be served with the payer's money.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('payments').addColumn('holder', 'text').execute()
  await claimFunction({
    create: sql`create or replace`,
    settings: sql`set enable_seqscan = off`,
    theirs,
    terms: {
      ...terms,
      columns: sql`${terms.columns}, holder`,
      values: sql`${terms.values}, wanted.holder`,
      again: sql`${terms.again}, holder = excluded.holder`,
    },
    failed: sql`
        and (known.idempotency_key is null or known.idempotency_key is not distinct from wanted.idempotency_key)`,
    purchases: sql` and chain_id = wanted.chain_id`,
    delivered,
    credit: creditAndQueue,
    ask,
  }).execute(db)
}
