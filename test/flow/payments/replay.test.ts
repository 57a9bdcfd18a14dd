import { createSIWxPayload, encodeSIWxHeader } from '@x402/extensions/sign-in-with-x'
import request from 'supertest'
import {
  type Hex,
  type LocalAccount,
  parseSignature,
  serializeCompactSignature,
  signatureToCompactSignature,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { tokenAbi } from '../../../src/doors/x402/evidence/token.ts'
import { devPayers, devPayTo } from '../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import { startTestChain, type TestChain, temporaryFolder } from '../../support/chain/chain.ts'
import {
  decode,
  encode,
  type SignedPayment,
  signPayment,
  v1Header,
  v2Header,
} from '../../support/chain/wallet.ts'
import { writeCatalog } from '../../support/gateways/catalog.ts'
import { startGateway, type TestGateway } from '../../support/gateways/gateway.ts'
import { type Model, startModel } from '../../support/servers/model.ts'
import { freshDatabase } from '../../support/stores/database.ts'

let chain: TestChain
let model: Model
let gateway: TestGateway
let second: TestGateway
let guarded: TestGateway
let files: Awaited<ReturnType<typeof temporaryFolder>>
const payer = privateKeyToAccount(devPayers[2].privateKey)
const price = 250_000n
const body = { companyName: 'Acme Dental' }
const path = '/api/leads/research'

beforeAll(async () => {
  chain = await startTestChain()
  model = await startModel()
  const shared = { ...model.settings, DATABASE_URL: await freshDatabase() }
  gateway = await startGateway(chain.rpcUrl, shared)
  second = await startGateway(chain.rpcUrl, shared)
  files = await temporaryFolder()
  const catalog = await writeCatalog(files.folder, { researchLead: { replay: 'payer' } })
  guarded = await startGateway(chain.rpcUrl, { ...shared, CATALOG_FILE: catalog })
})

afterAll(async () => {
  await gateway.close()
  await second.close()
  await guarded.close()
  await files.remove()
  await model.close()
  await chain.close()
})

beforeEach(() => {
  model.answer = 'research'
  model.release()
  model.delayMs = 0
})

const payloadOf = (header: string) => z.looseObject({}).parse(decode(header))

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
  test('a used payment does not pay for another body: 409, with the payment’s state', async () => {
    const header = v1Header(await signPayment(payer, price))
    const first = await pay(header)
    expect(first.status).toBe(200)
    const reply = await pay(header, { companyName: 'Other Dental' })
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

describe('an operation with replay: payer', () => {
  /** All that a stranger can read on the chain, or guess. */
  const publicHeader = (payment: SignedPayment) => v2Header(payment)
  const named = (payment: SignedPayment, name: string, to = guarded) =>
    request(to.url)
      .post(path)
      .set({ 'X-PAYMENT': v1Header(payment), 'Idempotency-Key': name })
      .send(body)
  const signedIn = (payment: SignedPayment, signIn: string) =>
    request(guarded.url)
      .post(path)
      .set({ 'X-PAYMENT': v1Header(payment), 'SIGN-IN-WITH-X': signIn })
      .send(body)
  const challenge = z.object({
    domain: z.string(),
    uri: z.string(),
    version: z.literal('1'),
    chainId: z.string(),
    type: z.literal('eip191'),
    nonce: z.string(),
    issuedAt: z.string(),
  })
  const signIn = async (wallet: LocalAccount, sent: z.infer<typeof challenge>) =>
    encodeSIWxHeader(await createSIWxPayload(sent, wallet, sent.uri))

  test('the 402 says that replies go to the payer, and that of another operation that they go to anyone', async () => {
    for (const [seller, rule, words] of [
      [guarded, 'payer', /needs the Idempotency-Key/],
      [
        gateway,
        'anyone_with_payment',
        /^A reply of up to 1 MB is kept for 24 hours, .* with the same payment\.$/,
      ],
    ] as const) {
      const reply = await request(seller.url).post(path).send(body)
      expect(decode(reply.headers['payment-required'])).toMatchObject({
        extensions: { replay: { info: { for: rule } } },
      })
      expect(reply.body.details.replay).toMatch(words)
    }
  })

  test('does not give a reply to a stranger who read the payment on the chain and guesses the request, nor tell whether the guess is right', async () => {
    const payment = await signPayment(payer, price)
    expect((await named(payment, 'short-name')).status).toBe(200)
    const guesses = [
      await pay(publicHeader(payment), body, guarded),
      await pay(publicHeader(payment), { companyName: 'Other Dental' }, guarded),
      await named(payment, 'short-name'),
      await named(payment, 'a-name-of-enough-characters'),
      await signedIn(payment, 'e30='),
      await signedIn(payment, 'not base64'),
    ]
    for (const { status, body: refusal } of guesses) {
      expect([status, refusal.code]).toEqual([409, 'PAYMENT_REPLAYED'])
      expect(refusal.details).toEqual({
        payment: { id: expect.any(String), state: 'settled', transaction: expect.any(String) },
        problem: expect.stringMatching(/proves to be its payer$/),
        sign_in: expect.objectContaining({
          uri: `https://pay.example.com/payments/${refusal.details.payment.id}`,
        }),
      })
    }
  })

  test('gives a reply to the name of the purchase, also to another payment under it, without a second charge', async () => {
    const name = 'a-name-of-enough-characters-1'
    const payment = await signPayment(payer, price)
    const first = await named(payment, name)
    const before = await received()
    for (const again of [await named(payment, name), await named(await signPayment(payer, price), name)]) {
      expect([again.status, again.text]).toEqual([200, first.text])
    }
    const identifier = { extensions: { 'payment-identifier': { info: { id: name } } } }
    expect((await pay(v2Header(payment, {}, identifier), body, guarded)).text).toBe(first.text)
    expect(await received()).toBe(before)
  })

  test('gives a reply to a sign-in that the published extension makes, and to no other wallet, payment or time', async () => {
    const payment = await signPayment(payer, price)
    const first = await pay(publicHeader(payment), body, guarded)
    const { body: refusal } = await pay(publicHeader(payment), body, guarded)
    const sent = challenge.parse(refusal.details.sign_in)
    const proof = await signIn(payer, sent)
    const again = await signedIn(payment, proof)
    expect([again.status, again.text]).toEqual([200, first.text])

    const other = await signPayment(payer, price)
    expect((await pay(publicHeader(other), body, guarded)).status).toBe(200)
    const old = { ...sent, issuedAt: new Date(Date.now() - 6 * 60_000).toISOString() }
    const early = { ...sent, issuedAt: new Date(Date.now() + 5 * 60_000).toISOString() }
    const stranger = privateKeyToAccount(devPayers[3].privateKey)
    const forged = { ...payloadOf(await signIn(stranger, sent)), address: payer.address }
    for (const [paid, header] of [
      [other, proof],
      [payment, await signIn(stranger, sent)],
      [payment, encode(forged)],
      [payment, await signIn(payer, old)],
      [payment, await signIn(payer, early)],
      [payment, encode({ ...payloadOf(proof), uri: sent.uri.replace('pay.', 'evil.') })],
      [payment, encode({ ...payloadOf(proof), expirationTime: old.issuedAt })],
    ] as const) {
      expect((await signedIn(paid, header)).status).toBe(409)
    }
  })

  test('gives the reply to every copy that comes before the payment is on the chain', async () => {
    const asked = model.asked
    model.hold()
    model.delayMs = 300
    const header = publicHeader(await signPayment(payer, price))
    const sent = Promise.all(Array.from({ length: 10 }, () => pay(header, body, guarded)))
    await expect.poll(() => model.asked).toBe(asked + 1)
    // A busy machine takes its time to read ten calls: what is asked after them is answered after them.
    await request(guarded.url).get('/health')
    model.release()
    const copies = await sent
    expect(new Set(copies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect([copies[0]?.status, model.asked - asked]).toEqual([200, 1])
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
