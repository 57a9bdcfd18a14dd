import { randomUUID } from 'node:crypto'
import { PaymentRequiredV1Schema, PaymentRequiredV2Schema } from '@x402/core/schemas'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/client'
import { wrapFetchWithPayment, x402Client, x402HTTPClient } from '@x402/fetch'
import request from 'supertest'
import { parseEventLogs } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { tokenAbi } from '../../../src/doors/x402/evidence/token.ts'
import { devPayers, devPayTo } from '../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import { countWords } from '../../../src/products/text/count-words.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { createReceivingAccount } from '../../support/chain/receiving-account.ts'
import { decode, freshWallet, signPayment, v1Header, v2Header } from '../../support/chain/wallet.ts'
import { startGateway, type TestGateway } from '../../support/gateways/gateway.ts'

/** Public x402 clients of both versions pay each paid endpoint as shipped. */

let chain: TestChain
let gateway: TestGateway
const payer = privateKeyToAccount(devPayers[0].privateKey)

beforeAll(async () => {
  chain = await startTestChain()
  gateway = await startGateway(chain.rpcUrl)
})

afterAll(async () => {
  await gateway.close()
  await chain.close()
})

const receiptSchema = z.strictObject({
  success: z.literal(true),
  transaction: z.custom<`0x${string}`>(
    (value) => typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value),
  ),
  network: z.string(),
  payer: z.string(),
})

const iso = z.iso.datetime()
const paidEndpoints = [
  {
    path: '/api/analyze',
    amount: 100_000n,
    body: {
      businessName: 'Bright Smile Dental',
      industry: 'healthcare',
      question: 'How do we cut no-shows?',
    },
    reply: z.strictObject({
      success: z.literal(true),
      analysis: z.strictObject({
        businessName: z.literal('Bright Smile Dental'),
        industry: z.literal('healthcare'),
        insights: z.string().min(500),
        generatedAt: iso,
      }),
    }),
  },
  {
    path: '/api/leads/research',
    amount: 250_000n,
    body: {
      companyName: 'Northwind Logistics',
      website: 'northwind.example',
      targetRole: 'head of operations',
    },
    reply: z.strictObject({
      success: z.literal(true),
      lead: z.strictObject({
        company: z.literal('Northwind Logistics'),
        research: z.string().min(500),
        researchedAt: iso,
      }),
    }),
  },
  {
    path: '/api/content/blog',
    amount: 1_000_000n,
    body: {
      topic: 'Cutting no-shows with reminders',
      targetKeyword: 'appointment reminders',
      tone: 'friendly',
    },
    reply: z.strictObject({
      success: z.literal(true),
      blog: z
        .strictObject({
          title: z.string(),
          content: z.string(),
          wordCount: z.int().min(800).max(1200),
          generatedAt: iso,
        })
        .refine(({ content, wordCount }) => countWords(content) === wordCount),
    }),
  },
]

/** The amounts that a transaction moved from the payer to the operator. */
async function amountsMoved(transaction: `0x${string}`): Promise<bigint[]> {
  const receipt = await chain.client.getTransactionReceipt({ hash: transaction })
  return parseEventLogs({ abi: tokenAbi, eventName: 'Transfer', logs: receipt.logs })
    .filter(({ args }) => args.from === payer.address && args.to === devPayTo.address)
    .map(({ args }) => args.value)
}

describe.each(paidEndpoints)('POST $path', ({ path, amount, body, reply }) => {
  test('a v2 client pays what the 402 asks, and gets the reply with a receipt that the chain confirms', async () => {
    const payingFetch = wrapFetchWithPayment(
      fetch,
      new x402Client().register('eip155:*', new ExactEvmScheme(payer)),
    )
    const response = await payingFetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(200)
    reply.parse(await response.json())
    expect(response.headers.get('x-text-engine')).toBe('local')
    expect(response.headers.get('cache-control')).toBe('private, no-store')

    const receipt = receiptSchema.parse(decode(response.headers.get('payment-response')))
    expect(receipt).toMatchObject({ network: 'eip155:84532', payer: payer.address })
    expect(await amountsMoved(receipt.transaction)).toEqual([amount])
  })

  test('a v1 client reads the body of the same 402, pays in X-PAYMENT and gets its receipt', async () => {
    const unpaid = await request(gateway.url).post(path).send(body)
    const client = new x402HTTPClient(
      new x402Client().registerV1('base-sepolia', new ExactEvmSchemeV1(payer)),
    )
    const required = client.getPaymentRequiredResponse(() => null, unpaid.body)
    const headers = client.encodePaymentSignatureHeader(await client.createPaymentPayload(required))
    expect(Object.keys(headers)).toEqual(['X-PAYMENT'])
    const paid = await request(gateway.url).post(path).set(headers).send(body)
    expect(paid.status).toBe(200)
    reply.parse(paid.body)
    const receipt = receiptSchema.parse(decode(paid.headers['x-payment-response']))
    expect(receipt.network).toBe('base-sepolia')
    expect(await amountsMoved(receipt.transaction)).toEqual([amount])
  })

  test.each([
    ['a v1 payload', v1Header],
    ['a v2 payload', v2Header],
  ])('X-Payment-Signature accepts %s made by hand', async (_label, write) => {
    const paid = await request(gateway.url)
      .post(path)
      .set('X-Payment-Signature', write(await signPayment(payer, amount)))
      .send(body)
    expect(paid.status).toBe(200)
    const receipt = receiptSchema.parse(decode(paid.headers['payment-response']))
    expect(await amountsMoved(receipt.transaction)).toEqual([amount])
  })

  test('the 402 names the same price and recipient for v2, for v1 and in X-Payment', async () => {
    const unpaid = await request(gateway.url).post(path)
    expect(unpaid.status).toBe(402)
    expect(unpaid.headers['cache-control']).toBe('no-store')
    expect(unpaid.body).toMatchObject({
      error: 'payment_required',
      code: 'PAYMENT_REQUIRED',
      details: { network: 'base-sepolia' },
    })

    const v1 = PaymentRequiredV1Schema.parse(unpaid.body)
    const v2 = PaymentRequiredV2Schema.parse(decode(unpaid.headers['payment-required']))
    expect(unpaid.headers['payment-required']).toMatch(/^[A-Za-z0-9+/]*={0,2}$/)
    const usdc = networks['base-sepolia'].usdc.address
    expect(v1.accepts).toEqual([
      expect.objectContaining({
        scheme: 'exact',
        network: 'base-sepolia',
        maxAmountRequired: amount.toString(),
        payTo: devPayTo.address,
        asset: usdc,
        resource: `https://pay.example.com${path}`,
        extra: { name: 'USDC', version: '2' },
      }),
    ])
    expect(v2.accepts).toEqual([
      expect.objectContaining({
        network: 'eip155:84532',
        amount: amount.toString(),
        payTo: devPayTo.address,
        asset: usdc,
      }),
    ])
    expect(v2.resource.url).toBe(`https://pay.example.com${path}`)
    expect(unpaid.headers['x-payment']).toMatch(
      new RegExp(`scheme="exact".*asset="USDC".*amount="${amount}"`),
    )
  })
})

describe('a default client, which pays at most 1.00 USDC', () => {
  const defaultClient = () => new x402Client().register('eip155:*', new ExactEvmScheme(payer))
  const buy = (client: x402Client, tier: string) =>
    wrapFetchWithPayment(fetch, client)(`${gateway.url}/api/keys`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify({ tier }),
    })
  const balance = () => createReceivingAccount(chain, devPayTo.address).balanceOf(devPayTo.address)

  test('refuses to buy a key for 9.00, and signs nothing', async () => {
    const before = await balance()
    await expect(buy(defaultClient(), 'starter')).rejects.toThrow(/spendControls\.maxAmountPerPayment/)
    expect(await balance()).toBe(before)
  })

  test('buys the same key once its spendControls allow the price', async () => {
    const before = await balance()
    const bought = await buy(defaultClient().setSpendControls({ maxAmountPerPayment: '$9' }), 'starter')
    expect(bought.status).toBe(201)
    expect(await balance()).toBe(before + 9_000_000n)
  })

  test('reads in the 402 that its limit has to be raised, and only where the price is above 1.00', async () => {
    const messageOf = async (path: string) =>
      z.looseObject({ message: z.string() }).parse((await request(gateway.url).post(path)).body).message
    expect(await messageOf('/api/keys')).toContain('Many clients pay at most 1.00 USDC')
    for (const { path } of paidEndpoints) expect(await messageOf(path)).not.toContain('1.00 USDC')
  })
})

test('a wallet that holds too little reads in USDC what it holds and what is asked', async () => {
  const reply = await request(gateway.url)
    .post('/api/analyze')
    .set('PAYMENT-SIGNATURE', v2Header(await signPayment(freshWallet(), 100_000n)))
    .send({ businessName: 'Acme Dental' })
  expect([reply.status, reply.body.details]).toMatchObject([
    402,
    {
      reason: 'insufficient_funds',
      problem: 'the wallet holds 0.00 USDC and the payment is for 0.10 USDC',
    },
  ])
})

test('a forged Host header does not change the resource of the 402', async () => {
  const unpaid = await request(gateway.url)
    .post('/api/analyze')
    .set('Host', 'evil.example')
    .set('X-Forwarded-Host', 'evil.example')
  expect(JSON.stringify([unpaid.body, decode(unpaid.headers['payment-required'])])).not.toContain('evil')
})

test.each(['text/plain', ''])(
  'JSON sent with content type %j is accepted, as v1 clients send it on their paid retry',
  async (type) => {
    const paid = await fetch(`${gateway.url}/api/analyze`, {
      method: 'POST',
      headers: {
        'x-payment': v1Header(await signPayment(payer, 100_000n)),
        ...(type ? { 'content-type': type } : {}),
      },
      body: type ? '{"businessName":"Acme Dental"}' : new Blob(['{"businessName":"Acme Dental"}']),
    })
    expect(paid.status).toBe(200)
  },
)

test('the log of a paid call holds neither the signature nor a private key', async () => {
  const payment = await signPayment(payer, 100_000n)
  const header = v2Header(payment)
  await request(gateway.url)
    .post('/api/analyze')
    .set('PAYMENT-SIGNATURE', header)
    .send({ businessName: 'Acme Dental' })
  const log = gateway.logged.join('')
  expect(log).toContain('"call"')
  expect(log).not.toContain(payment.signature.slice(2, 40))
  expect(log).not.toContain(header.slice(0, 60))
  expect(log).not.toContain('PRIVATE')
})
