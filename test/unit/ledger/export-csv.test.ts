import { describe, expect, test } from 'vitest'
import { csvHeader, csvRows } from '../../../src/doors/ledger/export/csv.ts'
import type { ListedPayment } from '../../../src/doors/ledger/list.ts'

const hash = (digit: string) => `0x${digit.repeat(64)}`

const row: ListedPayment = {
  id: hash('a'),
  chainId: 84_532,
  asset: '0x036cbd53842c5426634e7929541ec2318f3dcf7e',
  payer: '0x90f79bf6eb2c4f870365e785982e1f101e93b906',
  nonce: hash('b'),
  payTo: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  amount: 100_000n,
  scheme: 'upto',
  authorized: 250_000n,
  facilitator: '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
  validAfter: '0',
  validBefore: '1',
  version: 2,
  operation: 'analyzeBusiness',
  requestHash: 'c'.repeat(64),
  timing: 'after',
  idempotencyKey: '=1+1',
  state: 'settled',
  attempt: 1,
  leaseUntil: new Date(0),
  tries: 0,
  transaction: hash('d'),
  blockNumber: 12n,
  blockHash: hash('e'),
  settledAt: new Date('2026-05-01T12:00:00.250Z'),
  failure: null,
  replyStatus: 200,
  refundFrom: null,
  refundUntil: null,
  refundTransaction: null,
  refundAmount: null,
  refundReason: null,
  createdAt: new Date('2026-05-01T11:59:59.000Z'),
  updatedAt: new Date('2026-05-01T12:00:01.000Z'),
  replyBytes: 10,
  position: '2026-05-01T11:59:59.000000Z',
}

const names = csvHeader().trimEnd().split(',')
const cellsOf = (line: string) => Object.fromEntries(line.split(',').map((cell, n) => [names[n], cell]))

describe('the CSV', () => {
  test('the CSV has one header line and one line for each payment, ended as RFC 4180 requires', () => {
    expect(csvHeader()).toMatch(/^paymentId,state,operation,amount,[^\r\n]+\r\n$/)
    const text = csvRows([row, { ...row, id: hash('f') }])
    expect(text).toMatch(/^[^\r\n]+\r\n[^\r\n]+\r\n$/)
    for (const line of text.trimEnd().split('\r\n')) expect(line.split(',')).toHaveLength(names.length)
    expect(csvRows([])).toBe('')
  })

  test('the CSV has amounts as decimal text and in atomic units, the signed amount, times in ISO 8601, and empty cells for unknown values', () => {
    expect(cellsOf(csvRows([row]).trimEnd())).toEqual({
      paymentId: hash('a'),
      state: 'settled',
      operation: 'analyzeBusiness',
      amount: '0.10',
      amountAtomic: '100000',
      asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
      network: 'eip155:84532',
      payer: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
      payTo: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      nonce: hash('b'),
      transaction: hash('d'),
      block: '12',
      settles: 'after',
      failure: '',
      refundTransaction: '',
      refundFrom: '',
      createdAt: '2026-05-01T11:59:59.000Z',
      settledAt: '2026-05-01T12:00:00.250Z',
      updatedAt: '2026-05-01T12:00:01.000Z',
      scheme: 'upto',
      authorizedAtomic: '250000',
      refundAmountAtomic: '',
      refundReason: '',
    })
    const refund = { refundFrom: row.payTo, refundAmount: 30_000n, refundReason: '=sent twice' }
    expect(cellsOf(csvRows([{ ...row, ...refund }]).trimEnd())).toMatchObject({
      amountAtomic: '100000',
      refundAmountAtomic: '30000',
      refundReason: "'=sent twice",
    })
    // An older version has refunded everything, and wrote no amount.
    expect(cellsOf(csvRows([{ ...row, refundFrom: row.payTo }]).trimEnd()).refundAmountAtomic).toBe('100000')
  })

  test.each(['=HYPERLINK("http://x","y")', '+1', '-1', '@SUM(A1)', '\tx', '\rx'])(
    'the CSV never has a cell that a spreadsheet runs: %j',
    (failure) => {
      const text = csvRows([{ ...row, failure }])
      const cell = /after,"?(.)/su.exec(text)?.[1]
      expect(cell).toBe("'")
    },
  )

  test('the CSV shows characters that hide or turn text as question marks', () => {
    expect(csvRows([{ ...row, failure: 'a\u202eb\u200b\0' }])).toContain(',after,a?b??,')
  })

  test('the CSV quotes cells with separators, and doubles quotes', () => {
    expect(csvRows([{ ...row, failure: 'a,"b"\r\nc' }])).toContain(',after,"a,""b""\r\nc",')
  })

  test('the CSV has no text that a payer has chosen', () => {
    expect(csvRows([row])).not.toContain('1+1')
  })
})
