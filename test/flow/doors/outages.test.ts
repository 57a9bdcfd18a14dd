import request from 'supertest'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { shownKeySchema } from '../../../src/edge/handlers/operator/replies.ts'
import { devPayers } from '../../../src/platform/chain/dev-accounts.ts'
import { startTestChain, type TestChain, temporaryFolder } from '../../support/chain/chain.ts'
import { signPayment, v2Header } from '../../support/chain/wallet.ts'
import { writeCatalog } from '../../support/gateways/catalog.ts'
import { operatorToken, startGateway, type TestGateway } from '../../support/gateways/gateway.ts'
import { errorsIn, linesOf, outagesIn } from '../../support/gateways/logged.ts'
import { type Model, startModel } from '../../support/servers/model.ts'
import { freshDatabase } from '../../support/stores/database.ts'
import { hasRedis, type RedisServer, startRedis } from '../../support/stores/redis-server.ts'
import { type StoreProxy, startStoreProxy } from '../../support/stores/store-proxy.ts'

/**
 * The doors while the store or Redis is down: calls that cannot be counted are refused, all others are
 * served, and the gateway recovers by itself.
 */

const path = '/api/leads/research'
const lead = { companyName: 'Acme Dental' }
const payer = privateKeyToAccount(devPayers[2].privateKey)
const tiers = {
  daily: { description: 'Thirty a day.', rate: '100/minute', operations: { researchLead: '30/day' } },
  mixed: {
    description: 'One operation without a limit.',
    operations: { researchLead: 'unlimited', analyzeBusiness: '30/day' },
  },
}

let chain: TestChain
let model: Model
let settings: Record<string, string>
let removeFolder: () => Promise<void>

beforeAll(async () => {
  const { folder, remove } = await temporaryFolder()
  removeFolder = remove
  model = await startModel()
  chain = await startTestChain()
  settings = {
    ...model.settings,
    CATALOG_FILE: await writeCatalog(
      folder,
      {
        researchLead: { access: 'optional', free: '100/day' },
        getPricingMarkdown: { access: 'optional', rate: '2/minute' },
      },
      tiers,
    ),
    // Lets each test be another client.
    TRUST_PROXY: '1',
  }
})
beforeEach(() => {
  model.answer = 'research'
  model.release()
})
afterAll(async () => {
  await chain.close()
  await model.close()
  await removeFolder()
})

const client = (address: string) => ({ 'x-forwarded-for': address })
const call = async (url: string, credentials: Record<string, string>) =>
  request(url).post(path).set(credentials).send(lead)

async function createKey({ url }: TestGateway, tier = 'daily') {
  const reply = await request(url)
    .post('/operator/keys')
    .set('authorization', `Bearer ${operatorToken}`)
    .send({ tier })
  const { key, keyId } = shownKeySchema.parse(reply.body)
  return { keyId, text: key, header: { 'x-mcp-api-key': key } }
}

async function tokenOf({ url }: TestGateway, { keyId, text }: { keyId: string; text: string }) {
  const reply = await request(url)
    .post('/oauth/token')
    .auth(keyId, text)
    .type('form')
    .send({ grant_type: 'client_credentials' })
  const { access_token } = z.object({ access_token: z.string() }).parse(reply.body)
  return { authorization: `Bearer ${access_token}` }
}

async function usedBy({ url }: TestGateway, header: Record<string, string>): Promise<number | undefined> {
  const counted = z.object({ operation: z.string(), day: z.object({ used: z.int() }) })
  const { body } = await request(url).get('/api/keys/usage').set(header)
  const { operations } = z.object({ operations: z.array(counted) }).parse(body)
  return operations.find(({ operation }) => operation === 'researchLead')?.day.used
}

const payment = async () => ({ 'payment-signature': v2Header(await signPayment(payer, 250_000n)) })

/** Expects the refusal of a call that cannot be counted, with Retry-After. */
function expectUncounted(reply: request.Response): void {
  expect(reply.status).toBe(503)
  expect(reply.body).toMatchObject({ error: 'unavailable', code: 'QUOTAS_UNAVAILABLE' })
  expect(reply.headers['retry-after']).toMatch(/^[1-9]\d*$/)
}

async function expectOpen({ url }: TestGateway): Promise<void> {
  for (const open of ['/pricing', '/api/health', '/health', '/.well-known/pricing.md']) {
    expect((await request(url).get(open)).status).toBe(200)
  }
}

async function paymentsHealth({ url }: TestGateway): Promise<unknown> {
  return (await request(url).get('/health')).body.components.payments
}

const readiness = async ({ url }: TestGateway) => {
  const { status, body } = await request(url).get('/ready')
  return [status, body.reasons.map(({ component }: { component: string }) => component)]
}

async function expectNotReady(gateway: TestGateway, component: string): Promise<void> {
  const message = `the gateway stays ready without its ${component}`
  await expect.poll(() => readiness(gateway), { message }).toEqual([503, expect.arrayContaining([component])])
}

async function expectReady(gateway: TestGateway): Promise<void> {
  const message = 'the gateway is not ready although everything works'
  await expect.poll(() => readiness(gateway), { message }).toEqual([200, []])
}

describe('while the store is down', () => {
  let store: StoreProxy
  let gateway: TestGateway

  beforeAll(async () => {
    store = await startStoreProxy(await freshDatabase())
    gateway = await startGateway(chain.rpcUrl, { ...settings, DATABASE_URL: store.url })
  })
  beforeEach(() => store.open())
  afterAll(async () => {
    store.open()
    await gateway.close()
    await store.close()
  })

  test('calls with keys, tokens, free quota and payments are refused before anything runs, and work again once it is back', async () => {
    const [used, unused] = [await createKey(gateway), await createKey(gateway)]
    const token = await tokenOf(gateway, unused)
    // This key is cached when the store goes down, and the other one is not.
    expect((await call(gateway.url, used.header)).status).toBe(200)
    const asked = model.asked
    const paid = await payment()

    store.shut()
    for (const credentials of [used.header, unused.header, token, {}, client('192.0.2.1')]) {
      expectUncounted(await call(gateway.url, credentials))
    }
    const refused = await call(gateway.url, paid)
    expect(refused.status).toBe(503)
    expect(refused.body).toMatchObject({ code: 'PAYMENTS_UNAVAILABLE' })
    expect(refused.headers['retry-after']).toMatch(/^[1-9]\d*$/)
    expect(model.asked).toBe(asked)
    await expect
      .poll(() => paymentsHealth(gateway))
      .toEqual({ status: 'degraded', reason: 'the store does not answer' })
    await expectNotReady(gateway, 'store')

    store.open()
    for (const credentials of [used.header, unused.header, token, {}, client('192.0.2.1'), paid]) {
      expect((await call(gateway.url, credentials)).status).toBe(200)
    }
    expect(model.asked).toBe(asked + 6)
    await expectReady(gateway)
    // The refused calls were not counted.
    expect(await usedBy(gateway, used.header)).toBe(2)
    expect(await usedBy(gateway, unused.header)).toBe(2)
  })

  test('a key and a token of a tier without a limit go on, and their use and last use are written when it is back', async () => {
    const key = await createKey(gateway, 'mixed')
    const token = await tokenOf(gateway, key)
    const unseen = await createKey(gateway, 'mixed')
    const revoked = await createKey(gateway, 'mixed')
    for (const header of [key.header, token, revoked.header]) {
      expect((await call(gateway.url, header)).status).toBe(200)
    }
    const revoke = async ({ keyId }: { keyId: string }) =>
      (
        await request(gateway.url)
          .post(`/operator/keys/${keyId}/revoke`)
          .set('authorization', `Bearer ${operatorToken}`)
      ).status
    expect(await revoke(revoked)).toBe(200)

    store.shut()
    for (let calls = 0; calls < 10; calls += 1) {
      expect((await call(gateway.url, key.header)).status).toBe(200)
      expect((await call(gateway.url, token)).status).toBe(200)
    }
    const limited = await request(gateway.url)
      .post('/api/analyze')
      .set(key.header)
      .send({ businessName: 'Acme Dental' })
    expectUncounted(limited)
    // What cannot be recorded is not done. This gateway has not seen the one key before, and has revoked the other.
    expect(await revoke(key)).toBe(503)
    for (const { header } of [unseen, revoked]) expectUncounted(await call(gateway.url, header))

    store.open()
    expect((await call(gateway.url, revoked.header)).status).toBe(401)
    await expect.poll(() => usedBy(gateway, key.header), { message: 'the calls were not counted' }).toBe(22)
  })

  test('an outage logs one line when it begins and one when it is over with the number of failed calls, and the operator gets 503', async () => {
    const key = await createKey(gateway)
    await expect
      .poll(() => outagesIn(gateway.logged).at(-1), {
        message: 'an earlier outage did not end',
      })
      .toBe('an outage is over: PostgreSQL')
    const from = gateway.logged.length
    store.shut()
    for (let calls = 0; calls < 20; calls += 1) expectUncounted(await call(gateway.url, key.header))
    const books = ['totals', 'strangers', 'payments', 'usage', 'usage/calls', 'export?format=csv', 'keys']
    for (const path of books) {
      const reply = await request(gateway.url)
        .get(`/operator/${path}`)
        .set('authorization', `Bearer ${operatorToken}`)
      expect([path, reply.status, reply.body.code]).toEqual([
        path,
        503,
        expect.stringMatching(/_UNAVAILABLE$/),
      ])
      expect(reply.headers['retry-after']).toMatch(/^[1-9]\d*$/)
      expect(reply.body.message).not.toContain('sign a new payment')
    }
    store.open()
    await expect
      .poll(() => outagesIn(gateway.logged, from), { message: 'the outage did not end' })
      .toEqual(['an outage has begun: PostgreSQL', 'an outage is over: PostgreSQL'])
    expect(errorsIn(gateway.logged, from)).toEqual(['an outage has begun: PostgreSQL'])
    const lines = linesOf(gateway.logged, from)
    const [begun, over] = lines.filter(({ dependency }) => dependency !== undefined)
    expect(begun).toMatchObject({ err: { stack: expect.stringContaining('at ') } })
    expect(over).toMatchObject({ calls: 20 + books.length, seconds: expect.any(Number) })
  })

  test('the usage of a key cannot be read, and open operations are served', async () => {
    const known = await createKey(gateway)
    expect(await usedBy(gateway, known.header)).toBe(0)
    store.shut()
    expectUncounted(await request(gateway.url).get('/api/keys/usage').set(known.header))
    expectUncounted(await request(gateway.url).post('/api/keys/renew').send({ keyId: known.keyId }))
    await expectOpen(gateway)
  })

  test('a call that has already taken its unit is served', async () => {
    const key = await createKey(gateway)
    const asked = model.asked
    model.hold()
    const underWay = call(gateway.url, key.header)
    await expect.poll(() => model.asked, { message: 'the model was not asked' }).toBe(asked + 1)
    store.shut()
    model.release()
    expect((await underWay).status).toBe(200)
    store.open()
    expect(await usedBy(gateway, key.header)).toBe(1)
  })

  test('a failed call gets its own error, and the log says that its unit could not be released', async () => {
    const key = await createKey(gateway)
    const asked = model.asked
    model.hold()
    model.answer = 'error'
    const underWay = call(gateway.url, key.header)
    await expect.poll(() => model.asked, { message: 'the model was not asked' }).toBe(asked + 1)
    store.shut()
    model.release()
    const failed = await underWay
    expect(failed.status).toBe(502)
    expect(failed.body).toMatchObject({ code: 'TEXT_ENGINE_FAILED' })
    expect(gateway.logged.join('')).toContain(
      'the payment or quota unit of a failed call could not be released',
    )
  })
})

describe.skipIf(!hasRedis())('while Redis is down', () => {
  let redis: RedisServer
  let gateway: TestGateway

  beforeAll(async () => {
    redis = await startRedis()
    gateway = await startGateway(chain.rpcUrl, { ...settings, REDIS_URL: redis.url })
  })
  afterAll(async () => {
    await gateway.close()
    await redis.close()
  })

  const readPrices = async () => (await request(gateway.url).get('/pricing.md')).status

  test('calls with a quota are refused, calls with only a rate or no limit pass, payments are taken, and all are counted again once it is back', async () => {
    const from = gateway.logged.length
    const key = await createKey(gateway)
    const unlimited = await createKey(gateway, 'mixed')
    expect((await call(gateway.url, key.header)).status).toBe(200)
    expect((await call(gateway.url, {})).status).toBe(200)
    expect([await readPrices(), await readPrices(), await readPrices()]).toEqual([200, 200, 429])
    const asked = model.asked

    await redis.stop()
    for (const credentials of [key.header, {}]) expectUncounted(await call(gateway.url, credentials))
    expectUncounted(await request(gateway.url).get('/api/keys/usage').set(key.header))
    expect(model.asked).toBe(asked)
    expect([await readPrices(), await readPrices(), await readPrices()]).toEqual([200, 200, 200])
    for (let calls = 0; calls < 20; calls += 1) {
      expect((await call(gateway.url, unlimited.header)).status).toBe(200)
    }
    // One line stands for all calls.
    expect(errorsIn(gateway.logged, from)).toEqual(['an outage has begun: Redis'])
    expect((await call(gateway.url, await payment())).status).toBe(200)
    await expectOpen(gateway)
    await expectNotReady(gateway, 'redis')

    await redis.start()
    const message = 'the gateway did not recover after Redis came back'
    await expect.poll(async () => (await call(gateway.url, key.header)).status, { message }).toBe(200)
    expect((await call(gateway.url, {})).status).toBe(200)
    await expect
      .poll(() => usedBy(gateway, unlimited.header), {
        message: 'the calls were not counted',
      })
      .toBe(20)
    await expect
      .poll(() => outagesIn(gateway.logged, from), { message: 'the outage did not end' })
      .toEqual(['an outage has begun: Redis', 'an outage is over: Redis'])
    // Redis restarted empty, so the rate starts again.
    expect([await readPrices(), await readPrices(), await readPrices()]).toEqual([200, 200, 429])
  })
})
