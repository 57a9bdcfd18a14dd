import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claim } from '../../../src/doors/ledger/claim.ts'
import { findPurchase } from '../../../src/doors/ledger/find-payment.ts'
import { markServed } from '../../../src/doors/ledger/grouped-moves.ts'
import { markFailed } from '../../../src/doors/ledger/payments.ts'
import {
  beginHandovers,
  concludedHandovers,
  concludeHandover,
  endHandover,
} from '../../../src/doors/ledger/settling/handovers.ts'
import { dueCollections, postponeCollection } from '../../../src/doors/ledger/unpaid/collections.ts'
import { forgetUnpaid } from '../../../src/doors/ledger/unpaid/forget-unpaid.ts'
import { forgetPayers } from '../../../src/doors/ledger/unpaid/payers.ts'
import { countRun, forgetRuns, takeOff, takeRun } from '../../../src/doors/ledger/unpaid/released-runs.ts'
import { noteSearch, takeUpSearch } from '../../../src/doors/ledger/unpaid/searches.ts'
import {
  forgetWalletRecords,
  noteWalletFailure,
  noteWalletSettled,
  readWalletRecord,
} from '../../../src/doors/ledger/wallets/wallet-records.ts'
import type { Books } from '../../../src/platform/store/books.ts'
import {
  chainId,
  hex,
  leaseMs,
  limits,
  newPayment,
  type Opened,
  openServer,
} from '../../support/stores/ledger.ts'

/**
 * The statements that a call waits for, and those that run every few seconds, find their rows by an index. PostgreSQL
 * counts the sequential scans of a transaction by table: on large books there must be none.
 */

const rows = 20_000
const now = Date.UTC(2026, 4, 1)
const asset = `0x${'ab'.repeat(20)}`
const payer = `0x${'0'.repeat(39)}7`
const account = `0x${'cd'.repeat(20)}`

let opened: Opened
beforeAll(async () => {
  opened = await openServer()
  await fill()
})
afterAll(() => opened.close())

/** One payment in a hundred took no money, and one in a thousand is to be collected. */
async function fill(): Promise<void> {
  const { queries } = opened.one
  const at = new Date(now)
  const numbered = sql`lpad(to_hex(n % 2000), 40, '0')`
  const statements = [
    sql`insert into payments (id, chain_id, asset, payer, nonce, pay_to, amount, authorized, valid_after, valid_before,
        signature, version, operation, request_hash, idempotency_key, timing, state, attempt, tries, lease_until,
        created_at, updated_at, settled_at, failure, collect_at)
      select 'id' || n, ${chainId}, ${asset}, '0x' || ${numbered}, 'nonce' || n, ${account}, 10, 10, '0', '9999999999',
        '0x', 2, 'op', 'hash' || n, 'key' || n, 'after',
        case when n % 1000 = 0 then 'failed' when n % 100 = 0 then 'released' else 'final' end, 1, 0, ${at}::timestamptz,
        ${at}::timestamptz - n * interval '1 minute', ${at}::timestamptz - n * interval '1 minute',
        case when n % 100 = 0 then null else ${at}::timestamptz - n * interval '1 minute' end,
        case when n % 1000 = 0 then 'gone' end, case when n % 1000 = 0 then ${at}::timestamptz + n * interval '1 second' end
      from generate_series(1, ${rows}) as n`,
    sql`insert into payers (chain_id, payer, unpaid_at, failures, lost, risk)
      select ${chainId}, '0x' || lpad(to_hex(n), 40, '0'), ${at}::timestamptz - n * interval '1 minute', 1, 0, 0
      from generate_series(1, ${rows}) as n`,
    sql`insert into released_runs (chain_id, payer, clear_at)
      select ${chainId}, '0x' || lpad(to_hex(n), 40, '0'), ${at}::timestamptz + n * interval '1 second'
      from generate_series(1, ${rows}) as n`,
    sql`insert into wallet_records (chain_id, scope, subject, failures, settled, kept_until)
      select ${chainId}, case n % 2 when 0 then 'wallet' else 'kind' end, '0x' || lpad(to_hex(n), 40, '0'), 1, 0,
        ${at}::timestamptz + n * interval '1 second' from generate_series(1, ${rows}) as n`,
    sql`insert into handovers (payment_id, attempt, chain_id, account, is_again, begun_by, outcome)
      select 'id' || n, 1, ${chainId}, ${account}, false, 'other', case when n % 1000 = 0 then null else 'settled' end
      from generate_series(1, ${rows}) as n`,
    sql`analyze payments, payers, released_runs, wallet_records, handovers`,
  ]
  for (const statement of statements) await statement.execute(queries)
}

const ours = { chainId, payer }
const wallet = { chainId, address: payer, kind: `0x${'0'.repeat(39)}9` }
const moved = { id: 'id7', attempt: 1 }
const nothing = { transaction: null, blockNumber: null, blockHash: null, reason: null, message: null }
const named = () => newPayment({ payer, asset, idempotencyKey: hex(16) })

const statements: readonly [string, (books: Books) => Promise<unknown>][] = [
  ['a claim on credit', (books) => claim(books, named(), limits)],
  ['a search for the purchase of a name', (books) => findPurchase(books, ours, 'key4711')],
  [
    'a settlement that fails, which notes what its payer left unpaid',
    async (books) => {
      const payment = named()
      const held = { id: payment.id, attempt: 1 }
      await claim(books, payment, limits)
      await markServed(books, held, { status: 200, headers: {}, body: new Uint8Array() }, leaseMs)
      expect(await markFailed(books, held, 'gone')).toBe(true)
    },
  ],
  [
    'the collection of unpaid streams',
    async (books) => {
      const later = { ...books, clock: { now: () => now + 5_000_000 } }
      const due = await dueCollections(later, chainId, 100)
      expect(due.length).toBeGreaterThan(0)
      await postponeCollection(later, due)
    },
  ],
  ['the count of a run', (books) => takeRun(books, ours, 6)],
  ['the count of a failed run', (books) => countRun(books, ours, 10, 6)],
  ['a run that is taken off', (books) => takeOff(books, ours, 10)],
  ['a search for a transfer', (books) => takeUpSearch(books, 'id100', false)],
  ['the result of a search', (books) => noteSearch(books, 'id100', 'unused')],
  ['the record of a wallet', (books) => readWalletRecord(books, wallet)],
  ['the failure of a wallet', (books) => noteWalletFailure(books, wallet, true)],
  ['the payment of a wallet', (books) => noteWalletSettled(books, wallet)],
  [
    'the payments that are handed over',
    async (books) => {
      const taken = await beginHandovers(books, { chainId, accounts: [account], gateway: 'this' })
      expect(taken).toHaveLength(20)
    },
  ],
  [
    'the outcome of one',
    (books) => concludeHandover(books, moved, 'this', { ...nothing, outcome: 'settled' }),
  ],
  ['the outcomes that are waited for', (books) => concludedHandovers(books, [moved])],
  ['the end of one', (books) => endHandover(books, moved)],
  ['the deletion of payments that took no money', (books) => forgetUnpaid(books, { chainId, asset })],
  ['the deletion of payers', (books) => forgetPayers(books)],
  ['the deletion of runs', (books) => forgetRuns(books)],
  ['the deletion of wallet records', (books) => forgetWalletRecords(books)],
]

test.each(statements)('%s reads no table from end to end', async (_what, run) => {
  const [before, after] = await opened.one.queries.transaction().execute(async (queries) => {
    // The counts of a connection also hold what its transactions before have not reported yet.
    const first = await scansOf(queries)
    await run({ queries, clock: { now: () => now } })
    return [first, await scansOf(queries)]
  })
  const more = after.map(({ table, whole, byIndex }) => {
    const known = before.find((one) => one.table === table)
    return { table, whole: whole - (known?.whole ?? 0n), byIndex: byIndex - (known?.byIndex ?? 0n) }
  })
  expect(more.filter(({ whole }) => whole > 0n)).toEqual([])
  expect(more.some(({ byIndex }) => byIndex > 0n)).toBe(true)
})

async function scansOf(queries: Books['queries']) {
  const { rows: counts } = await sql<{ table: string; whole: bigint; byIndex: bigint }>`
    select relname as table, seq_scan as whole, coalesce(idx_scan, 0) as by_index
    from pg_stat_xact_user_tables where schemaname = 'public'`.execute(queries)
  return counts
}
