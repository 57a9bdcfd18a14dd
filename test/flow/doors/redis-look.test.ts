import request from 'supertest'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { explanationSchema } from '../../../src/core/explanation.ts'
import { freePort } from '../../../src/platform/chain/local/port.ts'
import { temporaryFolder } from '../../support/chain/chain.ts'
import { writeCatalog } from '../../support/gateways/catalog.ts'
import { operatorToken, startGateway, type TestGateway } from '../../support/gateways/gateway.ts'
import { patienceMs } from '../../support/patience.ts'
import { hasRedis, type RedisServer, startRedis } from '../../support/stores/redis-server.ts'

/** The health and the explained limits of a gateway that counts in Redis. No chain is needed for that. */
describe.runIf(hasRedis())('a gateway with REDIS_URL', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let redis: RedisServer
  let gateway: TestGateway

  beforeAll(async () => {
    folder = await temporaryFolder()
    redis = await startRedis()
    const limited = { access: 'optional', free: '3/day', rate: '10/hour' }
    const catalog = await writeCatalog(folder.folder, { getPricingMarkdown: limited })
    const nowhere = `http://127.0.0.1:${await freePort()}`
    gateway = await startGateway(nowhere, { CATALOG_FILE: catalog, REDIS_URL: redis.url, TRUST_PROXY: '1' })
  })
  afterAll(async () => {
    await gateway.close()
    await redis.close()
    await folder.remove()
  })

  const client = '203.0.113.7'
  const call = () => request(gateway.url).get('/pricing.md').set('x-forwarded-for', client)
  async function explained() {
    const { body } = await request(gateway.url)
      .post('/operator/explain')
      .set('authorization', `Bearer ${operatorToken}`)
      .send({ method: 'GET', path: '/pricing.md', client })
      .expect(200)
    return explanationSchema.parse(body)
  }
  const redisHealth = async () => (await request(gateway.url).get('/health')).body.components.redis

  test('explains how much of rate and quota is used, and uses nothing by explaining', async () => {
    for (const used of [0, 1, 2]) {
      for (const explanation of [await explained(), await explained()]) {
        expect(explanation).toMatchObject({
          status: 200,
          limits: [
            { name: 'rate', used, remaining: 10 - used },
            { name: 'day', used, remaining: 3 - used },
          ],
        })
      }
      await call().expect(200)
    }
    expect(await explained()).toMatchObject({ status: 429, code: 'RATE_LIMIT' })
    await call().expect(429)
  })

  test('is degraded while Redis is down, explains that calls get a 503 then, and recovers', async () => {
    expect(await redisHealth()).toMatchObject({ status: 'healthy' })
    await redis.stop()
    await expect.poll(redisHealth).toEqual({ status: 'down', reason: 'does not answer' })
    expect((await request(gateway.url).get('/health')).body.status).toBe('degraded')
    expect(await explained()).toMatchObject({ door: 'free', status: 503, code: 'QUOTAS_UNAVAILABLE' })
    expect((await call()).body.code).toBe('QUOTAS_UNAVAILABLE')
    await redis.start()
    await vi.waitFor(async () => expect(await redisHealth()).toMatchObject({ status: 'healthy' }), patienceMs)
    expect(await explained()).toMatchObject({ status: 200, limits: [{ used: 0 }, { used: 0 }] })
  })
})
