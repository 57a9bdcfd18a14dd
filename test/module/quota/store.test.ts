import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../../../src/core/log.ts'
import { QuotasUnavailable } from '../../../src/doors/quota/counters/counters.ts'
import { createStoreCounters } from '../../../src/doors/quota/counters/store.ts'
import { openPostgres } from '../../../src/platform/store/database.ts'
import { freshDatabase } from '../../support/stores/database.ts'
import { type Opened, openServer } from '../../support/stores/ledger.ts'
import { startStoreProxy } from '../../support/stores/store-proxy.ts'

/** Guarantees of the counters in PostgreSQL alone. */

const counter = { subject: 'key:1', operation: 'writeBlog', period: '2026-11-21', limit: 3, units: 1 }

let opened: Opened
beforeAll(async () => {
  opened = await openServer()
})
afterAll(() => opened.close())

const rowsOf = async () => {
  const { rows } = await sql`select *, xmin::text, xmax::text from usage`.execute(opened.one.queries)
  return rows
}

test('a refused take writes nothing, however often', async () => {
  const counters = createStoreCounters(opened.one.queries)
  const refused = { ...counter, operation: 'never counted', limit: 100 }
  for (let units = 0; units < 3; units += 1) await counters.take([counter])
  const before = await rowsOf()
  expect(await counters.take([counter, refused])).toMatchObject({ kind: 'exhausted', at: 0 })
  expect(await rowsOf()).toEqual(before)
})

test('a gateway of the previous version, which sends no units, takes and gives back one', async () => {
  const wanted = JSON.stringify([{ ...counter, subject: 'key:4', units: undefined, place: 0 }])
  const { queries } = opened.one
  const taken = async () => (await sql`select * from take_units(${wanted}::jsonb)`.execute(queries)).rows[0]
  expect(await taken()).toEqual({ fullAt: null, used: [1] })
  expect(await taken()).toEqual({ fullAt: null, used: [2] })
  await sql`select give_units(${wanted}::jsonb)`.execute(queries)
  expect(await createStoreCounters(queries).used('key:4', [counter.period])).toMatchObject([{ used: 1 }])
})

test('takes in opposite order with gives between them do not deadlock', async () => {
  const [one, other] = [opened.one, opened.other].map(({ queries }) => createStoreCounters(queries))
  const many = ['a', 'b', 'c', 'd', 'e'].map((operation) => ({
    ...counter,
    subject: 'key:2',
    operation,
    limit: 10_000,
  }))
  await Promise.all(
    Array.from({ length: 60 }, async () => {
      await one?.take(many)
      await other?.take(many.toReversed())
      await one?.give(many.toReversed())
    }),
  )
  const used = await one?.used('key:2', [counter.period])
  expect(used?.map((usage) => usage.used)).toEqual([60, 60, 60, 60, 60])
})

test('days older than three days and months older than thirteen are deleted, once by two gateways at once', async () => {
  const [one, other] = [opened.one, opened.other].map(({ queries }) => createStoreCounters(queries))
  const periods = ['2026-11-17', '2026-11-18', '2025-09', '2025-10']
  await one?.take(periods.map((period) => ({ ...counter, subject: 'key:3', period })))
  const now = Date.parse('2026-11-21T12:00:00Z')
  await Promise.all([one?.forget(now), other?.forget(now)])
  const used = await one?.used('key:3', periods)
  expect(used?.map(({ period }) => period)).toEqual(['2025-10', '2026-11-18'])
})

test('no unit is taken without PostgreSQL, and the next one after a broken connection is', async () => {
  const proxy = await startStoreProxy(await freshDatabase())
  const database = await openPostgres(proxy.url, createLog('silent'))
  const counters = createStoreCounters(database.queries)
  expect(await counters.take([counter])).toEqual({ kind: 'taken', used: [1] })

  proxy.cut()
  // The pool notices the broken connection with the first failing statement, or before.
  await expect
    .poll(() => counters.used(counter.subject, [counter.period]).catch(() => 'broken'))
    .toHaveLength(1)
  expect(await counters.take([counter])).toEqual({ kind: 'taken', used: [2] })

  await proxy.close()
  await expect(counters.take([counter])).rejects.toThrow(QuotasUnavailable)
  await expect(counters.give([counter])).rejects.toThrow(QuotasUnavailable)
  await expect(counters.used(counter.subject, [counter.period])).rejects.toThrow(QuotasUnavailable)
  await expect(counters.forget(Date.now())).rejects.toThrow(QuotasUnavailable)
  await database.close()
})
