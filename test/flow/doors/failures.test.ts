import request from 'supertest'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { tokenAbi } from '../../../src/doors/x402/evidence/token.ts'
import { devPayers, devPayTo } from '../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { signPayment, v1Header } from '../../support/chain/wallet.ts'
import { startGateway, type TestGateway } from '../../support/gateways/gateway.ts'
import { errorsIn, outagesIn } from '../../support/gateways/logged.ts'
import { type Model, startModel } from '../../support/servers/model.ts'

const payer = privateKeyToAccount(devPayers[4].privateKey)
const price = 250_000n
const body = { companyName: 'Acme Dental' }

function post(gateway: TestGateway, header: string) {
  return request(gateway.url).post('/api/leads/research').set('X-PAYMENT', header).send(body)
}

describe('when the text model fails', () => {
  let chain: TestChain
  let model: Model
  let gateway: TestGateway

  beforeAll(async () => {
    chain = await startTestChain()
    model = await startModel()
    gateway = await startGateway(chain.rpcUrl, { ...model.settings, OPENAI_TIMEOUT_MS: '500' })
  })
  afterAll(async () => {
    await gateway.close()
    await model.close()
    await chain.close()
  })
  beforeEach(() => {
    model.answer = 'research'
  })

  test.each(['nonsense', 'error', 'never'] as const)(
    'a model answer of kind %s becomes a 502, nothing is charged, and the same payment pays once the model works again',
    async (answer) => {
      const message = 'an earlier outage did not end'
      await expect.poll(() => outagesIn(gateway.logged).at(-1) ?? 'over', { message }).toMatch(/over/)
      const received = () =>
        chain.client.readContract({
          address: networks['base-sepolia'].usdc.address,
          abi: tokenAbi,
          functionName: 'balanceOf',
          args: [devPayTo.address],
        })
      const before = await received()
      const header = v1Header(await signPayment(payer, price))
      model.answer = answer
      const from = gateway.logged.length
      const failed = await post(gateway, header)
      expect(failed.status).toBe(502)
      // A model that answers nonsense is not down.
      const line = answer === 'nonsense' ? 'a call failed' : 'an outage has begun: the text model'
      expect(errorsIn(gateway.logged, from)).toEqual([line])
      expect(failed.body).toMatchObject({
        error: 'bad_gateway',
        code: 'TEXT_ENGINE_FAILED',
        message: expect.stringContaining('nothing was charged'),
      })
      expect(failed.headers['payment-response']).toBeUndefined()
      expect(await received()).toBe(before)

      model.answer = 'research'
      const paid = await post(gateway, header)
      expect(paid.status).toBe(200)
      expect((await received()) - before).toBe(price)
    },
  )

  test('a caller who disconnects during the call is not charged, and may come back with the same payment', async () => {
    const header = v1Header(await signPayment(payer, price))
    model.answer = 'never'
    const asked = model.asked
    const controller = new AbortController()
    const gone = fetch(`${gateway.url}/api/leads/research`, {
      method: 'POST',
      headers: { 'x-payment': header, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: controller.signal,
    })
    await expect.poll(() => model.asked, { message: 'the model was not asked' }).toBe(asked + 1)
    controller.abort()
    await expect(gone).rejects.toThrow()

    model.answer = 'research'
    const states = () =>
      gateway.services.queries.selectFrom('payments').select('state').where('state', '=', 'claimed').execute()
    await expect.poll(states, { message: 'the payment was not released' }).toEqual([])
    expect((await post(gateway, header)).status).toBe(200)
  })
})

describe('when the chain is down', () => {
  test('paid calls get a 503 before any work, unpaid calls get no price, and health is degraded', async () => {
    const chain = await startTestChain()
    const model = await startModel()
    const gateway = await startGateway(chain.rpcUrl, { ...model.settings, RPC_TIMEOUT_MS: '1000' })
    try {
      const header = v1Header(await signPayment(payer, price))
      const settled = v1Header(await signPayment(payer, price))
      const served = await post(gateway, settled)
      expect(served.status).toBe(200)
      expect((await request(gateway.url).get('/health')).body).toMatchObject({ status: 'ok' })
      const from = gateway.logged.length
      await chain.close()

      const paid = await post(gateway, header)
      expect(paid.status).toBe(503)
      expect(paid.body).toMatchObject({ error: 'unavailable', code: 'PAYMENTS_UNAVAILABLE' })
      expect(Number(paid.headers['retry-after'])).toBeGreaterThan(0)
      expect(model.asked).toBe(1)

      const unpaid = () => request(gateway.url).post('/api/leads/research')
      const message = 'unpaid calls still get a price'
      await expect.poll(async () => (await unpaid()).status, { message }).toBe(503)
      for (let calls = 0; calls < 10; calls += 1) expect((await unpaid()).status).toBe(503)
      expect(errorsIn(gateway.logged, from)).toEqual(['an outage has begun: the chain at RPC_URL'])
      // A stored reply needs no chain.
      expect((await post(gateway, settled)).text).toBe(served.text)
      // One check is shown for a second.
      const health = async () => (await request(gateway.url).get('/health')).body
      await expect.poll(health).toMatchObject({
        status: 'degraded',
        components: { chain: { status: 'down' }, payments: { status: 'down' } },
      })
      expect((await request(gateway.url).get('/api/health')).body).toMatchObject({ status: 'degraded' })
      expect((await request(gateway.url).get('/pricing')).status).toBe(200)
    } finally {
      await gateway.close()
      await model.close()
    }
  })
})

test('when the settlement account has no gas, nothing is sold', async () => {
  const chain = await startTestChain()
  const { devSettler } = await import('../../../src/platform/chain/dev-accounts.ts')
  await chain.client.setBalance({ address: devSettler.address, value: 0n })
  const gateway = await startGateway(chain.rpcUrl)
  try {
    const reply = await request(gateway.url).post('/api/analyze')
    expect(reply.status).toBe(503)
    expect(reply.body).toMatchObject({ details: { reason: expect.stringContaining('gas') } })
    expect(errorsIn(gateway.logged)).toEqual([
      'a settlement account has too little gas for a full batch: it sends nothing while another account can',
      'an outage has begun: payments',
    ])
    const ready = await request(gateway.url).get('/ready')
    expect([ready.status, ready.headers['cache-control'], ready.headers['retry-after']]).toEqual([
      503,
      'no-store',
      '5',
    ])
    expect(ready.body).toEqual({
      status: 'not_ready',
      reasons: [{ component: 'payments', reason: expect.stringContaining('gas') }],
    })
    const health = await request(gateway.url).get('/health')
    expect([health.status, health.body.components.gas]).toEqual([
      200,
      {
        status: 'down',
        reason: `${devSettler.address} has too little gas for a full batch: it holds 0 ETH, enough for 0 payments`,
      },
    ])
    await chain.client.setBalance({ address: devSettler.address, value: 10n ** 18n })
    const message = 'the gateway is not ready although its account has gas again'
    await expect.poll(async () => (await request(gateway.url).get('/ready')).status, { message }).toBe(200)
  } finally {
    await gateway.close()
    await chain.close()
  }
})

test('when one of two settlement accounts runs dry under way, every paid call is served, and health names the account', async () => {
  const chain = await startTestChain()
  const [drained, funded] = [generatePrivateKey(), generatePrivateKey()]
  const { address } = privateKeyToAccount(drained)
  const setGas = (key: Hex, value: bigint) =>
    chain.client.setBalance({ address: privateKeyToAccount(key).address, value })
  await setGas(drained, 10n ** 18n)
  await setGas(funded, 10n ** 18n)
  const gateway = await startGateway(chain.rpcUrl, { SETTLER_KEY: `${drained},${funded}` })
  try {
    expect((await post(gateway, v1Header(await signPayment(payer, price)))).status).toBe(200)
    await setGas(drained, 0n)
    const payments = await Promise.all(Array.from({ length: 20 }, () => signPayment(payer, price)))
    const replies = await Promise.all(payments.map((payment) => post(gateway, v1Header(payment))))
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200))

    const gas = async () => (await request(gateway.url).get('/health')).body.components.gas
    await expect.poll(gas, { message: 'health does not name the account' }).toMatchObject({
      status: 'degraded',
      reason: expect.stringContaining(`${address} has too little gas`),
    })
    expect((await request(gateway.url).get('/ready')).body).toEqual({ status: 'ready', reasons: [] })
  } finally {
    await gateway.close()
    await chain.close()
  }
})

test('when the RPC endpoint answers for another network, nothing is sold, and health says why', async () => {
  const chain = await startTestChain()
  const gateway = await startGateway(chain.rpcUrl, { NETWORK: 'base' })
  try {
    const reply = await request(gateway.url).post('/api/analyze')
    expect(reply.status).toBe(503)
    expect(reply.body).toMatchObject({
      details: { reason: expect.stringMatching(/chain 84532.*chain 8453/) },
    })
    expect((await request(gateway.url).get('/health')).body).toMatchObject({ status: 'degraded' })
  } finally {
    await gateway.close()
    await chain.close()
  }
})
