import { createSIWxPayload, encodeSIWxHeader } from '@x402/extensions/sign-in-with-x'
import request from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { networks } from '../../../src/platform/chain/networks.ts'
import { paymentStates } from '../../../src/platform/store/rows/payments.ts'
import { signPayment, v2Header } from '../../support/chain/wallet.ts'
import { idOf, openShop, type Shop } from '../../support/gateways/shop.ts'

/** The state of a payment, as its payer reads it. */

const network = networks['base-sepolia']

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const id = () => shop.bought[0]?.id ?? ''

describe('GET /payments/{paymentId}', () => {
  test('the operator can read a payment there, and nothing of the bought reply or the signature', async () => {
    const { payment } = shop.bought[0] ?? {}
    const reply = await shop.asOperator('get', `/payments/${id()}`)

    expect(reply.status).toBe(200)
    expect(reply.headers).toMatchObject({ 'cache-control': 'no-store', 'access-control-allow-origin': '*' })
    const [taking] = (await shop.takings()).filter(({ nonce }) => nonce === payment?.authorization.nonce)
    const { blockNumber } = await shop.chain.client.getTransactionReceipt({
      hash: taking?.transaction ?? '0x',
    })
    expect(reply.body).toEqual({
      paymentId: id(),
      state: expect.stringMatching(/^(settled|final)$/),
      operation: 'analyzeBusiness',
      amount: '0.10',
      amountAtomic: '100000',
      scheme: 'exact',
      authorized: '0.10',
      authorizedAtomic: '100000',
      asset: network.usdc.address,
      network: 'eip155:84532',
      payer: shop.payer.address,
      payTo: shop.payTo,
      transaction: taking?.transaction,
      block: Number(blockNumber),
      refundTransaction: null,
      refundAmount: null,
      refundAmountAtomic: null,
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
      settledAt: expect.any(Number),
      meaning: expect.stringMatching(/nothing to do/),
    })
    for (const time of [reply.body.createdAt, reply.body.updatedAt, reply.body.settledAt]) {
      expect(Math.abs(time - Date.now() / 1000)).toBeLessThan(600)
      expect(time).toBe(Math.floor(time))
    }
    for (const secret of [payment?.signature, payment?.authorization.nonce])
      expect(reply.text).not.toContain(secret)
  })

  describe('of what was bought and when', () => {
    const known = { paymentId: expect.any(String), state: expect.any(String), meaning: expect.any(String) }
    const onChain = { amount: '0.10', payer: expect.any(String), transaction: expect.any(String) }
    const own = { operation: 'analyzeBusiness', createdAt: expect.any(Number), updatedAt: expect.any(Number) }
    const shown = async (headers: Readonly<Record<string, string>>, of = id()) =>
      (await request(shop.gateway.url).get(`/payments/${of}`).set(headers).expect(200)).body
    const headerOf = (payment = shop.bought[0]?.payment) =>
      payment ? v2Header(payment, { payTo: shop.payTo }) : ''

    test('a caller who computed the id from the chain learns nothing, whatever wrong proof it sends', async () => {
      const { payment: other } = shop.bought[1] ?? {}
      const forged = shop.bought[0] && { ...shop.bought[0].payment, signature: '0x12' as const }
      for (const headers of [
        {},
        { 'payment-signature': headerOf(other) },
        { 'payment-signature': headerOf(forged) },
        { 'x-payment': 'garbage' },
        { 'idempotency-key': 'a-name-of-enough-characters' },
        { 'sign-in-with-x': 'e30=' },
        { authorization: 'Bearer another-token' },
      ]) {
        expect(await shown(headers)).toEqual(known)
      }
    })

    test('a caller with a signature that stands on the chain learns what stands there', async () => {
      const seen = await shown({ 'payment-signature': headerOf() })
      expect(seen).toMatchObject({ ...known, ...onChain })
      for (const name of Object.keys(own)) expect(seen).not.toHaveProperty(name)
    })

    test('a caller with the name of the purchase, or a sign-in of its wallet, learns all', async () => {
      const payment = await signPayment(shop.payer, 100_000n, { to: shop.payTo })
      const name = 'a-name-of-enough-characters'
      const reply = await request(shop.gateway.url)
        .post('/api/analyze')
        .set({ 'payment-signature': headerOf(payment), 'idempotency-key': name })
        .send({ businessName: 'Bright Smile Dental' })
      expect(reply.status).toBe(200)
      const bought = idOf(payment)
      const uri = `https://pay.example.com/payments/${bought}`
      const signIn = await createSIWxPayload(
        {
          domain: 'pay.example.com',
          uri,
          version: '1',
          chainId: 'eip155:84532',
          type: 'eip191',
          nonce: 'abcdefgh12345678',
          issuedAt: new Date().toISOString(),
        },
        shop.payer,
        uri,
      )
      for (const headers of [{ 'idempotency-key': name }, { 'sign-in-with-x': encodeSIWxHeader(signIn) }]) {
        expect(await shown(headers, bought)).toMatchObject({ ...known, ...onChain, ...own })
      }
    })

    test('a signature that was not sent to the chain yet is the payer’s secret, and shows all', async () => {
      const { queries } = shop.gateway.services
      const [row] = await queries
        .selectFrom('payments')
        .select(['state', 'settledAt'])
        .where('id', '=', id())
        .execute()
      const change = (to: object) => queries.updateTable('payments').set(to).where('id', '=', id()).execute()
      await change({ state: 'released', settledAt: null })
      const seen = await shown({ 'payment-signature': headerOf() })
      await change({ failure: 'insufficient_funds' })
      const afterFailure = await shown({ 'payment-signature': headerOf() })
      await change({ ...row, failure: null })
      expect(seen).toMatchObject(own)
      expect(afterFailure).not.toHaveProperty('operation')
    })
  })

  test('a payment is found by its id in upper and lower case', async () => {
    const reply = await request(shop.gateway.url).get(`/payments/0x${id().slice(2).toUpperCase()}`)
    expect(reply.body.paymentId).toBe(id())
  })

  test.each(paymentStates)(
    'the status in state %s says what the payer should do, and never to pay while the payment may still be taken',
    async (state) => {
      const { queries } = shop.gateway.services
      const found = await queries
        .selectFrom('payments')
        .select('state')
        .where('id', '=', id())
        .executeTakeFirstOrThrow()
      await queries.updateTable('payments').set({ state }).where('id', '=', id()).execute()
      const reply = await request(shop.gateway.url).get(`/payments/${id()}`)
      await queries.updateTable('payments').set(found).where('id', '=', id()).execute()
      expect(reply.body).toMatchObject({ state, meaning: expect.stringMatching(/^[A-Z].*\.$/) })
      if (['claimed', 'served', 'settling', 'paid'].includes(state)) {
        expect(reply.body.meaning).toMatch(/repeat the (same )?request with the same payment/)
      }
    },
  )

  test('an unknown id gets 404, and text that is no id gets 400', async () => {
    const unknown = await request(shop.gateway.url).get(`/payments/0x${'00'.repeat(32)}`)
    expect(unknown.status).toBe(404)
    expect(unknown.body).toMatchObject({ code: 'PAYMENT_NOT_FOUND', details: { field: 'paymentId' } })
    for (const malformed of ['0x12', id().slice(2), `${id()}0`, `0x${'g'.repeat(64)}`, '%00', "'", '%zz']) {
      const reply = await request(shop.gateway.url).get(`/payments/${malformed}`)
      expect([malformed, reply.status, reply.body.code]).toEqual([malformed, 400, 'VALIDATION_ERROR'])
      expect(reply.body.details.issues).toHaveLength(1)
    }
  })
})
