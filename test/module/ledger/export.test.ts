import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoint } from '../../../src/core/endpoint.ts'
import type { Reply } from '../../../src/core/reply.ts'
import { checksummed } from '../../../src/doors/ledger/address.ts'
import { claim } from '../../../src/doors/ledger/claim.ts'
import { markServed, markSettled } from '../../../src/doors/ledger/grouped-moves.ts'
import { beginRefund, markRefunded } from '../../../src/doors/ledger/refunds.ts'
import { exportHandlers, exportRows } from '../../../src/edge/handlers/operator/export.ts'
import type { Books } from '../../../src/platform/store/books.ts'
import { contextOf } from '../../support/gateways/context.ts'
import { balances, readJournal } from '../../support/gateways/journal.ts'
import {
  hex,
  leaseMs,
  limits,
  newPayment,
  type Opened,
  openFolder,
  openServer,
} from '../../support/stores/ledger.ts'

/** Exports in parts, like those of large books; here a part is three rows, read two at a time. */

const reply: Reply = { status: 200, headers: {}, body: new Uint8Array() }
const currency = { chainId: 84_532, asset: hex(20) }
const payTo = hex(20)
const refunder = hex(20)

describe.each([
  ['PGlite', openFolder],
  ['PostgreSQL', openServer],
])('an export from %s', (_driver, open) => {
  let opened: Opened
  const clock = { time: Date.UTC(2026, 4, 1), now: () => clock.time }
  let books: Books
  const settled: string[] = []

  beforeAll(async () => {
    opened = await open()
    books = { queries: opened.one.queries, clock }
    for (let n = 0; n < 8; n++) {
      clock.time += n % 3
      settled.push(await settle(BigInt(n + 1)))
    }
    const [first = ''] = settled
    const row = await beginRefund(books, first, { refundFrom: refunder, refundUntil: 1n }, leaseMs)
    if (!row) throw new Error('there was nothing to refund')
    await markRefunded(books, row, hex(32))
    // Real money and test tokens are never added up.
    await settle(1_000n, 8_453)
  })
  afterAll(() => opened.close())

  async function settle(amount: bigint, chainId = 84_532): Promise<string> {
    const payment = newPayment({ ...currency, chainId, payTo: payTo, amount })
    await claim(books, payment, limits)
    await markServed(books, { id: payment.id, attempt: 1 }, reply, leaseMs)
    const mined = { transaction: hex(32), block: { number: 7n, hash: hex(32) }, at: new Date(clock.time) }
    await markSettled(books, { id: payment.id, attempt: 1 }, mined)
    return payment.id
  }

  function exportAt(...limits: Parameters<typeof exportHandlers>) {
    return endpoint('exportLedger', exportRows.exportLedger, exportHandlers(...limits).exportLedger)
  }

  async function part(query: object, most: number, page: number): Promise<Reply> {
    const { prepare } = exportAt(books, currency, most, page)
    return prepare({ query })(contextOf())
  }

  async function parts(
    format: string,
    most: number,
    page: number,
  ): Promise<{ text: string; rows: number[] }> {
    let text = ''
    let cursor: string | undefined
    const rows: number[] = []
    do {
      const { body, headers } = await part({ format, ...(cursor ? { cursor } : {}) }, most, page)
      text += new TextDecoder().decode(body)
      rows.push(Number(headers['x-row-count']))
      cursor = headers['x-next-cursor']
    } while (cursor !== undefined)
    return { text, rows }
  }

  test.each(['csv', 'journal'])(
    'an export as %s is the same text whatever the size of its pages',
    async (format) => {
      const whole = await parts(format, 1_000, 1_000)
      expect(whole.rows).toEqual([9])
      expect((await parts(format, 3, 2)).rows).toEqual([3, 3, 3])
      for (const [most, page] of [
        [3, 2],
        [1, 1],
        [4, 4],
        [9, 2],
      ] as const) {
        expect((await parts(format, most, page)).text).toBe(whole.text)
      }
    },
  )

  test('an export as CSV has one header and every payment of every network once', async () => {
    const { text } = await parts('csv', 3, 2)
    const lines = text.trimEnd().split('\r\n')
    expect(lines.filter((line) => line.startsWith('paymentId'))).toHaveLength(1)
    expect(new Set(lines.slice(1).map((line) => line.split(',')[0])).size).toBe(9)
    expect(lines.filter((line) => line.includes('eip155:8453,'))).toHaveLength(1)
  })

  test('an export as a journal balances, in each entry and in total, on the network in use', async () => {
    const journal = readJournal((await parts('journal', 3, 2)).text)
    for (const { postings } of journal) {
      expect(postings.reduce((total, { amount }) => total + amount, 0n)).toBe(0n)
    }
    expect(journal.map(({ date }) => date)).toEqual(journal.map(({ date }) => date).toSorted())
    expect(balances(journal)).toEqual(
      new Map([
        [`Assets:USDC:${checksummed(payTo)}`, 36n],
        [`Assets:USDC:${checksummed(refunder)}`, -1n],
        ['Income:researchLead', -35n],
      ]),
    )
  })

  test('an export ends when its reader disconnects', async () => {
    const { prepare } = exportAt(books, currency, 1_000, 1)
    const context = contextOf({ signal: AbortSignal.abort(new Error('gone')) })
    await expect(prepare({ query: { format: 'csv' } })(context)).rejects.toThrow('gone')
  })
})
