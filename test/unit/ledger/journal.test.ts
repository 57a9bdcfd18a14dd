import { getAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Entry } from '../../../src/doors/ledger/export/entries.ts'
import { journalEntries, journalHeader } from '../../../src/doors/ledger/export/journal.ts'
import { balances, readJournal } from '../../support/gateways/journal.ts'

const payer = '0x90f79bf6eb2c4f870365e785982e1f101e93b906'
const payTo = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const refunder = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'
const hash = (digit: string) => `0x${digit.repeat(64)}`

const sale: Entry = {
  kind: 'sale',
  at: new Date('2026-05-31T23:59:59.999Z'),
  id: hash('a'),
  operation: 'researchLead',
  upstream: null,
  purpose: null,
  payer,
  account: payTo,
  amount: 250_000n,
  reason: null,
  transaction: hash('1'),
  blockNumber: 17n,
  isFinal: true,
}
const refund: Entry = {
  ...sale,
  kind: 'refund',
  at: new Date('2026-06-01T00:00:00.000Z'),
  account: refunder,
  transaction: hash('2'),
  blockNumber: null,
}
const stranger: Entry = {
  ...sale,
  kind: 'stranger',
  id: `${hash('3')}:12`,
  operation: null,
  amount: 1n,
  transaction: hash('3'),
}

const cost: Entry = { ...sale, kind: 'cost', upstream: 'model', amount: 70_000n, blockNumber: null }

const gas: Entry = {
  ...sale,
  kind: 'gas',
  id: hash('5'),
  operation: null,
  purpose: 'settlement',
  payer: null,
  amount: 8_601_600_000_001n,
  transaction: hash('5'),
}

const read = (...entries: readonly Entry[]) =>
  readJournal(journalHeader('eip155:84532') + journalEntries(entries))

describe('the journal', () => {
  test('the journal books a sale on its day in UTC, with the payment as its code and its transaction', () => {
    expect(read(sale)).toEqual([
      {
        date: '2026-05-31',
        status: '*',
        code: hash('a'),
        description: 'researchLead',
        tags: new Map([
          ['time', '2026-05-31T23:59:59.999Z'],
          ['transaction', hash('1')],
          ['block', '17'],
          ['payer', getAddress(payer)],
        ]),
        postings: [
          { account: `Assets:USDC:${getAddress(payTo)}`, amount: 250_000n, commodity: 'USDC' },
          { account: 'Income:researchLead', amount: -250_000n, commodity: 'USDC' },
        ],
      },
    ])
  })

  test('the journal books a refund in reverse, from the account that paid it, on its own day', () => {
    expect(read(refund)).toMatchObject([
      {
        date: '2026-06-01',
        code: hash('a'),
        description: 'Refund of researchLead',
        postings: [
          { account: 'Income:researchLead', amount: 250_000n },
          { account: `Assets:USDC:${getAddress(refunder)}`, amount: -250_000n },
        ],
      },
    ])
  })

  test('the journal books an unmatched transfer as a liability', () => {
    expect(read(stranger)).toMatchObject([
      {
        code: `${hash('3')}:12`,
        postings: [
          { account: `Assets:USDC:${getAddress(payTo)}`, amount: 1n },
          { account: 'Liabilities:Unmatched', amount: -1n },
        ],
      },
    ])
  })

  test('the journal books an adopted transfer as a liability too, and its refund against it, with the reason', () => {
    const adopted = { operation: 'adopted-transfer', amount: 9n }
    const journal = read({ ...sale, ...adopted }, { ...refund, ...adopted, reason: 'sent twice' })
    expect(journal[1]?.tags.get('reason')).toBe('sent twice')
    expect(balances(journal.slice(0, 1)).get('Liabilities:Unmatched')).toBe(-9n)
    expect(balances(journal)).toEqual(
      new Map([
        [`Assets:USDC:${getAddress(payTo)}`, 9n],
        [`Assets:USDC:${getAddress(refunder)}`, -9n],
      ]),
    )
  })

  test('the journal books a payment to an upstream as an expense from our wallet, with its payee', () => {
    expect(read(cost)).toMatchObject([
      {
        description: 'model for researchLead',
        tags: new Map([
          ['time', '2026-05-31T23:59:59.999Z'],
          ['transaction', hash('1')],
          ['payee', getAddress(payer)],
        ]),
        postings: [
          { account: 'Expenses:model', amount: 70_000n },
          { account: `Assets:USDC:${getAddress(payTo)}`, amount: -70_000n },
        ],
      },
    ])
    expect(read({ ...cost, transaction: null })[0]?.tags.has('transaction')).toBe(false)
  })

  test('the journal books gas in ether as an expense of the account that paid it, and never in USDC', () => {
    const transactions = read(sale, gas)
    expect(transactions[1]).toEqual({
      date: '2026-05-31',
      status: '*',
      code: hash('5'),
      description: 'Gas of settlement',
      tags: new Map([
        ['time', '2026-05-31T23:59:59.999Z'],
        ['transaction', hash('5')],
        ['block', '17'],
      ]),
      postings: [
        { account: 'Expenses:Gas:settlement', amount: 8_601_600_000_001n, commodity: 'ETH' },
        { account: `Assets:ETH:${getAddress(payTo)}`, amount: -8_601_600_000_001n, commodity: 'ETH' },
      ],
    })
    expect(balances(transactions)).toEqual(balances(read(sale)))
  })

  test('the journal marks entries as pending while the chain may drop them', () => {
    expect(read({ ...sale, isFinal: false })).toMatchObject([{ status: '!' }])
  })

  test('a sale and its refund leave no income in the journal, and the money where it is', () => {
    expect(balances(read(sale, refund))).toEqual(
      new Map([
        [`Assets:USDC:${getAddress(payTo)}`, 250_000n],
        [`Assets:USDC:${getAddress(refunder)}`, -250_000n],
      ]),
    )
  })

  test.each([1n, 999_999n, 1_000_000n, 123_456_789_012_345_678n])(
    'the journal writes %s atomic units with six decimals, and both postings cancel out',
    (amount) => {
      const [transaction] = read({ ...sale, amount })
      expect(transaction?.postings.map((posting) => posting.amount)).toEqual([amount, -amount])
    },
  )

  test('a journal without entries is valid', () => {
    expect(read()).toEqual([])
    expect(journalEntries([])).toBe('')
  })
})
