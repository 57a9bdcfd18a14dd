import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { renewListing } from '../../../src/products/directory/listings.ts'
import { findScan } from '../../../src/products/scan/scans/find-scans.ts'
import { listableSite } from '../../../src/products/scan/scans/listable-scans.ts'
import { complete, createScans, type Scans } from '../../../src/products/scan/scans/scans.ts'
import { indexCompleted } from '../../../src/products/search/index-scan.ts'
import { createForgetting } from '../../../src/server/products/forgetting.ts'
import { analyzing, named, scanned } from '../../support/scans/listed-scans.ts'
import { type Opened, openServer } from '../../support/stores/ledger.ts'

/** Two gateways on one PostgreSQL: one completes a scan while the other deletes an older scan of the same site. */

const dayMs = 86_400_000
const clock = { time: Date.UTC(2026, 0, 1), now: () => clock.time }
let opened: Opened
let scans: Scans
/** What happens between the listing and the index of a scan that is being completed. */
let inBetween = async () => {}

beforeAll(async () => {
  opened = await openServer()
  const { queries } = opened.one
  scans = createScans({ queries, clock }, [
    async (transaction, move) => {
      const site = listableSite(move)
      if (site) await renewListing({ queries: transaction, clock }, site)
    },
    () => inBetween(),
    indexCompleted,
  ])
})
afterAll(() => opened.close())

test.each([
  ['on the same day', 0],
  ['a year ago', 365 * dayMs],
])('a scan made %s is deleted while another one of its site is completed', async (when, ageMs) => {
  const domain = `${when.replaceAll(' ', '-')}.example`
  const old = await scanned(scans, domain, 'Shop')
  clock.time += ageMs + 1_000
  const { id, attempt } = await analyzing(scans, domain)
  const { queries } = opened.other
  const forgetting = createForgetting(
    { queries, clock },
    { scanDays: 0, emailDays: 0, deliveryDays: 0 },
    '/nowhere',
  )
  let deleting: ReturnType<typeof forgetting.forgetScans> | undefined
  inBetween = async () => {
    inBetween = async () => {}
    deleting = forgetting.forgetScans({ ids: [old] })
    // Its failure is read below.
    deleting.catch(() => {})
    while (!(await someoneWaits())) await setTimeout(10)
  }

  const completing = complete(scans, id, attempt, named('Shop'))
  await expect(completing).resolves.toBe(true)
  await expect(deleting).resolves.toEqual({ deleted: 1, isDone: true })

  expect(await findScan(scans, old, undefined)).toBeUndefined()
  const indexed = await opened.one.queries
    .selectFrom('searchDocuments')
    .select('scanId')
    .where('domain', '=', domain)
    .execute()
  expect(indexed).toEqual([{ scanId: id }])
})

/** Whether a statement of another connection waits for a lock. */
async function someoneWaits(): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(opened.other.queries)
  return rows.length > 0
}
