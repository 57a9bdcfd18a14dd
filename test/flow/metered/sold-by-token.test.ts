import { once } from 'node:events'
import { type OutgoingHttpHeaders, request } from 'node:http'
import { json } from 'node:stream/consumers'
import OpenAI from 'openai'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DemoModel, modelName, startDemoModel } from '../../../src/demo/model.ts'
import { meteringTotals } from '../../../src/doors/ledger/meterings.ts'
import { devPayers } from '../../../src/platform/chain/dev-accounts.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { openRelayScene, type RelayScene } from '../../support/gateways/relay-scene.ts'

/**
 * A language model behind the gateway, bought by the token with OpenAI's own client: by a free user, a
 * subscriber and a wallet. The gateway's counts must equal the usage that the model reports, and the wallet's
 * payments their price.
 */

const secret = 'sk-of-the-upstream'
let chain: TestChain
let model: DemoModel
let scene: RelayScene

beforeAll(async () => {
  chain = await startTestChain()
  model = await startDemoModel(secret)
  scene = await openRelayScene(
    chain,
    `
upstreams:
  llm:
    prefix: /llm
    targets: ["http://127.0.0.1:${model.port}"]
    private: true
    inject: { authorization: "Bearer \${UPSTREAM_MODEL_KEY}" }
  gpt:
    preset: openai
    prefix: /gpt
    targets: ["http://127.0.0.1:${model.port}"]
    private: true
    inject: { authorization: "Bearer \${UPSTREAM_MODEL_KEY}" }
operations:
  sellCompletion:
    access: price
    upstream: gpt
    description: An answer.
    price: { input: "0.50", output: "2.00", max: "0.01" }
  listModels: { access: open, upstream: llm, route: GET /v1/models, description: The models. }
  createChatCompletion:
    access: optional
    upstream: llm
    route: POST /v1/chat/completions
    description: An answer.
    free: 900 tokens/day
    price: { per: tokens, units: 1000000, base: "0.000010", input: "0.50", output: "2.00", max: "0.01", max_units: 900 }
tiers:
  team: { description: For a team., operations: { createChatCompletion: 5000 tokens/month } }
`,
    { UPSTREAM_MODEL_KEY: secret },
  )
})

afterAll(async () => {
  await scene?.close()
  await model?.close()
  await chain?.close()
})

const freeUser = { apiKey: 'none', maxRetries: 0, defaultHeaders: { authorization: null } }

function clientOf(options: ConstructorParameters<typeof OpenAI>[0]): OpenAI {
  return new OpenAI({ ...options, baseURL: `${scene.gateway.url}/llm/v1`, maxRetries: 0 })
}

async function ask(client: OpenAI) {
  return client.chat.completions
    .create({ model: modelName, messages: [{ role: 'user', content: 'How do we cut missed appointments?' }] })
    .withResponse()
}

async function follow(client: OpenAI) {
  const { data, response } = await client.chat.completions
    .create({
      model: modelName,
      messages: [{ role: 'user', content: 'And how do we fill the gaps?' }],
      stream: true,
    })
    .withResponse()
  const chunks: OpenAI.ChatCompletionChunk[] = []
  for await (const chunk of data) chunks.push(chunk)
  return { chunks, response }
}

test('a wallet, a key and a free user buy from one model, streamed and not, and the books equal its reported usage', async () => {
  const before = { ...model.reported }
  const free = clientOf(freeUser)
  const models = await free.models.list()
  expect(models.data.map(({ id }) => id)).toEqual([modelName])
  const answer = await ask(free)
  expect(answer.data.usage?.prompt_tokens).toBe(6)
  expect(answer.response.headers.get('ratelimit')).toContain('r=')

  const subscriber = clientOf({ apiKey: await scene.key('team') })
  await ask(subscriber)
  const stream = await follow(subscriber)
  // The usage event that only the gateway asked for does not reach the caller.
  expect(stream.chunks.every(({ choices }) => choices.length > 0)).toBe(true)
  expect(stream.chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toContain('You asked')

  const wallet = privateKeyToAccount(devPayers[0].privateKey)
  const agent = clientOf({ ...freeUser, fetch: scene.payingFetch(wallet) })
  const paid = await ask(agent)
  expect(paid.response.headers.get('payment-response')).not.toBeNull()
  const streamed = await follow(agent)
  expect(streamed.response.headers.get('x-payment-id')).toMatch(/^0x[0-9a-f]{64}$/)
  await scene.idle()

  const totals = await meteringTotals(scene.gateway.services, {})
  expect(totals.map(({ door, calls, estimates }) => ({ door, calls, estimates }))).toEqual([
    { door: 'free', calls: 1, estimates: 0 },
    { door: 'key', calls: 2, estimates: 0 },
    { door: 'payment', calls: 2, estimates: 0 },
  ])
  const sum = (field: 'input' | 'output') => totals.reduce((total, row) => total + Number(row[field]), 0)
  expect(model.reported.calls - before.calls).toBe(5)
  expect(sum('input')).toBe(model.reported.prompt - before.prompt)
  expect(sum('output')).toBe(model.reported.completion - before.completion)

  const rows = await scene.gateway.services.queries.selectFrom('payments').selectAll().execute()
  expect(
    rows.map(({ scheme, timing, state, authorized }) => ({ scheme, timing, state, authorized })),
  ).toEqual([
    { scheme: 'upto', timing: 'metered', state: expect.stringMatching(/settled|final/), authorized: 10_000n },
    { scheme: 'upto', timing: 'metered', state: expect.stringMatching(/settled|final/), authorized: 10_000n },
  ])
  const sold = rows.reduce((total, { amount }) => total + amount, 0n)
  expect(sold).toBe(totals.find(({ door }) => door === 'payment')?.amount)
  expect(await scene.account.balanceOf(scene.account.address)).toBe(sold)
})

test("behind a preset, OpenAI's client shows the gateway's errors, and a wallet pays the same 402", async () => {
  const baseURL = `${scene.gateway.url}/gpt/v1`
  const messages = [{ role: 'user' as const, content: 'How long is a gap?' }]
  const askWith = (options: ConstructorParameters<typeof OpenAI>[0]) =>
    new OpenAI({ ...freeUser, ...options, baseURL }).chat.completions
      .create({ model: modelName, messages })
      .withResponse()
  const errorOf = (options: ConstructorParameters<typeof OpenAI>[0]) =>
    askWith(options).catch((error: unknown) => error)

  const unpaid = await errorOf({})
  expect(unpaid).toMatchObject({
    status: 402,
    code: 'PAYMENT_REQUIRED',
    message: expect.stringMatching(/^402 This operation is paid per call\. Sign one of/),
    error: { details: { price: '0.01' } },
  })
  expect(unpaid instanceof OpenAI.APIError && unpaid.headers?.get('payment-required')).toBeTruthy()
  const keyed = { apiKey: 'tgk_wrong', defaultHeaders: {} }
  expect(await errorOf(keyed)).toMatchObject({
    status: 401,
    code: 'API_KEY_MALFORMED',
    type: 'authentication_error',
  })
  const unknown = new OpenAI({ ...freeUser, baseURL }).models.list()
  expect(await unknown.catch((error: unknown) => error)).toMatchObject({ status: 404, code: 'NOT_FOUND' })

  const posted = await fetch(`${baseURL}/chat/completions`, { method: 'POST' })
  expect(await posted.json()).toMatchObject({
    error: { code: 'PAYMENT_REQUIRED', param: null },
    code: 'PAYMENT_REQUIRED',
    x402Version: 1,
    accepts: [{ scheme: 'exact', maxAmountRequired: '10000' }],
  })
  // Refused before any route runs.
  for (const [headers, status, code] of [
    [{ expect: 'more' }, 417, 'EXPECTATION_FAILED'],
    [{ 'transfer-encoding': 'gzip, chunked' }, 400, 'VALIDATION_ERROR'],
  ] as const)
    expect(await sent(`${baseURL}/chat/completions`, headers)).toMatchObject({
      status,
      body: { error: { code, type: 'invalid_request_error' }, code },
    })

  const wallet = privateKeyToAccount(devPayers[0].privateKey)
  const paid = await askWith({ fetch: scene.payingFetch(wallet) })
  expect(paid.response.headers.get('payment-response')).not.toBeNull()
  expect(paid.data.usage?.prompt_tokens).toBe(5)
  await scene.idle()
})

/** A POST by Node's own client, which sends what `fetch` refuses to. */
async function sent(url: string, headers: OutgoingHttpHeaders) {
  const req = request(url, { method: 'POST', headers })
  req.end()
  const [res] = await once(req, 'response')
  return { status: res.statusCode, body: await json(res) }
}
