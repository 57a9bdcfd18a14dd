import { type Insertable, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { claim } from '../../../src/doors/ledger/claim.ts'
import { findPayment } from '../../../src/doors/ledger/find-payment.ts'
import { keysOfAnyNetwork, otherNetworks } from '../../../src/doors/ledger/other-networks.ts'
import { noteReceivingAccount, receivingAccounts } from '../../../src/doors/ledger/receiving-accounts.ts'
import { adopt } from '../../../src/doors/ledger/reconciling/adopt.ts'
import { sumUnmatchedTransfers } from '../../../src/doors/ledger/reconciling/unmatched-transfers.ts'
import { beginRefund } from '../../../src/doors/ledger/refunds.ts'
import type { Books } from '../../../src/platform/store/books.ts'
import { migrations } from '../../../src/platform/store/migrations.ts'
import type { PaymentState } from '../../../src/platform/store/rows/payments.ts'
import type { Tables } from '../../../src/platform/store/schema.ts'
import {
  hex,
  leaseMs,
  limits,
  newPayment,
  type Opened,
  openFolder,
  openServer,
} from '../../support/stores/ledger.ts'

/** Books of two networks that a gateway of the previous version has filled. */

const [sepolia, base] = [84_532, 8453]
const day = 86_400_000
const now = Date.UTC(2026, 4, 1)
const clock = { now: () => now }
const asset = hex(20)
const inDays = (days: number) => new Date(now + days * day)

describe.each([
  ['PGlite', openFolder],
  ['PostgreSQL', openServer],
])('the books of two networks in %s', (_driver, open) => {
  let opened: Opened
  let books: Books
  const ids: Record<string, string> = {}
  const accounts = { tested: hex(20), former: hex(20), compared: hex(20) }
  const found = { chainId: base, transaction: hex(32), logIndex: 3 }

  beforeAll(async () => {
    opened = await open()
    books = { queries: opened.one.queries, clock }
    const migrator = new Migrator({ db: books.queries, provider: { getMigrations: async () => migrations } })
    await sql`drop schema public cascade`.execute(books.queries)
    await sql`create schema public`.execute(books.queries)
    await migrator.migrateTo('0009_units')
    await fill()
    const { error } = await migrator.migrateToLatest()
    if (error) throw error
    ids.beside = await key(await pay(sepolia, accounts.tested))
  })
  afterAll(() => opened.close())

  async function fill(): Promise<void> {
    const bought = await pay(sepolia, accounts.tested)
    ids.tested = await key(bought)
    ids.real = await key(await pay(base, accounts.former))
    ids.made = await key(null)
    // Made by the operator and renewed with test money.
    ids.renewed = await key(null)
    await renew(ids.renewed, await pay(sepolia, accounts.tested), 30, -3)
    // Renewed with test money, later with money; a third renewal was given back, with its days.
    ids.moved = await key(null)
    await renew(ids.moved, await pay(sepolia, accounts.tested), 30, -3)
    await renew(ids.moved, await pay(base, accounts.former), 7, -2)
    await renew(ids.moved, await pay(sepolia, accounts.tested, 'refunded'), 100, -1)
    await pay(sepolia, accounts.tested, 'paid')
    await pay(sepolia, accounts.tested, 'settling')
    await sql`insert into strangers (chain_id, transaction, log_index, asset, block_number, block_hash, payer, pay_to, amount,
        seen_at)
      values (${base}, ${found.transaction}, 3, ${asset}, 7, ${hex(32)}, ${hex(20)}, ${accounts.former}, 9, ${new Date(now)})`.execute(
      books.queries,
    )
    const account = { chainId: base, asset, payTo: accounts.compared }
    await books.queries
      .insertInto('reconciled')
      .values({ ...account, openedBlock: 1n, blockNumber: 2n, updatedAt: new Date(now) })
      .execute()
  }

  async function pay(chainId: number, payTo: string, state: PaymentState = 'final'): Promise<string> {
    const time = inDays(-10)
    const payment = newPayment({ chainId, payTo, asset })
    const row: Insertable<Tables['payments']> = {
      ...payment,
      state,
      attempt: 1,
      tries: 0,
      leaseUntil: time,
      createdAt: time,
      updatedAt: time,
    }
    await books.queries.insertInto('payments').values(row).execute()
    return payment.id
  }

  /** Makes a key as the previous version did, valid for 200 days. */
  async function key(paymentId: string | null): Promise<string> {
    const id = hex(8).slice(2)
    const made = { tier: 'pro', owner: '', label: '', createdAt: new Date(now), expiresAt: inDays(200) }
    await books.queries
      .insertInto('keys')
      .values({ id, hash: hex(32), paymentId, ...made })
      .execute()
    return id
  }

  async function renew(keyId: string, paymentId: string, days: number, at: number): Promise<void> {
    await sql`insert into key_renewals (payment_id, key_id, days, created_at)
      values (${paymentId}, ${keyId}, ${days}, ${inDays(at)})`.execute(books.queries)
  }

  const keyOf = (id = '') =>
    books.queries
      .selectFrom('keys')
      .select(['chainId', 'expiresAt'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()

  test('a key has the network of the payment that bought it, and none where no payment did', async () => {
    expect(await keyOf(ids.tested)).toEqual({ chainId: sepolia, expiresAt: inDays(200) })
    expect(await keyOf(ids.real)).toEqual({ chainId: base, expiresAt: inDays(200) })
    expect(await keyOf(ids.made)).toEqual({ chainId: null, expiresAt: inDays(200) })
  })

  test('a key of the operator’s has the network of its newest renewal, without the days of another', async () => {
    expect(await keyOf(ids.renewed)).toEqual({ chainId: sepolia, expiresAt: inDays(200) })
    expect(await keyOf(ids.moved)).toEqual({ chainId: base, expiresAt: inDays(170) })
  })

  test('a key that a gateway of the previous version sells beside this one has the network of its payment', async () => {
    expect(await keyOf(ids.beside)).toMatchObject({ chainId: sepolia })
  })

  test('every account that received payments is known, the last one in use first', async () => {
    const known = async (chainId: number) =>
      (await receivingAccounts(books, { chainId, asset })).map(({ payTo }) => payTo)
    expect(await known(sepolia)).toEqual([accounts.tested])
    expect(await known(base)).toEqual([accounts.compared, accounts.former])
    await noteReceivingAccount(
      { ...books, clock: { now: () => now + 1 } },
      { chainId: base, asset, payTo: accounts.former },
    )
    expect(await known(base)).toEqual([accounts.former, accounts.compared])
  })

  test('what the books hold of another network is counted, and what they hold of every network', async () => {
    expect(await otherNetworks(books, base)).toEqual([
      { chainId: sepolia, payments: 7, owed: 1, open: 1, keys: 3 },
    ])
    expect(await otherNetworks(books, sepolia)).toEqual([
      { chainId: base, payments: 2, owed: 0, open: 0, keys: 2 },
    ])
    expect(await keysOfAnyNetwork(books)).toBe(1)
  })

  test('payments of the previous version are refunded whole or in part, and new ones are claimed', async () => {
    const signing = { refundFrom: hex(20), refundUntil: 1n }
    const refund = async (amount?: bigint) =>
      beginRefund(books, await pay(base, accounts.former), signing, leaseMs, { amount })
    expect(await refund()).toMatchObject({ amount: 250_000n, refundAmount: 250_000n })
    expect(await refund(1n)).toMatchObject({ amount: 250_000n, refundAmount: 1n })
    expect(await refund(250_001n)).toBeUndefined()
    const purchase = newPayment({ chainId: base, asset, idempotencyKey: 'same' })
    expect((await claim(books, purchase, limits)).kind).toBe('claimed')
    const elsewhere = { ...purchase, id: hex(32), nonce: hex(32), chainId: sepolia }
    expect((await claim(books, elsewhere, limits)).kind).toBe('claimed')
    expect(await findPayment(books, purchase.id)).toMatchObject({ refundAmount: null, refundReason: null })
  })

  test('an unmatched transfer of the previous version is unexplained, and is adopted with its account', async () => {
    const open = async (chainId: number) =>
      (await sumUnmatchedTransfers(books, { chainId, asset }, 'open')).transfers
    expect([await open(base), await open(sepolia)]).toEqual([1, 0])
    const { id, nonce, scheme, authorized, facilitator, validAfter, validBefore, signature } = newPayment({
      amount: 9n,
    })
    const adoption = { id, nonce, scheme, authorized, facilitator, validAfter, validBefore, signature }
    expect(await adopt(books, { ...found, chainId: sepolia }, { ...adoption, state: 'paid' })).toBe(false)
    expect(await adopt(books, found, { ...adoption, state: 'paid' })).toBe(true)
    expect(await open(base)).toBe(0)
    expect(await findPayment(books, id)).toMatchObject({
      chainId: base,
      payTo: accounts.former,
      amount: 9n,
      state: 'paid',
    })
  })
})
