import request from 'supertest'
import { type Address, getAddress, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bind } from '../../../src/core/endpoint.ts'
import { operatorPaymentHandlers, operatorPaymentRows } from '../../../src/edge/handlers/operator/payments.ts'
import {
  auditSchema,
  reconciliationSchema,
  refundSchema,
  totalsSchema,
  unmatchedTransfersSchema,
} from '../../../src/edge/handlers/operator/replies.ts'
import { devSettler } from '../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import { contextOf } from '../../support/gateways/context.ts'
import { operatorToken, startGateway } from '../../support/gateways/gateway.ts'
import { balances, readJournal } from '../../support/gateways/journal.ts'
import { openShop, type Shop } from '../../support/gateways/shop.ts'
import { startRpcProxy } from '../../support/servers/rpc-proxy.ts'

/** The operator reads the books after payments on a real chain. */

const network = networks['base-sepolia']

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

describe('the books', () => {
  test('in totals, list, export and reconciliation agree with the chain to the atomic unit', async () => {
    const onChain = await shop.takings()
    const sum = onChain.reduce((total, { value }) => total + value, 0n)
    expect(sum).toBe(550_000n)

    const totals = totalsSchema.parse((await shop.asOperator('get', '/operator/totals')).body)
    expect(totals).toMatchObject({
      network: 'eip155:84532',
      asset: network.usdc.address,
      taken: { payments: 4, amount: '0.55', amountAtomic: '550000' },
      refunded: { payments: 0, amount: '0.00' },
      net: { amount: '0.55', amountAtomic: '550000' },
      strangers: { transfers: 0, amountAtomic: '0' },
      gas: { transactions: 4 },
    })
    const byOperation = new Map<string, bigint>()
    for (const { operation, amountAtomic } of totals.operations) {
      byOperation.set(operation, (byOperation.get(operation) ?? 0n) + BigInt(amountAtomic))
    }

    const journal = readJournal((await shop.asOperator('get', '/operator/export?format=journal')).text)
    const sales = journal.filter(({ postings }) => postings.every(({ commodity }) => commodity === 'USDC'))
    const gas = journal.filter(({ postings }) => postings.every(({ commodity }) => commodity === 'ETH'))
    expect(sales.map(({ code }) => code).sort()).toEqual(shop.bought.map(({ id }) => id).sort())
    expect(gas.map(({ code }) => code).sort()).toEqual(
      onChain.map(({ transaction }) => transaction).toSorted(),
    )
    expect(sales.length + gas.length).toBe(journal.length)
    for (const { postings } of journal) {
      expect(postings.reduce((total, { amount }) => total + amount, 0n)).toBe(0n)
    }
    expect(balances(journal, 'ETH')).toEqual(
      new Map([
        ['Expenses:Gas:settlement', BigInt(totals.gas.amountWei)],
        [`Assets:ETH:${devSettler.address}`, -BigInt(totals.gas.amountWei)],
      ]),
    )
    const receipts = await Promise.all(
      onChain.map(({ transaction }) => shop.chain.client.getTransactionReceipt({ hash: transaction })),
    )
    const spent = receipts.reduce((wei, receipt) => wei + receipt.gasUsed * receipt.effectiveGasPrice, 0n)
    expect(BigInt(totals.gas.amountWei)).toBe(spent)
    expect(balances(journal)).toEqual(
      new Map([
        [`Assets:USDC:${getAddress(shop.payTo)}`, sum],
        ...[...byOperation].map(([operation, amount]) => [`Income:${operation}`, -amount] as const),
      ]),
    )
    expect(new Set(journal.map(({ tags }) => tags.get('transaction')))).toEqual(
      new Set<Hex | undefined>(onChain.map(({ transaction }) => transaction)),
    )

    const csv = await shop.asOperator('get', '/operator/export?format=csv')
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
    expect(csv.headers['x-row-count']).toBe('4')
    expect(csv.headers['x-next-cursor']).toBeUndefined()
    const [header = '', ...lines] = csv.text.trimEnd().split('\r\n')
    const column = (name: string) => lines.map((line) => line.split(',')[header.split(',').indexOf(name)])
    expect(column('paymentId')).toEqual(shop.bought.map(({ id }) => id))
    expect(column('amountAtomic')).toEqual(shop.bought.map(({ amount }) => amount.toString()))

    const gasCsv = await shop.asOperator('get', '/operator/export?format=gas')
    const [gasHeader = '', ...gasLines] = gasCsv.text.trimEnd().split('\r\n')
    expect(gasHeader).toBe(
      'transaction,purpose,amount,amountWei,currency,network,account,reverted,block,seenAt',
    )
    expect(gasLines.map((line) => line.split(',')[0]).sort()).toEqual(gas.map(({ code }) => code).sort())
    const wei = gasLines.map((line) => BigInt(line.split(',')[3] ?? ''))
    expect(wei.reduce((total, one) => total + one, 0n)).toBe(spent)

    const report = reconciliationSchema.parse(
      (await shop.asOperator('post', '/operator/reconcile').send({})).body,
    )
    expect(report).toMatchObject({
      chain: { transfers: 4, amountAtomic: '550000' },
      books: { payments: 4, amountAtomic: '550000' },
      difference: { amountAtomic: '0' },
      strangers: [],
      missing: [],
      closes: true,
    })
  })

  test('exported for a future hour are empty, in both formats', async () => {
    const later = Math.floor(Date.now() / 1000) + 3_600
    const csv = await shop.asOperator('get', `/operator/export?format=csv&since=${later}`)
    expect(csv.text).toMatch(/^paymentId,[^\n]+\r\n$/)
    const journal = await shop.asOperator('get', `/operator/export?format=journal&since=${later}`)
    expect(readJournal(journal.text)).toEqual([])
  })

  test.each([
    ['format=pdf', 'format'],
    ['', 'format'],
    ['format=csv&since=never', 'since'],
    [`format=csv&cursor=${cursor(['2026-05-01T00:00:00.000000Z', 'sale', 'x'])}`, 'cursor'],
    [`format=journal&cursor=${cursor(['2026-05-01T00:00:00.000000Z', `0x${'00'.repeat(32)}`])}`, 'cursor'],
  ])('are not exported with %s, and the faulty field is named', async (query, field) => {
    const reply = await shop.asOperator('get', `/operator/export?${query}`)
    expect([reply.status, reply.body.details?.issues[0].field]).toEqual([400, field])
  })

  function cursor(position: readonly string[]): string {
    return Buffer.from(JSON.stringify(position)).toString('base64url')
  }

  test.each([
    ['{"from":"2026-05-01"}', 'from'],
    ['null', 'body'],
    ['[]', 'body'],
  ])('are not compared with the chain for a period given as %s', async (body, field) => {
    const reply = await shop
      .asOperator('post', '/operator/reconcile')
      .set('content-type', 'application/json')
      .send(body)
    expect([reply.status, reply.body.details.issues[0].field]).toEqual([400, field])
  })
})

describe('a refund', () => {
  test('gives the money back once, however often it is requested, and the books still close', async () => {
    const id = shop.bought[2]?.id ?? ''
    await shop.chain.mint(shop.refunder, 100_000n)
    const before = await balanceOf(shop.other.address)

    const replies = [
      await shop.asOperator('post', `/operator/payments/${id}/refund`).send({ beforeFinal: true }),
      await shop.asOperator('post', `/operator/payments/${id}/refund`).send({}),
    ]

    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    const [first, second] = replies.map(({ body }) => refundSchema.parse(body))
    expect(first).toMatchObject({
      paymentId: id,
      state: 'refunded',
      transaction: expect.stringMatching(/^0x/),
    })
    expect(second).toEqual({ ...first, alreadyRefunded: true })
    expect((await balanceOf(shop.other.address)) - before).toBe(100_000n)

    const trail = await shop.asOperator('get', '/operator/audit?action=refundPayment')
    expect(auditSchema.parse(trail.body).actions).toMatchObject([
      { subject: id, outcome: 'done', status: 200, result: { transaction: first?.transaction } },
      { subject: id, outcome: 'done', status: 200 },
    ])

    const shown = await shop.asOperator('get', `/payments/${id}`)
    expect(shown.body).toMatchObject({ state: 'refunded', refundTransaction: first?.transaction })
    const totals = totalsSchema.parse((await shop.asOperator('get', '/operator/totals')).body)
    expect(totals).toMatchObject({
      taken: { payments: 4, amountAtomic: '550000' },
      refunded: { payments: 1, amountAtomic: '100000' },
      net: { amountAtomic: '450000' },
    })
    const journal = readJournal((await shop.asOperator('get', '/operator/export?format=journal')).text)
    const refunds = journal.filter(({ description }) => description.startsWith('Refund of '))
    expect(refunds).toHaveLength(1)
    expect(balances(journal, 'ETH').get('Expenses:Gas:refund')).toBeGreaterThan(0n)
    expect(balances(journal)).toEqual(
      new Map([
        [`Assets:USDC:${getAddress(shop.payTo)}`, 550_000n],
        [`Assets:USDC:${shop.refunder}`, -100_000n],
        ['Income:analyzeBusiness', -200_000n],
        ['Income:researchLead', -250_000n],
      ]),
    )
  })

  test('of an unknown payment is 404, and of one without money 409 with the problem', async () => {
    const unknown = await shop.asOperator('post', `/operator/payments/0x${'00'.repeat(32)}/refund`)
    expect([unknown.status, unknown.body.code]).toEqual([404, 'PAYMENT_NOT_FOUND'])

    const { queries } = shop.gateway.services
    const id = shop.bought[3]?.id ?? ''
    const found = await queries
      .selectFrom('payments')
      .select('state')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await queries.updateTable('payments').set({ state: 'failed' }).where('id', '=', id).execute()
    await shop.chain.mint(shop.refunder, 100_000n)
    const refused = await shop.asOperator('post', `/operator/payments/${id}/refund`)
    await queries.updateTable('payments').set(found).where('id', '=', id).execute()
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({
      code: 'REFUND_IMPOSSIBLE',
      details: { problem: expect.stringContaining('failed') },
    })
    const { body } = await shop.asOperator('get', '/operator/audit?outcome=refused&limit=1')
    expect(auditSchema.parse(body).actions).toMatchObject([
      { action: 'refundPayment', subject: id, status: 409, code: 'REFUND_IMPOSSIBLE' },
    ])
  })

  test('that is not complete yet is 202 with the reason', async () => {
    const slow = {
      refund: async () =>
        ({
          state: 'refunding',
          amount: 1n,
          reason: null,
          transaction: null,
          failure: 'no gas',
          alreadyRefunded: false,
        }) as const,
    }
    const rows = bind(
      operatorPaymentRows,
      operatorPaymentHandlers(shop.gateway.services, slow, networks['base-sepolia']),
    )
    const run = rows
      .find(({ id }) => id === 'refundPayment')
      ?.prepare({ params: { paymentId: shop.bought[3]?.id } })
    const reply = await run?.(contextOf())
    expect(reply?.status).toBe(202)
    expect(JSON.parse(new TextDecoder().decode(reply?.body))).toMatchObject({
      state: 'refunding',
      failure: 'no gas',
    })
  })

  function balanceOf(account: Address): Promise<bigint> {
    return shop.chain.client.readContract({
      address: network.usdc.address,
      abi: parseAbi(['function balanceOf(address account) view returns (uint256)']),
      functionName: 'balanceOf',
      args: [account],
    })
  }
})

test('an unmatched transfer is listed, summed, booked as owed, and accounts for the difference', async () => {
  await shop.chain.mint(shop.payTo, 7n)
  // Only final transfers are recorded; on this chain they are final two blocks later.
  await shop.chain.client.mine({ blocks: 3 })

  const report = reconciliationSchema.parse(
    (await shop.asOperator('post', '/operator/reconcile').send({ since: 0 })).body,
  )
  expect(report).toMatchObject({ difference: { amountAtomic: '7' }, closes: false })
  const { strangers } = unmatchedTransfersSchema.parse(
    (await shop.asOperator('get', '/operator/strangers')).body,
  )
  expect(strangers).toMatchObject([{ amount: '0.000007', amountAtomic: '7', payTo: shop.payTo, nonce: null }])
  expect((await shop.asOperator('get', '/operator/totals')).body.strangers).toEqual({
    transfers: 1,
    amount: '0.000007',
    amountAtomic: '7',
  })
  const journal = readJournal((await shop.asOperator('get', '/operator/export?format=journal')).text)
  expect(balances(journal).get('Liabilities:Unmatched')).toBe(-7n)
  expect(balances(journal).get(`Assets:USDC:${getAddress(shop.payTo)}`)).toBe(550_007n)
})

test('while the chain does not answer, only endpoints that need it fail, and the books are still shown', async () => {
  const node = await startRpcProxy(shop.chain.rpcUrl)
  const alone = await startGateway(node.url, { PAY_TO: shop.payTo })
  const ask = (method: 'get' | 'post', path: string) =>
    request(alone.url)[method](path).set('authorization', `Bearer ${operatorToken}`)
  node.faults.set('eth_getBlockByNumber', 'refused')
  try {
    const report = await ask('post', '/operator/reconcile').send({})
    expect([report.status, report.body.code]).toEqual([503, 'CHAIN_UNAVAILABLE'])
    expect((await ask('get', '/operator/totals')).status).toBe(200)
  } finally {
    await alone.close()
    await node.close()
  }
})
