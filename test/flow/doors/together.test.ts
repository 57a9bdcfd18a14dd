import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import request from 'supertest'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { keySchema, shownKeySchema } from '../../../src/edge/handlers/operator/replies.ts'
import { writeCatalog } from '../../support/gateways/catalog.ts'
import { operatorToken, startGateway, type TestGateway } from '../../support/gateways/gateway.ts'
import { openReplica, type Replica } from '../../support/gateways/replica.ts'
import { type Model, startModel } from '../../support/servers/model.ts'
import { emptyDatabase } from '../../support/stores/database.ts'
import { hasRedis, type RedisServer, startRedis } from '../../support/stores/redis-server.ts'

/**
 * Quotas are exact when two gateways count them: one in this process and one in another, which share only the
 * store or Redis. No test pays, so there is no chain.
 */

const noChain = 'http://127.0.0.1:9'
const path = '/api/leads/research'
const lead = { companyName: 'Acme Dental' }
const tiers = {
  daily: { description: 'Thirty a day.', operations: { researchLead: '30/day' } },
  single: { description: 'One a month.', operations: { researchLead: ['5/day', '1/month'] } },
}

let folder: string
let model: Model
let settings: Record<string, string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-together-'))
  model = await startModel()
  settings = {
    ...model.settings,
    CATALOG_FILE: await writeCatalog(folder, { researchLead: { access: 'optional', free: '3/day' } }, tiers),
    // Lets a test be several clients.
    TRUST_PROXY: '1',
    RPC_URL: noChain,
    RPC_TIMEOUT_MS: '1000',
    OPERATOR_TOKEN: operatorToken,
  }
})
beforeEach(() => {
  model.answer = 'research'
  model.release()
})
afterAll(async () => {
  await model.close()
  await rm(folder, { recursive: true })
})

let clients = 0
function newClient() {
  clients += 1
  return { 'x-forwarded-for': `192.0.2.${clients}` }
}
const call = (url: string, credentials: Record<string, string>) =>
  request(url).post(path).set(credentials).send(lead)

/** Starts a hundred calls at once, every second one to the other gateway. */
const startHundred = (urls: readonly string[], credentials: Record<string, string>) =>
  Array.from({ length: 100 }, async (_, n) => call(urls[n % urls.length] ?? '', credentials))

/** @returns how many of a hundred calls at once got each status. */
async function callAtOnce(urls: readonly string[], credentials: Record<string, string>) {
  return statusesOf(await Promise.all(startHundred(urls, credentials)))
}

function statusesOf(replies: readonly request.Response[]): Record<number, number> {
  return Object.fromEntries(
    [...Map.groupBy(replies, ({ status }) => status)].map(([status, all]) => [status, all.length]),
  )
}

async function createKey(url: string, tier: string) {
  const reply = await request(url)
    .post('/operator/keys')
    .set('authorization', `Bearer ${operatorToken}`)
    .send({ tier })
  const { keyId, key } = shownKeySchema.parse(reply.body)
  return { keyId, bearer: { 'x-mcp-api-key': key } }
}

const counted = z.object({ used: z.int(), remaining: z.int().nullable() })
const usageSchema = z.object({
  operations: z.array(z.object({ operation: z.string(), day: counted, month: counted })),
})

/** The usage of lead research, as the key's owner sees it: used and left. */
async function usageOf(url: string, bearer: Record<string, string>) {
  const { body } = await request(url).get('/api/keys/usage').set(bearer)
  const found = usageSchema.parse(body).operations.find(({ operation }) => operation === 'researchLead')
  if (!found) throw new Error('the usage shows no lead research')
  const { day, month } = found
  return { day: [day.used, day.remaining], month: [month.used, month.remaining] }
}

const kinds = hasRedis() ? (['PostgreSQL', 'Redis'] as const) : (['PostgreSQL'] as const)

describe.each(kinds)('two gateways that count in %s', (kind) => {
  let here: TestGateway
  let elsewhere: Replica
  let redis: RedisServer | undefined
  let both: string[]

  beforeAll(async () => {
    redis = kind === 'Redis' ? await startRedis() : undefined
    const databaseUrl = await emptyDatabase()
    const shared = { ...settings, ...(redis ? { REDIS_URL: redis.url } : {}) }
    elsewhere = await openReplica({ rpcUrl: noChain, databaseUrl, settings: shared })
    const [gateway] = await Promise.all([
      startGateway(noChain, { ...shared, DATABASE_URL: databaseUrl }),
      elsewhere.start(),
    ])
    here = gateway
    both = [here.url, elsewhere.url]
  })
  afterAll(async () => {
    await here.close()
    await elsewhere.close()
    await redis?.close()
  })

  test('serve exactly three of a hundred free calls that one client makes at once', async () => {
    const client = newClient()
    const asked = model.asked
    expect(await callAtOnce(both, client)).toEqual({ 200: 3, 429: 97 })
    expect(model.asked - asked).toBe(3)
    for (const url of both) expect((await call(url, client)).status).toBe(429)
    expect((await call(elsewhere.url, newClient())).status).toBe(200)
  })

  test('serve exactly thirty of a hundred calls at once with a key that has thirty left', async () => {
    const { bearer } = await createKey(here.url, 'daily')
    const asked = model.asked
    expect(await callAtOnce(both, bearer)).toEqual({ 200: 30, 429: 70 })
    expect(model.asked - asked).toBe(30)
    for (const url of both) expect(await usageOf(url, bearer)).toEqual({ day: [30, 0], month: [30, null] })
  })

  test('serve exactly one of a hundred calls at once with a key that has one left, and count none of the others', async () => {
    const { bearer } = await createKey(elsewhere.url, 'single')
    const asked = model.asked
    expect(await callAtOnce(both, bearer)).toEqual({ 200: 1, 429: 99 })
    expect(model.asked - asked).toBe(1)
    for (const url of both) expect(await usageOf(url, bearer)).toEqual({ day: [1, 4], month: [1, 0] })
  })

  test('give back the units of failed calls, so that as many calls succeed as there are units', async () => {
    const { bearer } = await createKey(here.url, 'daily')
    const asked = model.asked
    model.hold()
    model.answer = 'error'
    let answered = 0
    const failing = startHundred(both, bearer)
    for (const one of failing) void one.then(() => (answered += 1))
    await expect
      .poll(() => [model.asked - asked, answered], { message: 'not all calls arrived' })
      .toEqual([30, 70])
    // While they run, their units are taken.
    expect((await call(elsewhere.url, bearer)).status).toBe(429)
    model.release()
    expect(statusesOf(await Promise.all(failing))).toEqual({ 502: 30, 429: 70 })
    expect(await usageOf(here.url, bearer)).toEqual({ day: [0, 30], month: [0, null] })

    model.answer = 'research'
    expect(await callAtOnce(both, bearer)).toEqual({ 200: 30, 429: 70 })
    expect(await usageOf(elsewhere.url, bearer)).toEqual({ day: [30, 0], month: [30, null] })
  })

  test('give back the free units of failed calls, so that three calls succeed', async () => {
    const client = newClient()
    model.answer = 'nonsense'
    for (const url of [...both, ...both]) expect((await call(url, client)).status).toBe(502)
    model.answer = 'research'
    expect(await callAtOnce(both, client)).toEqual({ 200: 3, 429: 97 })
  })

  test('accept a key as soon as the other gateway has made it, and refuse one within a second after the other has revoked it', async () => {
    const { keyId, bearer } = await createKey(elsewhere.url, 'daily')
    for (const url of both) expect((await call(url, bearer)).status).toBe(200)
    const revoked = await request(elsewhere.url)
      .post(`/operator/keys/${keyId}/revoke`)
      .set('authorization', `Bearer ${operatorToken}`)
    expect(keySchema.parse(revoked.body).state).toBe('revoked')
    const there = await call(elsewhere.url, bearer)
    expect([there.status, codeOf(there)]).toEqual([401, 'API_KEY_REVOKED'])
    // The verifier's own tests check the second, with a clock that they move.
    await expect
      .poll(async () => codeOf(await call(here.url, bearer)), {
        message: 'the revoked key still works',
      })
      .toBe('API_KEY_REVOKED')
  })
})

const codeOf = ({ body }: request.Response) => z.object({ code: z.string().optional() }).parse(body).code

test('a gateway with the embedded store keeps its counts over a restart', async () => {
  // The store, with counters and keys, is in the gateway's folder.
  const embedded = { ...settings, DATABASE_URL: '', DATA_DIR: join(folder, 'data') }
  const client = newClient()
  const before = await startGateway(noChain, embedded)
  const { bearer } = await createKey(before.url, 'daily')
  for (let calls = 0; calls < 2; calls += 1) expect((await call(before.url, client)).status).toBe(200)
  expect(
    statusesOf(await Promise.all(Array.from({ length: 20 }, async () => call(before.url, bearer)))),
  ).toEqual({ 200: 20 })
  await before.close()

  const after = await startGateway(noChain, embedded)
  try {
    expect(await usageOf(after.url, bearer)).toEqual({ day: [20, 10], month: [20, null] })
    expect(await callAtOnce([after.url], bearer)).toEqual({ 200: 10, 429: 90 })
    expect(await callAtOnce([after.url], client)).toEqual({ 200: 1, 429: 99 })
  } finally {
    await after.close()
  }
})
