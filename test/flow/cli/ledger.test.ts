import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  adoptionSchema,
  paymentListSchema,
  reconciliationSchema,
  refundSchema,
  totalsSchema,
  unmatchedTransfersSchema,
} from '../../../src/edge/handlers/operator/replies.ts'
import { bookedSchema } from '../../../src/edge/handlers/payments/replies.ts'
import { createReceivingAccount } from '../../support/chain/receiving-account.ts'
import { signPayment } from '../../support/chain/wallet.ts'
import { balances, readJournal } from '../../support/gateways/journal.ts'
import { type Ended, openWorkplace, type Workplace } from '../../support/gateways/process.ts'
import { openShop, type Shop } from '../../support/gateways/shop.ts'
import { startStandIn } from '../../support/servers/stand-in.ts'

/**
 * `tollgate ledger` and `tollgate refund` as an operator types them, with the data folder of a gateway that made its
 * own token and has sold something.
 */

let workplace: Workplace
let dataDir: string
let shop: Shop

beforeAll(async () => {
  workplace = await openWorkplace()
  dataDir = join(workplace.folder, 'data')
  shop = await openShop({ DATA_DIR: dataDir, OPERATOR_TOKEN: '' })
})
afterAll(async () => {
  await shop.close()
  await workplace.close()
})

const tollgate = (
  args: readonly string[],
  settings: Readonly<Record<string, string>> = { DATA_DIR: dataDir },
) => workplace.run('cli', { args, settings })
const ledger = (...args: string[]) => tollgate(['ledger', ...args])
const lines = ({ stdout }: Ended) => stdout.trimEnd().split('\n')
const file = (name: string) => join(workplace.folder, name)

describe('tollgate ledger', () => {
  test('list, totals, export and reconcile equal the transfers on the chain, to the atomic unit', async () => {
    const onChain = await shop.takings()
    const sum = onChain.reduce((total, { value }) => total + value, 0n)
    expect(sum).toBe(550_000n)

    const totals = await ledger('totals', '--json')
    expect(totals).toMatchObject({ code: 0, stderr: '' })
    expect(totalsSchema.parse(JSON.parse(totals.stdout))).toMatchObject({
      taken: { payments: 4, amountAtomic: '550000' },
      net: { amountAtomic: '550000' },
    })

    const list = await ledger('list', '--json')
    const { payments } = paymentListSchema.parse(JSON.parse(list.stdout))
    expect(payments.map(({ paymentId }) => paymentId)).toEqual(shop.bought.map(({ id }) => id).reverse())
    expect(payments.reduce((total, { amountAtomic }) => total + BigInt(amountAtomic), 0n)).toBe(sum)

    const csv = await ledger('export', '--format', 'csv')
    expect(csv).toMatchObject({ code: 0, stderr: '' })
    expect(
      csv.stdout
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(',')[0]),
    ).toEqual(shop.bought.map(({ id }) => id))

    const target = file('books.journal')
    const journal = await ledger('export', '--format', 'journal', '--output', target, '--json')
    expect(JSON.parse(journal.stdout)).toEqual({ file: target, format: 'journal', rows: 8 })
    const entries = readJournal(await readFile(target, 'utf8'))
    for (const { postings } of entries) {
      expect(postings.reduce((total, { amount }) => total + amount, 0n)).toBe(0n)
    }
    expect(balances(entries)).toEqual(
      new Map([
        [`Assets:USDC:${getAddress(shop.payTo)}`, sum],
        ['Income:analyzeBusiness', -300_000n],
        ['Income:researchLead', -250_000n],
      ]),
    )
    expect(new Set(entries.map(({ tags }) => tags.get('transaction')))).toEqual(
      new Set<string | undefined>(onChain.map(({ transaction }) => transaction)),
    )

    const report = await ledger('reconcile', '--since', '1h', '--json')
    expect(report).toMatchObject({ code: 0, stderr: '' })
    expect(reconciliationSchema.parse(JSON.parse(report.stdout))).toMatchObject({
      chain: { transfers: 4, amountAtomic: '550000' },
      difference: { amountAtomic: '0' },
      closes: true,
    })
  })

  test('list, totals, show and reconcile print the same figures as tables', async () => {
    const [newest] = [...shop.bought].reverse()
    const list = lines(await ledger('list', '--operation', 'analyzeBusiness', '--limit', '1'))
    expect(list).toHaveLength(2)
    expect(list[0]).toMatch(/^ +state +USDC +operation +payment +refund$/)
    expect(list[1]).toMatch(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ {2}(settled|final) +0\.10 {2}analyzeBusiness {2}0x/,
    )
    expect(list[1]).toContain(newest?.id)

    const totals = lines(await ledger('totals')).map((line) => line.trim().split(/ +/))
    expect(totals).toContainEqual(['money', 'taken', '4', '0.55'])
    expect(totals).toContainEqual(['money', 'kept', '(net)', '0.55'])
    expect(totals).toContainEqual(['gas', 'paid', '4', expect.stringMatching(/^0\.\d+$/)])

    const today = new Date().toISOString().slice(0, 10)
    const byDay = lines(await ledger('totals', '--by', 'day', '--since', '1h')).map((line) =>
      line.trim().split(/ +/),
    )
    const [head, ...days] = byDay
    expect(head?.slice(0, 4)).toEqual(['payments', 'taken', 'given', 'back'])
    expect(days.map(([day]) => day)).toEqual(expect.arrayContaining([today, 'all']))
    expect(days.at(-1)?.slice(1, 6)).toEqual(['4', '0.55', '0.00', '0.55', '0.00'])
    const before = await ledger('totals', '--by', 'month', '--until', '2026-01-01', '--json')
    expect(totalsSchema.parse(JSON.parse(before.stdout))).toMatchObject({
      since: null,
      until: Date.UTC(2026, 0, 1) / 1000,
      taken: { payments: 0, amountAtomic: '0' },
      gas: { transactions: 0, amountWei: '0' },
      periods: [],
    })
    expect((await ledger('totals', '--by', 'week')).stderr).toContain('Allowed choices are day, month.')

    const shown = await ledger('show', newest?.id ?? '')
    expect(lines(shown)).toContainEqual(expect.stringMatching(/^payer +0x[0-9a-fA-F]{40}$/))
    expect(lines(shown)).toContainEqual(expect.stringMatching(/^settledAt +\d{4}-.*Z$/))
    expect(lines(shown)).toContainEqual(expect.stringMatching(/^reply +status 200, \d+ bytes$/))
    expect(
      bookedSchema.parse(JSON.parse((await ledger('show', newest?.id ?? '', '--json')).stdout)),
    ).toMatchObject({
      paymentId: newest?.id,
    })

    const report = await ledger('reconcile')
    expect(lines(report)[0]).toMatch(/^on the chain +4 +0\.55$/)
    expect(report.stderr).toContain('The books match the chain.')
  })

  test('list --cursor continues where the last page ended', async () => {
    const first = await ledger('list', '--limit', '3')
    const cursor = /^There are more: --cursor (\S+)$/m.exec(first.stderr)?.[1] ?? ''
    const second = await ledger('list', '--limit', '3', '--cursor', cursor)
    expect([lines(first).length, lines(second).length, second.stderr]).toEqual([4, 2, ''])
    expect(second.stdout).toContain(shop.bought[0]?.id)
  })

  test('prints why the gateway refuses an option', async () => {
    const unread = await ledger('list', '--since', '5x')
    expect(unread).toMatchObject({ code: 1, stdout: '' })
    expect(unread.stderr).toMatch(/24h or 7d.*a date/)
    const refused = await ledger('list', '--since', '2026-13-77')
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(
      /does not have the expected shape.*\n\{"field":"since","expected":"Unix seconds/,
    )
    expect((await ledger('show', '0x12')).stderr).toContain('0x and 64 hex digits')
    expect((await ledger('show', `0x${'00'.repeat(32)}`)).stderr).toContain(
      'No payment in this ledger has this id',
    )
  })

  test('reconcile exits with 1 and names the payment that is missing on the chain', async () => {
    const { queries } = shop.gateway.services
    const [{ id } = { id: '' }] = shop.bought
    const found = await queries
      .selectFrom('payments')
      .select('transaction')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await queries
      .updateTable('payments')
      .set({ transaction: `0x${'00'.repeat(32)}` })
      .where('id', '=', id)
      .execute()
    const people = await ledger('reconcile')
    const programs = await ledger('reconcile', '--json')
    await queries.updateTable('payments').set(found).where('id', '=', id).execute()
    expect([people.code, programs.code]).toEqual([1, 1])
    expect(people.stdout).toContain(`missing on the chain: 0.10 USDC of payment ${id}`)
    expect(people.stderr).toContain('The books do not match the chain.')
    expect(JSON.parse(programs.stdout)).toMatchObject({ closes: false, missing: [{ paymentId: id }] })
  })
})

describe('tollgate refund', () => {
  test('moves no money without a terminal or --yes', async () => {
    const [, { id } = { id: '' }] = shop.bought
    const refused = await tollgate(['refund', id])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain(`0.25 USDC of ${shop.payer.address} for researchLead`)
    expect(refused.stderr).toContain('Nothing was refunded: without a terminal, pass --yes.')
    expect(JSON.parse((await ledger('show', id, '--json')).stdout)).toMatchObject({ refundTransaction: null })
  })

  test('refunds once, and prints the same transaction when it is run again', async () => {
    const [, { id } = { id: '' }] = shop.bought
    await shop.chain.mint(shop.refunder, 250_000n)
    const refunded = await tollgate(['refund', id, '--before-final', '--yes'])
    expect(refunded).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^refunded in transaction 0x\w{64}\n$/),
    })
    const again = await tollgate(['refund', id, '--json'])
    expect(again.code).toBe(0)
    expect(refunded.stdout).toContain(refundSchema.parse(JSON.parse(again.stdout)).transaction)
    expect(lines(await ledger('totals')).join('\n')).toMatch(/^money given back +1 +0\.25$/m)
  })

  test('refunds a part with a reason, which list and show print', async () => {
    const id = shop.bought[2]?.id ?? ''
    const args = ['refund', id, '--amount', '0.05', '--reason', 'half of it', '--before-final', '--yes']
    await shop.chain.mint(shop.refunder, 50_000n)
    const refunded = await tollgate([...args, '--json'])
    expect(refundSchema.parse(JSON.parse(refunded.stdout))).toMatchObject({
      state: 'refunded',
      amountAtomic: '50000',
      reason: 'half of it',
    })
    expect(JSON.parse(refunded.stdout)).toMatchObject({ alreadyRefunded: false })
    expect(refunded.stderr).toContain(`Refunding 0.05 of 0.10 USDC to 0x`)
    const again = await tollgate(args)
    expect(again).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^already refunded in transaction 0x/),
    })
    expect(again.stderr).not.toContain('Refunding')
    const whole = await tollgate(['refund', id, '--yes'])
    expect([whole.code, whole.stderr]).toEqual([1, expect.stringContaining('a refund of 0.05 USDC already')])
    expect(lines(await ledger('list', '--state', 'refunded'))).toContainEqual(
      expect.stringMatching(/^.*0\.10 {2}analyzeBusiness {2}0x\w{64} {2}0\.05$/),
    )
    expect(lines(await ledger('show', id))).toContainEqual(
      expect.stringMatching(/^refundReason +half of it$/),
    )
    const totals = lines(await ledger('totals')).join('\n')
    expect(totals).toMatch(/^money given back +2 +0\.30$/m)
    // The row of a payment has all that was paid, and says so.
    expect(totals).toMatch(/^analyzeBusiness +refunded, all or part +\d+ +0\.[12]0$/m)
  })

  test('exits with 1 and says why while the refund is not done', async () => {
    const payment = (await ledger('show', shop.bought[0]?.id ?? '', '--json')).stdout
    const outcome = {
      paymentId: shop.bought[0]?.id,
      state: 'refunding',
      amount: '0.10',
      amountAtomic: '100000',
      reason: null,
      transaction: null,
      failure: 'no gas',
      alreadyRefunded: false,
    }
    const server = await startStandIn((req, res) => {
      res
        .writeHead(req.method === 'GET' ? 200 : 202)
        .end(req.method === 'GET' ? payment : JSON.stringify(outcome))
    })
    const args = ['refund', shop.bought[0]?.id ?? '', '--yes', '--url', server.url]
    const people = await tollgate(args)
    const programs = await tollgate([...args, '--json'])
    await server.close()
    expect(people).toMatchObject({ code: 1, stdout: 'not refunded yet: no gas\n' })
    expect(programs.code).toBe(1)
    expect(JSON.parse(programs.stdout)).toEqual(outcome)
  })
})

describe('ledger export of more payments than one reply holds', () => {
  const many = 25_000

  beforeAll(async () => {
    await sql`
      insert into payments (id, chain_id, asset, payer, nonce, pay_to, amount, authorized, valid_after, valid_before,
        signature, version, operation, request_hash, timing, state, attempt, tries, lease_until, transaction, block_number,
        block_hash, settled_at, created_at, updated_at)
      select '0x' || lpad(to_hex(n), 64, '0'), chain_id, asset, payer, '0x' || lpad(to_hex(n), 64, '0'), pay_to, 1, 1,
        valid_after, valid_before, signature, version, 'bulk', request_hash, timing, 'final', 1, 0, lease_until,
        transaction, block_number, block_hash, settled_at - interval '1 year', created_at - interval '1 year', updated_at
      from payments, generate_series(1, ${many}::integer) as n where id = ${shop.bought[0]?.id}
    `.execute(shop.gateway.services.queries)
  })
  afterAll(async () => {
    await shop.gateway.services.queries.deleteFrom('payments').where('operation', '=', 'bulk').execute()
  })

  test('writes one CSV file with one header, and one journal that balances', async () => {
    const [csv, journal] = [file('many.csv'), file('many.journal')]
    const written = await ledger('export', '--format', 'csv', '-o', csv, '--json')
    expect(JSON.parse(written.stdout)).toEqual({ file: csv, format: 'csv', rows: many + 4 })
    const rows = (await readFile(csv, 'utf8')).trimEnd().split('\r\n')
    expect(rows.filter((row) => row.startsWith('paymentId,'))).toHaveLength(1)
    expect(new Set(rows.slice(1).map((row) => row.split(',')[0])).size).toBe(many + 4)

    const until = ['--until', new Date(Date.now() - 86_400_000).toISOString()]
    expect((await ledger('export', '-f', 'journal', ...until, '-o', journal)).stderr).toBe(
      `${journal}: ${many} entries\n`,
    )
    const entries = readJournal(await readFile(journal, 'utf8'))
    expect(new Set(entries.map(({ code }) => code)).size).toBe(many)
    expect(balances(entries).get('Income:bulk')).toBe(BigInt(-many))
  })

  test('leaves the old file untouched and no draft behind when the download breaks off', async () => {
    const target = file('kept.csv')
    await writeFile(target, 'the last good one')
    const server = await startStandIn((req, res) => {
      if (req.url?.includes('cursor=')) res.destroy()
      else res.writeHead(200, { 'x-next-cursor': 'more', 'x-row-count': '1' }).end('half\r\n')
    })
    const broken = await ledger('export', '--format', 'csv', '-o', target, '--url', server.url)
    await server.close()
    expect(broken.code).toBe(1)
    expect(broken.stderr).toMatch(/^The gateway at \S+ does not answer: /)
    expect(await readFile(target, 'utf8')).toBe('the last good one')
    expect(await readdir(workplace.folder)).not.toContain('kept.csv.part')
  })

  test('says when the folder of the file does not exist', async () => {
    const refused = await ledger('export', '--format', 'csv', '-o', file('nowhere/books.csv'))
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(/books\.csv cannot be written: ENOENT/)
  })
})

describe('an unmatched transfer', () => {
  test('fails reconcile with what to do, until the operator dismisses it', async () => {
    expect((await ledger('strangers')).stderr).toContain('There are no unmatched transfers.')
    await shop.chain.mint(shop.payTo, 7n)
    await shop.chain.client.mine({ blocks: 3 })
    const report = await ledger('reconcile')
    expect(report.code).toBe(1)
    expect(lines(report)).toContainEqual(expect.stringMatching(/^difference +0\.000007$/))
    expect(report.stderr).toContain('The books do not match the chain.')
    for (const command of ['ledger adopt', 'refund', 'ledger dismiss']) {
      expect(report.stderr).toContain(`tollgate ${command} TRANSACTION`)
    }
    const [, transaction = ''] =
      /^unmatched transfer: 0\.000007 USDC from 0x0{40} in (0x\w{64})$/m.exec(report.stdout) ?? []
    const open = lines(await ledger('strangers'))
    expect(open[0]).toMatch(/^ +USDC +from +transaction +resolved as$/)
    expect(open[1]).toMatch(/Z {2}0\.000007 {2}0x0{40} {2}0x\w{64}$/)

    const left = await ledger('adopt', transaction)
    expect(left).toMatchObject({ code: 1, stdout: '' })
    expect(left.stderr).toContain('refund it, or dismiss it with a reason')
    const nameless = await ledger('dismiss', transaction)
    expect([nameless.code, nameless.stderr]).toEqual([1, expect.stringContaining('--reason <text>')])
    const dismissed = await ledger('dismiss', transaction, '--reason', 'minted for this test')
    expect(dismissed.stdout).toMatch(/^dismissed: 0\.000007 USDC from 0x0{40}\n$/)

    const closed = await ledger('reconcile')
    expect(closed.code).toBe(0)
    expect(lines(closed)).toContainEqual(expect.stringMatching(/^dismissed +1 +0\.000007$/))
    expect(lines(await ledger('strangers', '--state', 'dismissed'))[1]).toMatch(/ {2}minted for this test$/)
    expect(lines(await ledger('totals')).join('\n')).toMatch(/^dismissed transfers +1 +0\.000007$/m)
    const { stdout } = await ledger('strangers', '--transaction', transaction, '--json')
    expect(unmatchedTransfersSchema.parse(JSON.parse(stdout)).strangers).toMatchObject([
      { state: 'dismissed', reason: 'minted for this test' },
    ])
  })

  test('of a signed payment is adopted once, and of several the operator chooses one to refund', async () => {
    const account = createReceivingAccount(shop.chain, getAddress(shop.payTo))
    const payments = [100_000n, 200_000n].map((amount) =>
      signPayment(shop.payer, amount, { to: account.address }),
    )
    const transaction = await account.submit(...(await Promise.all(payments)))
    const early = await tollgate(['refund', transaction, '--yes'])
    expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('is not final yet')])
    await shop.chain.client.mine({ blocks: 3 })
    expect((await ledger('reconcile')).code).toBe(1)

    const unclear = await tollgate(['refund', transaction, '--yes'])
    expect(unclear).toMatchObject({ code: 1, stdout: '' })
    const all = await ledger('dismiss', transaction, '--reason', 'both')
    expect([all.code, all.stderr]).toEqual([1, expect.stringContaining('several transfers, so choose one')])
    const [, logIndex = ''] = /--log-index (\d+): 0\.20 USDC/.exec(unclear.stderr) ?? []
    await shop.chain.mint(shop.refunder, 200_000n)
    const partial = await tollgate([
      'refund',
      transaction,
      '--log-index',
      logIndex,
      '--amount',
      '0.1',
      '--yes',
    ])
    expect([partial.code, partial.stderr]).toEqual([1, expect.stringContaining('is refunded whole')])
    const unasked = await tollgate(['refund', transaction, '--log-index', logIndex])
    expect([unasked.code, unasked.stderr]).toEqual([1, expect.stringContaining('Nothing was refunded')])
    for (const [more, words] of [
      [['--reason', 'paid twice'], 'refunded'],
      [[], 'already refunded'],
    ] as const) {
      const args = ['refund', transaction, '--log-index', logIndex, ...more, '--yes']
      const refunded = await tollgate(args)
      expect(refunded).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(new RegExp(`^${words} in transaction 0x\\w{64}\n$`)),
      })
    }
    expect(await account.transfers(shop.refunder, shop.payer.address)).toContainEqual(
      expect.objectContaining({ value: 200_000n }),
    )

    const adopted = adoptionSchema.parse(JSON.parse((await ledger('adopt', transaction, '--json')).stdout))
    expect(adopted.transfers.map(({ outcome }) => outcome).toSorted()).toEqual(['adopted', 'known'])
    const again = await ledger('adopt', transaction, '--payer', shop.payer.address)
    expect(again.code).toBe(0)
    expect(lines(again)).toEqual(
      Array(2).fill(expect.stringMatching(/^in the books already: .* is payment 0x/)),
    )
    expect((await ledger('reconcile')).code).toBe(0)
  })

  test('that does not exist is refused', async () => {
    const nowhere = `0x${'00'.repeat(32)}`
    for (const args of [
      ['ledger', 'adopt', nowhere],
      ['refund', nowhere, '--yes'],
      ['ledger', 'dismiss', nowhere, '--reason', 'none'],
    ]) {
      const refused = await tollgate(args)
      expect(refused).toMatchObject({ code: 1, stdout: '' })
      expect(refused.stderr).toMatch(/No unmatched transfer|no unmatched transfer/)
    }
  })
})

test('ledger export refuses --json without -o', async () => {
  expect((await ledger('export', '--format', 'csv', '--json')).stderr).toContain('-o FILE')
})
