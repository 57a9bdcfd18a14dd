import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fanOut } from '../../../src/products/webhooks/deliveries/fan-out.ts'
import { removeSubscription } from '../../../src/products/webhooks/subscriptions/find-subscriptions.ts'
import { type Opened, openServer } from '../../support/stores/ledger.ts'
import { deliveriesOf, happened, subscribed } from '../../support/webhooks/hooks.ts'

/** Two gateways on one PostgreSQL: one spreads an event while the other deletes a subscription to it. */

let opened: Opened
const clock = { now: () => Date.now() }

beforeAll(async () => {
  opened = await openServer()
})
afterAll(() => opened.close())

test('an event is spread to all others while one of its subscriptions is deleted', async () => {
  const books = { queries: opened.one.queries, clock }
  const stays = await subscribed(books)
  const goes = await subscribed(books)
  await happened(books)
  const spreading = Promise.withResolvers<number>()
  await opened.other.queries.transaction().execute(async (queries) => {
    await removeSubscription({ queries }, goes.id)
    fanOut(books).then(spreading.resolve, spreading.reject)
    while (!(await someoneWaits())) await setTimeout(10)
  })
  await expect(spreading.promise).resolves.toBe(1)
  expect(await deliveriesOf(books, stays)).toHaveLength(1)
})

/** Whether a statement of another connection waits for a lock. */
async function someoneWaits(): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(opened.other.queries)
  return rows.length > 0
}
