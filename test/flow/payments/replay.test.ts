import request from 'supertest'
import { type Hex, parseSignature, serializeCompactSignature, signatureToCompactSignature } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { tokenAbi } from '../../../src/doors/x402/evidence/token.ts'
import { devPayers, devPayTo } from '../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { signPayment, v1Header, v2Header } from '../../support/chain/wallet.ts'
import { startGateway, type TestGateway } from '../../support/gateways/gateway.ts'
import { type Model, startModel } from '../../support/servers/model.ts'
import { emptyDatabase } from '../../support/stores/database.ts'

let chain: TestChain
let model: Model
let gateway: TestGateway
let second: TestGateway
const payer = privateKeyToAccount(devPayers[2].privateKey)
const price = 250_000n
const body = { companyName: 'Acme' }
const path = '/api/leads/research'

beforeAll(async () => {
  chain = await startTestChain()
  model = await startModel()
  const shared = { ...model.settings, DATABASE_URL: await emptyDatabase() }
  gateway = await startGateway(chain.rpcUrl, shared)
  second = await startGateway(chain.rpcUrl, shared)
})

afterAll(async () => {
  await gateway.close()
  await second.close()
  await model.close()
  await chain.close()
})

beforeEach(() => {
  model.answer = 'research'
  model.delayMs = 0
})

const received = () =>
  chain.client.readContract({
    address: networks['base-sepolia'].usdc.address,
    abi: tokenAbi,
    functionName: 'balanceOf',
    args: [devPayTo.address],
  })

const pay = (header: string, sent: object = body, to: TestGateway = gateway) =>
  request(to.url).post(path).set('X-PAYMENT', header).send(sent)

test('fifty copies of a payment, sent in all envelopes to two gateways at once, run the handler once and are charged once', async () => {
  const asked = model.asked
  const before = await received()
  model.delayMs = 300
  const payment = await signPayment(payer, price)
  const { authorization, signature } = payment
  const compact = serializeCompactSignature(signatureToCompactSignature(parseSignature(signature)))
  const zeroV: Hex = `0x${signature.slice(2, 130)}${signature.endsWith('1b') ? '00' : '01'}`
  const shouting = { ...authorization, from: authorization.from.toUpperCase().replace('0X', '0x') as Hex }
  const headers: [string, string][] = [
    ['X-PAYMENT', v1Header(payment)],
    ['PAYMENT-SIGNATURE', v2Header(payment)],
    ['X-Payment-Signature', v1Header({ authorization: shouting, signature })],
    ['X-Payment-Signature', v2Header({ authorization, signature: compact })],
    ['PAYMENT-SIGNATURE', v1Header({ authorization, signature: zeroV })],
  ]
  const copies = Array.from({ length: 50 }, (_, n) => {
    const [name, value] = headers[n % headers.length] ?? ['X-PAYMENT', '']
    return request((n % 2 ? gateway : second).url)
      .post(path)
      .set(name, value)
      .send(body)
  })
  const replies = await Promise.all(copies)
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
  expect(new Set(replies.map((reply) => reply.headers['payment-response'])).size).toBe(1)
  expect(model.asked - asked).toBe(1)
  expect((await received()) - before).toBe(price)
})

test('a lost reply is sent again, byte for byte and without a second charge, also by another gateway', async () => {
  const header = v2Header(await signPayment(payer, price))
  const first = await pay(header)
  const before = await received()
  const again = await pay(header, body, second)
  expect([first.status, again.status]).toEqual([200, 200])
  expect(again.text).toBe(first.text)
  expect(again.headers['payment-response']).toBe(first.headers['payment-response'])
  expect(await received()).toBe(before)
})

describe('a payment that was used', () => {
  test('a used payment does not pay for another body: 409, with the payment’s state; and for no unknown query', async () => {
    const header = v1Header(await signPayment(payer, price))
    const first = await pay(header)
    expect(first.status).toBe(200)
    const asked = model.asked
    const withQuery = await request(gateway.url).post(`${path}?x=1`).set('X-PAYMENT', header).send(body)
    expect([withQuery.status, withQuery.body.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(model.asked).toBe(asked)
    const reply = await pay(header, { companyName: 'Other' })
    expect(reply.status).toBe(409)
    expect(reply.body).toMatchObject({
      error: 'conflict',
      code: 'PAYMENT_REPLAYED',
      details: { payment: { state: 'settled', transaction: expect.stringMatching(/^0x/) } },
    })
  })

  test('a stored reply is not sent to a caller without the payer’s signature', async () => {
    const payment = await signPayment(payer, price)
    expect((await pay(v1Header(payment))).status).toBe(200)
    const stranger = await pay(v1Header({ ...payment, signature: `0x${'12'.repeat(65)}` }))
    expect(stranger.status).toBe(402)
    expect(stranger.body).toMatchObject({ details: { reason: 'invalid_exact_evm_payload_signature' } })
  })
})

test('two payers may use the same nonce', async () => {
  const other = privateKeyToAccount(devPayers[3].privateKey)
  const one = await signPayment(payer, price)
  const two = await signPayment(other, price, { nonce: one.authorization.nonce })
  const replies = [await pay(v1Header(one)), await pay(v1Header(two))]
  expect(replies.map(({ status }) => status)).toEqual([200, 200])
})

test('a payment refused for an empty wallet is accepted once the wallet is filled', async () => {
  const poor = privateKeyToAccount(`0x${'42'.repeat(32)}`)
  const header = v1Header(await signPayment(poor, price))
  expect((await pay(header)).body).toMatchObject({ details: { reason: 'insufficient_funds' } })
  const hash = await chain.client.writeContract({
    account: payer,
    address: networks['base-sepolia'].usdc.address,
    abi: [
      {
        type: 'function',
        name: 'transfer',
        stateMutability: 'nonpayable',
        inputs: [
          { name: 'to', type: 'address' },
          { name: 'value', type: 'uint256' },
        ],
        outputs: [{ type: 'bool' }],
      },
    ],
    functionName: 'transfer',
    args: [poor.address, price],
  })
  await chain.client.waitForTransactionReceipt({ hash })
  expect((await pay(header)).status).toBe(200)
})

test('a hundred distinct payments at once are all served and all settled', async () => {
  const before = await received()
  const headers = await Promise.all(
    Array.from({ length: 100 }, async () => v1Header(await signPayment(payer, price))),
  )
  const replies = await Promise.all(headers.map((header) => pay(header)))
  expect(replies.map(({ status }) => status)).toEqual(Array(100).fill(200))
  expect((await received()) - before).toBe(100n * price)
})
