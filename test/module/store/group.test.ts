import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { claim } from '../../../src/doors/ledger/claim.ts'
import { grouped } from '../../../src/platform/store/group.ts'
import { limits, newPayment, type Opened, openFolder, openServer } from '../../support/stores/ledger.ts'

interface Note {
  readonly key: string
  readonly text: string
}

/** Writes notes, and remembers which of them shared a statement. */
function notebook(table: string) {
  const statements: string[][] = []
  const write = grouped<Note, string>({
    keyOf: ({ key }) => key,
    sizeOf: ({ text }) => text.length,
    async run(queries, notes) {
      statements.push(notes.map(({ key }) => key))
      const rows = notes.map(({ key, text }) => sql`(${key}::text, ${text}::text)`)
      const written = await sql<{ key: string; text: string }>`
        insert into ${sql.table(table)} (key, text) values ${sql.join(rows)} returning key, text
      `.execute(queries)
      const texts = new Map(written.rows.map((row) => [row.key, row.text]))
      return notes.map(({ key }) => texts.get(key) ?? '')
    },
  })
  return { write, statements }
}

describe.each([
  ['PGlite', openFolder],
  ['PostgreSQL', openServer],
])('grouped statements in %s', (_driver, open) => {
  let opened: Opened
  let tables = 0

  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())

  async function newTable(): Promise<string> {
    tables += 1
    const name = `notes_${tables}`
    await sql`create table ${sql.table(name)} (key text, text text check (text <> 'bad'))`.execute(
      opened.one.queries,
    )
    return name
  }

  test('items that arrive together share statements of fifty, and each caller gets its own result', async () => {
    const { write, statements } = notebook(await newTable())
    const keys = Array.from({ length: 120 }, (_, n) => `key ${n}`)
    const texts = await Promise.all(keys.map((key) => write(opened.one.queries, { key, text: `of ${key}` })))
    expect(texts).toEqual(keys.map((key) => `of ${key}`))
    expect(statements.flat().toSorted()).toEqual(keys.toSorted())
    expect(statements.map((group) => group.length)).toEqual([50, 50, 20])
  })

  test('a statement never has two items of one key, nor more bytes than the maximum', async () => {
    const { write, statements } = notebook(await newTable())
    const large = 'x'.repeat(600_000)
    const small = Array.from({ length: 40 }, (_, n) => ({ key: `key ${n % 20}`, text: 'small' }))
    const notes = [{ key: 'large one', text: large }, ...small, { key: 'large two', text: large }]
    await Promise.all(notes.map((note) => write(opened.one.queries, note)))
    for (const group of statements) expect(new Set(group).size).toBe(group.length)
    for (const group of statements)
      expect(group).not.toEqual(expect.arrayContaining(['large one', 'large two']))
    expect(statements.flat()).toHaveLength(notes.length)
  })

  test('an item that the database refuses fails alone', async () => {
    const table = await newTable()
    const { write } = notebook(table)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, (_, n) =>
        write(opened.one.queries, { key: `key ${n}`, text: n === 40 ? 'bad' : 'good' }),
      ),
    )
    const failed = outcomes.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))
    expect(failed).toEqual([40])
    const { rows } = await sql<{ n: number }>`select count(*)::integer as n from ${sql.table(table)}`.execute(
      opened.one.queries,
    )
    expect(rows).toEqual([{ n: 59 }])
  })
})

test('a claim uses indexes also when its plan was made on an empty table', async () => {
  const opened = await openServer()
  const { queries } = opened.one
  try {
    // One connection for all, because plans are kept per connection. No statistics are gathered meanwhile.
    await queries.connection().execute(async (connection) => {
      await sql`alter table payments set (autovacuum_enabled = off)`.execute(connection)
      const books = { queries: connection, clock: { now: () => Date.now() } }
      for (let n = 0; n < 300; n++) await claim(books, newPayment(), limits)
      await sql`select pg_stat_force_next_flush()`.execute(connection)
      const scans = async () => {
        const { rows } = await sql<{ seq_scan: bigint }>`
          select seq_scan from pg_stat_user_tables where relname = 'payments'
        `.execute(connection)
        return rows[0]?.seq_scan
      }
      const before = await scans()
      for (let n = 0; n < 50; n++) await claim(books, newPayment(), limits)
      await sql`select pg_stat_force_next_flush()`.execute(connection)
      expect(await scans()).toBe(before)
    })
  } finally {
    await opened.close()
  }
})
