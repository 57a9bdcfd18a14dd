import request from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { networks } from '../../../src/platform/chain/networks.ts'
import { paymentStates } from '../../../src/platform/store/schema.ts'
import { openShop, type Shop } from '../../support/gateways/shop.ts'

/** The state of a payment, as its payer reads it. */

const network = networks['base-sepolia']

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const id = () => shop.bought[0]?.id ?? ''

describe('GET /payments/{paymentId}', () => {
  test('every caller with the id can read the state of a payment, and nothing of the bought reply or the signature', async () => {
    const { payment } = shop.bought[0] ?? {}
    const reply = await request(shop.gateway.url).get(`/payments/${id()}`)

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
