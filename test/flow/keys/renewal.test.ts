import request from 'supertest'
import type { LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import type { SignedPayment } from '../../support/chain/wallet.ts'
import { operatorToken } from '../../support/gateways/gateway.ts'
import { buyKey, newName, prices, renewKey, usageOf } from '../../support/gateways/key-sale.ts'
import { openReplica, type Replica } from '../../support/gateways/replica.ts'
import { idOf, openScene, type Scene, type Seller } from '../../support/gateways/scene.ts'
import { startIssuer, type TestIssuer } from '../../support/servers/oidc-issuer.ts'
import { startStoreProxy } from '../../support/stores/store-proxy.ts'

/**
 * The life of a bought API key: renewals, a gateway that dies during a sale, refunds, and the usage that its
 * holder reads.
 */
const day = 86_400
const audience = 'https://api.example.com'

let chain: TestChain
let scene: Scene
let gateway: Seller
let second: Seller
let issuer: TestIssuer

beforeAll(async () => {
  issuer = await startIssuer()
  chain = await startTestChain()
  scene = await openScene(chain)
  const refunder = generatePrivateKey()
  await chain.mint(privateKeyToAccount(refunder).address, 10n * prices.starter)
  const settings = {
    REFUND_KEY: refunder,
    OIDC_ISSUER: issuer.url,
    OIDC_AUDIENCE: audience,
    OIDC_TIER_CLAIM: 'tier',
  }
  gateway = await scene.open(settings)
  second = await scene.open(settings)
})
afterAll(async () => {
  await scene.close()
  await chain.close()
  await issuer.close()
})

const sign = (wallet: LocalAccount, value = prices.starter) => scene.sign(wallet, { value })
/** A payment for a key, from a wallet with money for two. */
const newPayment = async () => sign(await scene.wallet(2n * prices.starter))
const received = () => scene.payee.balanceOf(scene.payee.address)
const boughtSchema = z.looseObject({ keyId: z.string(), key: z.string(), expiresAt: z.int() })

async function newKey() {
  const payment = await newPayment()
  const reply = await buyKey(gateway, { payment, name: newName() })
  expect(reply.status).toBe(201)
  return { ...boughtSchema.parse(reply.body), payment }
}

/** Makes a key as the operator. */
async function ownKey(tier = 'starter') {
  const reply = await operate('/operator/keys', { tier, owner: 'ann', label: 'own' })
  expect(reply.status).toBe(201)
  return z.looseObject({ keyId: z.string(), key: z.string() }).parse(reply.body)
}

const operate = (path: string, body: object = {}) =>
  request(gateway.url).post(path).set('authorization', `Bearer ${operatorToken}`).send(body)
const setExpiry = (id: string, expiresAt: Date | null) =>
  scene.queries.updateTable('keys').set({ expiresAt }).where('id', '=', id).execute()
/** Expects it within a second, because processes reuse a read of a key for less than that. */
const soon = { timeout: 1_000, interval: 20 }
const codeOf = async (seller: { readonly url: string }, key: string) => {
  const { status, body } = await usageOf(seller, key)
  return status === 200 ? 'good' : body.code
}

describe('a renewal', () => {
  test('a renewal extends a key by the days of its tier, once per payment, whichever wallet pays', async () => {
    const { keyId, key, expiresAt } = await newKey()
    const before = await received()
    const payment = await newPayment()
    const first = await renewKey(gateway, { keyId }, payment)
    expect([first.status, first.body]).toEqual([
      200,
      { keyId, tier: 'starter', expiresAt: expiresAt + 30 * day },
    ])
    const again = await renewKey(second, { keyId }, payment)
    expect([again.status, again.text]).toEqual([200, first.text])
    expect((await renewKey(gateway, { keyId }, await newPayment())).body).toMatchObject({
      expiresAt: expiresAt + 60 * day,
    })
    expect((await usageOf(gateway, key)).body).toMatchObject({ expiresAt: expiresAt + 60 * day })
    expect((await received()) - before).toBe(2n * prices.starter)
  })

  test('a renewal costs the price of the key’s tier; a 402 without a key id names the cheapest tier', async () => {
    const { keyId } = await ownKey('pro')
    await setExpiry(keyId, new Date())
    expect((await renewKey(gateway, { keyId })).body).toMatchObject({ details: { price: '49.00' } })
    const payment = await newPayment()
    expect((await renewKey(gateway, { keyId }, payment)).body).toMatchObject({ code: 'PAYMENT_INVALID' })
    const probe = await request(gateway.url).post('/api/keys/renew')
    expect([probe.status, probe.body.details.price]).toEqual([402, '9.00'])
  })

  test('a renewed expired key is accepted immediately by this gateway, and within a second by others', async () => {
    const { keyId, key } = await newKey()
    await setExpiry(keyId, new Date(Date.now() - 1_000 * day))
    for (const seller of [gateway, second]) {
      await expect.poll(() => codeOf(seller, key), soon).toBe('API_KEY_EXPIRED')
    }
    expect((await renewKey(gateway, { keyId }, await newPayment())).status).toBe(200)
    expect(await codeOf(gateway, key)).toBe('good')
    await expect.poll(() => codeOf(second, key), soon).toBe('good')
  })

  test('a key that the operator moves to another tier has its limits immediately here, and within a second elsewhere', async () => {
    const { keyId, key } = await ownKey('starter')
    const tierAt = async (seller: { readonly url: string }) => (await usageOf(seller, key)).body.tier
    expect([await tierAt(gateway), await tierAt(second)]).toEqual(['starter', 'starter'])
    await operate(`/operator/keys/${keyId}/update`, { tier: 'pro' }).expect(200)
    expect(await tierAt(gateway)).toBe('pro')
    await expect.poll(() => tierAt(second), soon).toBe('pro')
  })

  const impossible: readonly [string, () => Promise<unknown>, [number, string]][] = [
    ['a key there is not', async () => ({ keyId: '0'.repeat(16) }), [404, 'KEY_NOT_FOUND']],
    [
      'a key that was revoked',
      async () => {
        const { keyId } = await newKey()
        expect((await operate(`/operator/keys/${keyId}/revoke`)).status).toBe(200)
        return { keyId }
      },
      [404, 'KEY_NOT_FOUND'],
    ],
    ['a key that never expires', async () => ({ keyId: (await ownKey()).keyId }), [400, 'VALIDATION_ERROR']],
    [
      'a whole key in place of its id',
      async () => ({ keyId: (await newKey()).key }),
      [400, 'VALIDATION_ERROR'],
    ],
    ['a list', async () => [], [400, 'VALIDATION_ERROR']],
  ]
  test.each(impossible)('a renewal of %s is refused before any money moves', async (_what, make, refusal) => {
    const body = await make()
    const payment = await newPayment()
    const before = await received()
    const reply = await renewKey(gateway, body, payment)
    expect([reply.status, reply.body.code]).toEqual(refusal)
    expect(await received()).toBe(before)
    const row = scene.queries.selectFrom('payments').select('id').where('id', '=', idOf(payment))
    expect(await row.execute()).toEqual([])
  })
})

test('while the store is down, a renewal gets neither a 402 nor an unknown-key error', async () => {
  const store = await startStoreProxy(scene.settings.DATABASE_URL ?? '')
  const seller = await scene.open({ DATABASE_URL: store.url })
  try {
    const { keyId, key } = await newKey()
    const payment = await newPayment()
    // From here on the gateway reuses its read of the key for a moment.
    expect(await codeOf(seller, key)).toBe('good')
    store.shut()
    for (const reply of [await usageOf(seller, key), await renewKey(seller, { keyId }, payment)]) {
      expect([reply.status, reply.body.code]).toEqual([503, 'QUOTAS_UNAVAILABLE'])
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
    }
    store.open()
    expect((await renewKey(seller, { keyId }, payment)).status).toBe(200)
  } finally {
    await seller.close()
    await store.close()
  }
})

describe('a gateway that is killed during a sale', () => {
  let doomed: Replica

  beforeAll(async () => {
    const { DATABASE_URL: databaseUrl = '', ...settings } = scene.settings
    // The gateway is killed while it waits, so it must not time out before.
    const patient = { ...settings, RPC_TIMEOUT_MS: '30000', SETTLEMENT_TIMEOUT_MS: '30000' }
    doomed = await openReplica({ rpcUrl: chain.rpcUrl, databaseUrl, settings: patient })
    await doomed.start()
  })
  afterAll(() => doomed.close())

  const points: readonly [string, (replica: Replica) => ReturnType<Replica['store']['holdWrite']>][] = [
    ['when the money has moved, before the key is made', ({ store }) => store.holdAnswer('paid')],
    ['when the key is made, before the reply is written', ({ store }) => store.holdWrite('settled')],
    ['when the reply is written, before it goes out', ({ store }) => store.holdAnswer('settled')],
  ]

  async function killAt(
    stop: (typeof points)[number][1],
    payment: SignedPayment,
    ask: () => Promise<unknown>,
  ) {
    const held = stop(doomed)
    const asked = ask().then(
      () => 'answered',
      () => 'cut off',
    )
    await Promise.race([held.reached, asked])
    await doomed.kill()
    held.drop()
    expect(await asked).toBe('cut off')
    await scene.endLease(payment)
    await doomed.start()
  }

  test.each(points)(
    'a gateway that is killed %s has sold one key for one price when the purchase is repeated',
    async (_when, stop) => {
      const order = { payment: await newPayment(), name: newName() }
      const before = await received()
      await killAt(stop, order.payment, () => buyKey(doomed, order))
      expect((await buyKey(doomed, { ...order, name: newName() })).status).toBe(409)
      const reply = await buyKey(doomed, order)
      expect(reply.status).toBe(201)
      const { keyId, key } = boughtSchema.parse(reply.body)
      expect((await buyKey(gateway, order)).text).toBe(reply.text)
      for (const seller of [doomed, gateway]) expect(await codeOf(seller, key)).toBe('good')
      const keys = scene.queries.selectFrom('keys').select('id').where('paymentId', '=', idOf(order.payment))
      expect(await keys.execute()).toEqual([{ id: keyId }])
      expect((await received()) - before).toBe(prices.starter)
    },
  )

  test('a gateway that is killed after a renewal, before its reply is stored, has renewed once', async () => {
    const { keyId, expiresAt } = await newKey()
    const payment = await newPayment()
    const before = await received()
    await killAt(
      ({ store }) => store.holdWrite('settled'),
      payment,
      () => renewKey(doomed, { keyId }, payment),
    )
    const reply = await renewKey(doomed, { keyId }, payment)
    expect([reply.status, reply.body.expiresAt]).toEqual([200, expiresAt + 30 * day])
    expect((await received()) - before).toBe(prices.starter)
  })
})

describe('a refund of a sale', () => {
  test('the refund of a key revokes it, permanently and at every gateway within a second', async () => {
    const { keyId, key, payment } = await newKey()
    for (const seller of [gateway, second]) expect(await codeOf(seller, key)).toBe('good')
    const refund = await gateway.refund(payment)
    expect([refund.status, refund.body.state]).toEqual([200, 'refunded'])
    for (const seller of [gateway, second]) {
      await expect.poll(() => codeOf(seller, key), soon).toBe('API_KEY_REVOKED')
    }
    expect((await renewKey(gateway, { keyId }, await newPayment())).status).toBe(404)
  })

  test('the refund of a part of a key’s price, or of a renewal’s, leaves the key as it is', async () => {
    const { keyId, key, payment, expiresAt } = await newKey()
    const renewal = await newPayment()
    expect((await renewKey(gateway, { keyId }, renewal)).status).toBe(200)
    for (const one of [payment, renewal]) {
      const refund = await gateway.refund(one, { amount: '4.50' })
      expect([refund.status, refund.body.amount]).toEqual([200, '4.50'])
    }
    const usage = await usageOf(gateway, key)
    expect([usage.status, usage.body.expiresAt]).toEqual([200, expiresAt + 30 * day])
    const shown = await request(gateway.url)
      .get(`/operator/keys/${keyId}`)
      .set('authorization', `Bearer ${operatorToken}`)
    expect(shown.body).toMatchObject({ state: 'active', revokedAt: null })
  })

  test('the refund of a renewal takes back its days, and no others', async () => {
    const { keyId, key, expiresAt } = await newKey()
    const payment = await newPayment()
    expect((await renewKey(gateway, { keyId }, payment)).status).toBe(200)
    expect((await renewKey(gateway, { keyId }, await newPayment())).status).toBe(200)
    for (let time = 0; time < 2; time++) expect((await gateway.refund(payment)).status).toBe(200)
    const left = async () => (await usageOf(gateway, key)).body.expiresAt
    await expect.poll(left, soon).toBe(expiresAt + 30 * day)
  })
})

test('a renewal that was paid for gets its reply again when the key is revoked, and a new one is not sold', async () => {
  const { keyId } = await newKey()
  const payment = await newPayment()
  const renewed = await renewKey(gateway, { keyId }, payment)
  expect(renewed.status).toBe(200)
  await request(gateway.url)
    .post(`/operator/keys/${keyId}/revoke`)
    .set('authorization', `Bearer ${operatorToken}`)
    .expect(200)
  const before = await received()
  const again = await renewKey(gateway, { keyId }, payment)
  expect([again.status, again.text]).toEqual([200, renewed.text])
  const late = await renewKey(gateway, { keyId }, await newPayment())
  expect([late.status, late.body.code]).toEqual([404, 'KEY_NOT_FOUND'])
  expect(await received()).toBe(before)
})

describe('GET /api/keys/usage', () => {
  const get = (credentials: Readonly<Record<string, string>>, query = '') =>
    request(gateway.url).get(`/api/keys/usage${query}`).set(credentials)
  const research = (key: string) =>
    request(gateway.url)
      .post('/api/leads/research')
      .set('x-mcp-api-key', key)
      .send({ companyName: 'Acme Dental' })
  const ofResearch = (used: number) =>
    expect.objectContaining({
      operation: 'researchLead',
      day: expect.objectContaining({ used, limit: null, remaining: null }),
      month: expect.objectContaining({ used, limit: 50, remaining: 50 - used }),
    })

  test('the holder of a key reads its usage and what is left, with the key or an access token', async () => {
    const { keyId, key, expiresAt } = await newKey()
    for (let call = 0; call < 2; call++) expect((await research(key)).status).toBe(200)
    const token = await request(gateway.url)
      .post('/oauth/token')
      .type('form')
      .send({ grant_type: 'client_credentials', client_id: keyId, client_secret: key })
    const bearer = { authorization: `Bearer ${token.body.access_token}` }
    for (const credentials of [{ 'x-mcp-api-key': key }, { authorization: `Bearer ${key}` }, bearer]) {
      const reply = await get(credentials)
      expect(reply.status).toBe(200)
      expect(reply.headers['cache-control']).toMatch(/no-store/)
      expect(reply.body).toMatchObject({
        keyId,
        tier: 'starter',
        label: '',
        expiresAt,
        rate: { calls: 30, seconds: 60 },
      })
      expect(reply.body.operations).toContainEqual(ofResearch(2))
    }
  })

  test('a holder of another issuer’s token reads their own usage', async () => {
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: issuer.url, aud: audience, iat: now, exp: now + 3_600, tier: 'starter' }
    const reply = await get({ authorization: `Bearer ${await issuer.sign({ ...claims, sub: 'user-1' })}` })
    expect(reply.body).toMatchObject({ keyId: null, tier: 'starter', label: '', expiresAt: null })
    expect(reply.body.operations).toContainEqual(ofResearch(0))
  })

  test('a holder reads nothing about another key, whatever the request', async () => {
    const [own, other] = [await ownKey(), await newKey()]
    expect((await research(other.key)).status).toBe(200)
    for (const query of [`?keyId=${other.keyId}`, `?subject=key:${other.keyId}`, `?key=${other.key}`]) {
      const reply = await get({ 'x-mcp-api-key': own.key }, query)
      expect(reply.body).toMatchObject({ code: 'VALIDATION_ERROR' })
      expect(reply.text).not.toContain(other.keyId)
    }
  })

  test.each([
    ['nothing', {}, 'API_KEY_REQUIRED'],
    ['a payment in place of a key', { 'x-payment': 'e30=' }, 'API_KEY_REQUIRED'],
    ['an id in place of a key', { 'x-mcp-api-key': '0123456789abcdef' }, 'API_KEY_MALFORMED'],
    ['an unknown token', { authorization: 'Bearer unknown' }, 'TOKEN_INVALID'],
  ])('a usage request with %s gets 401', async (_what, credentials, code) => {
    const reply = await get(credentials)
    expect([reply.status, reply.body.code]).toEqual([401, code])
  })
})
