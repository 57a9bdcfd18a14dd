import request from 'supertest'
import type { LocalAccount } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { authorizationTypedData } from '../../../src/doors/x402/evidence/typed-data.ts'
import { keySchema } from '../../../src/edge/handlers/operator/replies.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import type { PaymentRow } from '../../../src/platform/store/rows/payments.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { type SignedPayment, v2Header } from '../../support/chain/wallet.ts'
import { operatorToken } from '../../support/gateways/gateway.ts'
import { buyKey, newName, prices, renewKey, usageOf } from '../../support/gateways/key-sale.ts'
import { idOf, openScene, price, type Scene, type Seller } from '../../support/gateways/scene.ts'
import { hex } from '../../support/stores/ledger.ts'

/**
 * Books that were filled on Base Sepolia, in the hands of a gateway of Base. Its node is of the wrong chain, so
 * that no signature for Base itself has to be settled here: it takes no payment, and must not honor any either.
 */
const order = 'order-of-a-test-0001'
const boughtSchema = z.looseObject({ keyId: z.string(), key: z.string() })

let chain: TestChain
let scene: Scene
/** The gateway of Base. */
let base: Seller
let key: z.infer<typeof boughtSchema>
let made: z.infer<typeof boughtSchema>
let token: string
let wallet: LocalAccount
let served: SignedPayment
/** Sent to the chain, with an outcome that the gateway of Base Sepolia had not learned when it ended. */
let open: SignedPayment
/** The same before the gateway of Base began, and a copy of it as a payment of Base. */
let before: PaymentRow
const ownId = hex(32)

beforeAll(async () => {
  chain = await startTestChain()
  scene = await openScene(chain)
  const sepolia = await scene.open()
  const payment = await scene.sign(await scene.wallet(prices.starter), { value: prices.starter })
  key = boughtSchema.parse((await buyKey(sepolia, { payment, name: newName() })).body)
  made = boughtSchema.parse(
    (await operate(sepolia, 'post', '/operator/keys', { tier: 'starter', days: 30 })).body,
  )
  token = await tokenFor(sepolia)

  wallet = await scene.wallet()
  served = await scene.sign(wallet)
  expect((await sepolia.pay(served, undefined, order)).status).toBe(200)
  open = await scene.sign(await scene.wallet())
  sepolia.node.faults.set('eth_getTransactionReceipt', 'refused')
  expect((await sepolia.pay(open)).status).toBe(503)
  await sepolia.close()
  await scene.endLease(open)
  before = await scene.rowOf(open)
  const own = { ...before, id: ownId, chainId: 8453, replyHeaders: JSON.stringify(before.replyHeaders) }
  await scene.queries.insertInto('payments').values(own).execute()
  base = await scene.open({ NETWORK: 'base' })
})
afterAll(async () => {
  await scene.close()
  await chain.close()
})

const operate = (by: Seller, method: 'get' | 'post', path: string, body?: object) =>
  request(by.url)[method](path).set('authorization', `Bearer ${operatorToken}`).send(body)

const tokenOf = ({ url }: Seller) =>
  request(url)
    .post('/oauth/token')
    .type('form')
    .send({ grant_type: 'client_credentials', client_id: key.keyId, client_secret: key.key })

async function tokenFor(by: Seller): Promise<string> {
  return z.looseObject({ access_token: z.string() }).parse((await tokenOf(by)).body).access_token
}

describe('a gateway of another network', () => {
  test('says at its start what the books hold, and that it honors none of it', () => {
    const said = base.logged.find((line) => line.includes('sales of another network'))
    expect(JSON.parse(said ?? '{}')).toMatchObject({
      network: 'base',
      chainId: 84_532,
      payments: 3,
      owed: 0,
      open: 1,
      keys: 2,
    })
  })

  test('does not know keys of test money, nor their access tokens, and issues none', async () => {
    for (const { key: text } of [key, made]) {
      const { status, body } = await usageOf(base, text)
      expect([status, body.code]).toEqual([401, 'API_KEY_UNKNOWN'])
    }
    const call = await request(base.url)
      .post('/api/leads/research')
      .set('authorization', `Bearer ${token}`)
      .send({ companyName: 'Acme Dental' })
    expect([call.status, call.body.code]).toEqual([401, 'TOKEN_INVALID'])
    const issued = await tokenOf(base)
    expect([issued.status, issued.body.error]).toEqual([401, 'invalid_client'])
  })

  test('shows the operator the network of each key, and renews none of another network', async () => {
    const shown = await operate(base, 'get', `/operator/keys/${key.keyId}`)
    expect(keySchema.parse(shown.body)).toMatchObject({ state: 'active', network: 'eip155:84532' })
    const renewed = await renewKey(base, { keyId: key.keyId })
    expect([renewed.status, renewed.body.code]).toEqual([404, 'KEY_NOT_FOUND'])
    const created = await operate(base, 'post', '/operator/keys', { tier: 'starter' })
    expect(created.body).toMatchObject({ network: 'eip155:8453' })
  })

  test('gives no key of another network a new secret or tier, and names the network', async () => {
    for (const [change, body] of [
      ['rotate', {}],
      ['update', { label: 'new' }],
    ] as const) {
      const refused = await operate(base, 'post', `/operator/keys/${made.keyId}/${change}`, body)
      expect([refused.status, refused.body.code]).toEqual([409, 'KEY_OF_OTHER_NETWORK'])
      expect(refused.body.message).toContain('Its network is base-sepolia.')
    }
  })

  test('lists the payments of its own network, and those of others when asked', async () => {
    const listed = async (query: string) => {
      const { body } = await operate(base, 'get', `/operator/payments${query}`)
      const { payments } = z.object({ payments: z.array(z.object({ network: z.string() })) }).parse(body)
      return payments.map(({ network }) => network).sort()
    }
    expect(await listed('')).toEqual(['eip155:8453'])
    expect(await listed('?network=base-sepolia')).toEqual(Array(3).fill('eip155:84532'))
    expect(await listed('?network=all')).toEqual(['eip155:8453', ...Array(3).fill('eip155:84532')])
  })

  test('gives no reply that test money bought, by the payment or by its idempotency key', async () => {
    const { caip2, usdc } = networks.base
    const accepted = {
      network: caip2,
      asset: usdc.address,
      payTo: scene.payee.address,
      extra: { name: usdc.name, version: usdc.version },
    }
    const { authorization } = await scene.sign(wallet)
    const signature = await wallet.signTypedData(authorizationTypedData(authorization, networks.base))
    // The payment as it was, the same for Base, and another one of the same wallet for Base.
    const headers = [
      v2Header(served, { payTo: scene.payee.address }),
      v2Header(served, accepted),
      v2Header({ authorization, signature }, accepted),
    ]
    for (const header of headers) {
      const reply = await request(base.url)
        .post('/api/leads/research')
        .set({ 'PAYMENT-SIGNATURE': header, 'Idempotency-Key': order })
        .send({ companyName: 'Acme Dental' })
      expect(reply.body.code).toMatch(/^PAYMENT(_INVALID|S_UNAVAILABLE)$/)
    }
  })

  test('tells a payer that it neither serves nor charges a payment of another network', async () => {
    const { status, body } = await request(base.url)
      .get(`/payments/${idOf(open)}`)
      .set('authorization', `Bearer ${operatorToken}`)
    expect([status, body.network]).toEqual([200, 'eip155:84532'])
    expect(body.meaning).toMatch(/eip155:8453 only: it neither serves nor charges/)
  })

  test('leaves the unfinished payments of another network alone, and refunds none', async () => {
    const attempts = async () =>
      (
        await scene.queries
          .selectFrom('payments')
          .select('attempt')
          .where('id', '=', ownId)
          .executeTakeFirstOrThrow()
      ).attempt
    await expect
      .poll(attempts, { message: 'the gateway did not look for unfinished payments' })
      .toBeGreaterThan(before.attempt)
    expect(await scene.rowOf(open)).toEqual(before)
    expect(base.logged.filter((line) => line.includes(idOf(open)))).toEqual([])
    expect((await base.refund(served)).status).toBe(409)
  })
})

test('books of two networks are finished and honored again by a gateway of their own', async () => {
  const sepolia = await scene.open()
  await expect
    .poll(async () => (await scene.rowOf(open)).state, {
      message: 'the payment was not settled on its own network',
    })
    .toMatch(/^(settled|final)$/)
  expect((await usageOf(sepolia, key.key)).status).toBe(200)
  expect((await sepolia.pay(served, undefined, order)).status).toBe(200)
  expect(await scene.payee.balanceOf(scene.payee.address)).toBe(prices.starter + 2n * price)
})
