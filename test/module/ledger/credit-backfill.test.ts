import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { claim } from '../../../src/doors/ledger/claim.ts'
import type { Books } from '../../../src/platform/store/books.ts'
import { migrations } from '../../../src/platform/store/migrations.ts'
import type { PaymentState } from '../../../src/platform/store/rows/payments.ts'
import {
  chainId,
  hex,
  limits,
  newPayment,
  type Opened,
  openFolder,
  openServer,
} from '../../support/stores/ledger.ts'

/** What payers left unpaid before the books kept it, in a store that a gateway of the previous version has filled. */

const hourMs = 3_600_000
const now = Date.now()
const clock = { now: () => now }
const asset = hex(20)
const [failing, mixed, old, leaving, honest] = Array.from({ length: 5 }, () => hex(20))

interface Paid {
  readonly payer: string | undefined
  readonly state: PaymentState
  readonly hoursAgo: number
  readonly failure?: string
  readonly chainId?: number
}

const before: readonly Paid[] = [
  ...[1, 2, 3].map((hoursAgo) => ({ payer: failing, state: 'failed', hoursAgo, failure: 'gone' }) as const),
  { payer: mixed, state: 'failed', hoursAgo: 5, failure: 'gone' },
  { payer: mixed, state: 'settling', hoursAgo: 2, failure: 'gone' },
  { payer: mixed, state: 'failed', hoursAgo: 1, failure: 'gone', chainId: 8453 },
  { payer: old, state: 'failed', hoursAgo: 50, failure: 'gone' },
  { payer: old, state: 'failed', hoursAgo: 40, failure: 'gone' },
  { payer: leaving, state: 'released', hoursAgo: 3, failure: 'caller_left' },
  { payer: honest, state: 'released', hoursAgo: 1 },
  { payer: honest, state: 'settled', hoursAgo: 1 },
]

describe.each([
  ['PGlite', openFolder],
  ['PostgreSQL', openServer],
])('after the books begin to keep what payers leave unpaid, in %s,', (_driver, open) => {
  let opened: Opened
  let books: Books

  beforeAll(async () => {
    opened = await open()
    books = { queries: opened.one.queries, clock }
    const migrator = new Migrator({ db: books.queries, provider: { getMigrations: async () => migrations } })
    await sql`drop schema public cascade`.execute(books.queries)
    await sql`create schema public`.execute(books.queries)
    await migrator.migrateTo('0014_waiting_scans')
    for (const one of before) await insert(one)
    const { error } = await migrator.migrateToLatest()
    if (error) throw error
  })
  afterAll(() => opened.close())

  async function insert({ payer, state, hoursAgo, failure, chainId: chain = chainId }: Paid): Promise<void> {
    const at = new Date(now - hoursAgo * hourMs)
    await sql`insert into payments (id, chain_id, asset, payer, nonce, pay_to, amount, authorized, valid_after,
        valid_before, signature, version, operation, request_hash, timing, state, attempt, tries, lease_until,
        created_at, updated_at, failure)
      values (${hex(32)}, ${chain}, ${asset}, ${payer}, ${hex(32)}, ${hex(20)}, 5, 5, '0', '9999999999', '0x', 2, 'op',
        ${hex(32)}, 'after', ${state}, 1, 0, ${at}, ${at}, ${at}, ${failure ?? null})`.execute(books.queries)
  }

  const unpaidOf = (payer: string | undefined) =>
    books.queries
      .selectFrom('payers')
      .selectAll()
      .where('payer', '=', payer ?? '')
      .orderBy('chainId')
      .execute()
  const ago = (hours: number) => new Date(now - hours * hourMs)
  const nothingLost = { lost: 0n, risk: 0n }

  test('a payer has its failures of the last day, and the times of the last one', async () => {
    expect(await unpaidOf(failing)).toEqual([
      { chainId, payer: failing, unpaidAt: ago(1), failedAt: ago(1), failures: 3, ...nothingLost },
    ])
    expect(await unpaidOf(old)).toEqual([
      { chainId, payer: old, unpaidAt: ago(40), failedAt: ago(40), failures: 0, ...nothingLost },
    ])
  })

  test('networks are kept apart, and a settlement that failed before and is open again counts as a failure, not as failed', async () => {
    expect(await unpaidOf(mixed)).toEqual([
      { chainId: 8453, payer: mixed, unpaidAt: ago(1), failedAt: ago(1), failures: 1, ...nothingLost },
      { chainId, payer: mixed, unpaidAt: ago(2), failedAt: ago(5), failures: 2, ...nothingLost },
    ])
  })

  test('a caller who left has an abandoned run and no failed settlement; a payer without failures has nothing', async () => {
    expect(await unpaidOf(leaving)).toEqual([
      { chainId, payer: leaving, unpaidAt: ago(3), failedAt: null, failures: 1, ...nothingLost },
    ])
    expect(await unpaidOf(honest)).toEqual([])
  })

  test('no payment of before is on credit or is collected later', async () => {
    const kept = await books.queries
      .selectFrom('payments')
      .select(['onCredit', 'collectAt'])
      .distinct()
      .execute()
    expect(kept).toEqual([{ onCredit: false, collectAt: null }])
  })

  test('the next claim goes by it: after three failures the money moves first', async () => {
    const timingOf = async (payer: string | undefined) => {
      const wanted = newPayment({ payer: payer ?? '', asset })
      const claimed = await claim(books, wanted, { ...limits, settleFirstAfter: 3 })
      return claimed.kind === 'claimed' ? claimed.timing : claimed.kind
    }
    const timings = await Promise.all([failing, old, leaving, honest].map(timingOf))
    expect(timings).toEqual(['before', 'after', 'after', 'after'])
  })
})
