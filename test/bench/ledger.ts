import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { createLog } from '../../src/core/log.ts'
import { claim } from '../../src/doors/ledger/claim.ts'
import { findPayment } from '../../src/doors/ledger/find-payment.ts'
import { release } from '../../src/doors/ledger/payments.ts'
import { paymentsBetween } from '../../src/doors/ledger/reconciling/inbound.ts'
import type { Books } from '../../src/platform/store/books.ts'
import { type Database, openPostgres } from '../../src/platform/store/database.ts'
import { limits, newPayment } from '../support/stores/ledger.ts'
import { median } from './measure.ts'
import type { Result } from './report.ts'

const rows = 1_000_000
/** A busy hour at the end of both ledgers. */
const lastHour = { payments: 1_000, from: 998_201, to: 1_000_000 }
const rounds = 400

/** Measures a claim, a lookup and the reconciliation of an hour in a ledger of 1,001,000 payments, against one of 1,000. */
export async function benchLedger(): Promise<Result[]> {
  const program = new URL('../support/stores/postgres-child.ts', import.meta.url).pathname
  const server = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] })
  try {
    const [address] = await once(createInterface({ input: server.stdout }), 'line')
    const full = await openLedger(String(address), 'full', rows)
    const small = await openLedger(String(address), 'small', 0)
    try {
      return await compare(full, small)
    } finally {
      await Promise.all([full.close(), small.close()])
    }
  } finally {
    server.stdin.end()
    if (server.exitCode === null) await once(server, 'exit')
  }
}

async function compare(full: Database, small: Database): Promise<Result[]> {
  const clock = { now: () => Date.now() }
  const books = { full: { queries: full.queries, clock }, small: { queries: small.queries, clock } }
  const tasks: [string, (ledger: Books, round: number) => Promise<unknown>][] = [
    ['claim', claimOne],
    ['lookup', (ledger, round) => findPayment(ledger, idOf(round))],
    ['read the last hour for reconciliation', reconcileHour],
  ]
  const results: Result[] = []
  for (const [what, task] of tasks) {
    const times = { full: [] as number[], small: [] as number[] }
    for (let round = 1; round <= rounds; round++) {
      for (const which of ['full', 'small'] as const) {
        const startedAt = performance.now()
        await task(books[which], round)
        times[which].push(performance.now() - startedAt)
      }
    }
    const [own, peer] = [median(times.full), median(times.small)]
    results.push({
      what: `${what}, ledger of ${rows + lastHour.payments} payments, ms; peer: ledger of ${lastHour.payments}`,
      ours: own,
      peer,
      ratio: own / peer,
      wanted: 'at most 1.5',
    })
  }
  return results
}

/** Claims for a payer that has a thousand payments, and releases the claim, so that each round starts alike. */
async function claimOne(ledger: Books, round: number): Promise<void> {
  const payment = newPayment({ chainId: 84_532, payer: payerOf(round % 1_000), asset: asset() })
  const claimed = await claim(ledger, payment, { ...limits, balanceBlock: BigInt(lastHour.to) })
  if (claimed.kind !== 'claimed') throw new Error(`a claim was ${claimed.kind}`)
  await release(ledger, claimed.held)
}

async function reconcileHour(ledger: Books): Promise<void> {
  const account = { chainId: 84_532, asset: asset(), payTo: payTo() }
  const taken = await paymentsBetween(ledger, account, BigInt(lastHour.from), BigInt(lastHour.to))
  if (taken.length !== lastHour.payments) throw new Error(`${taken.length} payments in the last hour`)
}

async function openLedger(address: string, name: string, count: number): Promise<Database> {
  const admin = new pg.Client({ connectionString: address })
  await admin.connect()
  await admin.query(`create database ledger_${name}`)
  await admin.end()
  const url = new URL(address)
  url.pathname = `/ledger_${name}`
  const database = await openPostgres(url.href, createLog('silent'))
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  try {
    await client.query(seed, [1, count, count, 0, lastHour.from - 1])
    await client.query(seed, [
      rows + 1,
      rows + lastHour.payments,
      lastHour.payments,
      lastHour.from,
      lastHour.to,
    ])
    await client.query('vacuum analyze payments')
  } finally {
    await client.end()
  }
  return database
}

const word = (text: string) => `'0x' || substr(md5(${text}) || md5(${text} || 'x'), 1, 40)`
const asset = () => `0x${'aa'.repeat(20)}`
const payTo = () => `0x${'bb'.repeat(20)}`
const payerOf = (n: number) => `0x${n.toString(16).padStart(40, '0')}`
const idOf = (n: number) => `0x${n.toString(16).padStart(64, '0')}`

/** $1 to $2: numbers of the payments; $3: how many; $4 to $5: their blocks. */
const seed = `
  insert into payments (id, chain_id, asset, payer, nonce, pay_to, amount, authorized, valid_after, valid_before, signature,
    version, operation, request_hash, timing, state, attempt, lease_until, transaction, block_number, block_hash,
    settled_at, created_at, updated_at)
  select '0x' || lpad(to_hex(n), 64, '0'), 84532, '${asset()}', '0x' || lpad(to_hex(n % 1000), 40, '0'), ${word('n::text')},
    '${payTo()}', 100000, 100000, '0', '1900000000', ${word('n::text')}, 2, 'analyzeBusiness', ${word('n::text')}, 'after',
    'final', 1, moment, ${word('n::text')}, block, ${word('block::text')}, moment, moment, moment
  from (
    select n, block, timestamptz '2026-01-01' + block * interval '2 seconds' as moment
    from (select n, $4::int8 + (n - $1::int8) * ($5::int8 - $4::int8) / greatest($3::int8, 1) as block
      from generate_series($1::int8, $2::int8) as n) as numbered
  ) as sales`
