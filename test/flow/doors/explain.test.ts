import { writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import request from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Explanation, explanationSchema } from '../../../src/core/explanation.ts'
import { createKeyText } from '../../../src/doors/keys/key-text.ts'
import { createKey, revokeKey } from '../../../src/doors/keys/keys.ts'
import { freePort } from '../../../src/platform/chain/local/port.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { freshWallet, signPayment, v2Header } from '../../support/chain/wallet.ts'
import { writeCatalog } from '../../support/gateways/catalog.ts'
import { operatorToken, startGateway, type TestGateway } from '../../support/gateways/gateway.ts'
import { openWorkplace, type Workplace } from '../../support/gateways/process.ts'

/**
 * `tollgate explain` and its endpoint: each call is explained first, which takes nothing, and then made. The
 * explanation must be what the call gets.
 */

let workplace: Workplace
let chain: TestChain
let gateway: TestGateway

const rich = freshWallet()
const poor = freshWallet()
const wallets = { rich, poor }

beforeAll(async () => {
  workplace = await openWorkplace()
  chain = await startTestChain()
  await chain.mint(rich.address, 1_000_000_000n)
  const catalog = await writeCatalog(
    workplace.folder,
    {
      researchLead: { access: 'optional', free: '2/day', rate: '100/hour' },
      getPricingMarkdown: { access: 'optional', rate: '1/hour' },
      getSigner: { access: 'key' },
      getJwks: { access: 'key' },
    },
    {
      tiny: {
        description: 'One call.',
        operations: { analyzeBusiness: ['1/day', '5/month'], getJwks: '1/day' },
      },
      slow: { description: 'One an hour.', rate: '1/hour', operations: { analyzeBusiness: 'unlimited' } },
    },
  )
  gateway = await startGateway(chain.rpcUrl, { CATALOG_FILE: catalog, TRUST_PROXY: '1' })
})
afterAll(async () => {
  await gateway.close()
  await chain.close()
  await workplace.close()
})

interface Asked {
  readonly method: string
  readonly path: string
  readonly key?: string
  readonly token?: string
  readonly payer?: keyof typeof wallets
  readonly client?: string
  readonly body?: unknown
}

const ask = (question: object) =>
  request(gateway.url)
    .post('/operator/explain')
    .set('authorization', `Bearer ${operatorToken}`)
    .send(question)

async function explain({ payer, ...asked }: Asked): Promise<Explanation> {
  const wallet = payer === undefined ? {} : { payer: wallets[payer].address }
  const { body } = await ask({ ...asked, ...wallet }).expect(200)
  return explanationSchema.parse(body)
}

const fitting: Readonly<Record<string, object>> = {
  '/api/analyze': { businessName: 'Bright Smile Dental' },
  '/api/leads/research': { companyName: 'Acme Dental' },
  '/api/content/blog': { topic: 'Invoices that pay themselves' },
  '/api/keys': { tier: 'starter' },
}

/** Sends the path byte by byte; other clients would normalize it. */
async function make(
  { method, path, key, token, payer, client, body }: Asked,
  priceAtomic: string | undefined,
) {
  const headers: Record<string, string> = { 'idempotency-key': crypto.randomUUID() }
  if (key !== undefined) headers['x-mcp-api-key'] = key
  if (token !== undefined) headers.authorization = `Bearer ${token}`
  if (client !== undefined) headers['x-forwarded-for'] = client
  if (payer !== undefined) {
    headers['payment-signature'] = v2Header(await signPayment(wallets[payer], BigInt(priceAtomic ?? 100_000)))
  }
  const sent = JSON.stringify(body === undefined ? (fitting[path.split('?')[0] ?? ''] ?? {}) : body)
  if (method === 'POST') headers['content-type'] = 'application/json'
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; code: unknown }>()
  const outgoing = httpRequest({ host: '127.0.0.1', port: gateway.port, method, path, headers }, (reply) => {
    let text = ''
    reply.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    reply.on('end', () => {
      const answer: unknown = /^\{/.test(text) ? JSON.parse(text) : {}
      const code = typeof answer === 'object' && answer && 'code' in answer ? answer.code : undefined
      resolve({ status: reply.statusCode ?? 0, code })
    })
  })
  outgoing.on('error', reject)
  outgoing.end(method === 'POST' ? sent : undefined)
  return promise
}

/** Explains a call twice, makes it, and compares. */
async function agree(asked: Asked): Promise<Explanation> {
  const explanation = await explain(asked)
  expect(explanation.limits.map(({ name, used }) => [name, used])).toEqual(
    (await explain(asked)).limits.map(({ name, used }) => [name, used]),
  )
  const got = await make(asked, explanation.priceAtomic)
  const ran = got.status === 201 ? 200 : got.status
  expect({ status: ran, code: got.code }).toEqual({ status: explanation.status, code: explanation.code })
  return explanation
}

const post = (path: string, more: Partial<Asked> = {}): Asked => ({ method: 'POST', path, ...more })
const get = (path: string, more: Partial<Asked> = {}): Asked => ({ method: 'GET', path, ...more })

async function keyOf(tier: string, expiresAt: Date | null = null) {
  const { queries } = gateway.services
  const books = { queries, clock: { now: () => Date.now() } }
  const { key, text } = await createKey(books, { tier, owner: '', label: '', chainId: 84_532, expiresAt })
  return { id: key.id, text, revoke: () => revokeKey(books, key.id) }
}

async function tokenOf(tier: string, scope?: string): Promise<string> {
  const { id, text } = await keyOf(tier)
  const reply = await request(gateway.url)
    .post('/oauth/token')
    .type('form')
    .auth(id, text)
    .send({ grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) })
    .expect(200)
  return reply.body.access_token
}

describe('the explanation matches the call:', () => {
  test('an open operation is open to every caller, whatever credentials it sends', async () => {
    const open = { door: 'open', status: 200, operation: 'getPaymentsHealth', access: 'open', limits: [] }
    for (const asked of [get('/health'), get('/health', { key: 'x' }), get('/health', { payer: 'poor' })]) {
      expect(await agree(asked)).toMatchObject(open)
    }
    expect(await agree(get('/health?a=1'))).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
    expect(await agree({ method: 'HEAD', path: '/health' })).toMatchObject({ door: 'open', status: 200 })
    expect(await agree({ method: 'OPTIONS', path: '/api/analyze' })).toMatchObject({ status: 204 })
  })

  test('a free quota counts down per client, and then only a payment lets the call pass', async () => {
    const asked = post('/api/leads/research', { client: '203.0.113.7' })
    const day = Math.floor(Date.now() / 86_400_000 + 1) * 86_400
    for (const used of [0, 1]) {
      const rate = { name: 'rate', limit: 100, used, remaining: 100 - used }
      expect(await agree(asked)).toMatchObject({
        door: 'free',
        status: 200,
        limits: [rate, { name: 'day', limit: 2, used, remaining: 2 - used, resetsAt: day }],
      })
    }
    const full = await agree(asked)
    expect(full).toMatchObject({ door: 'free', status: 429, code: 'RATE_LIMIT', price: '0.25' })
    expect(full.why).toMatch(
      /^The day limit of this address \(2\) is used up until 20\S+Z\. A payment of 0\.25 USDC lets the call pass\.$/,
    )
    expect(await agree({ ...asked, payer: 'rich' })).toMatchObject({ door: 'payment', status: 200 })
    expect(await agree({ ...asked, client: '203.0.113.8' })).toMatchObject({ door: 'free', status: 200 })
  })

  test('an IPv6 client is explained by its network, as it is counted', async () => {
    await agree(post('/api/leads/research', { client: '2001:db8::1' }))
    const { limits } = await explain(post('/api/leads/research', { client: '2001:db8::ffff:1' }))
    expect(limits.map(({ used }) => used)).toEqual([1, 1])
  })

  test('without an address the explanation shows the free quota, but not what is left of it', async () => {
    const explanation = await explain(post('/api/leads/research'))
    expect(explanation).toMatchObject({ door: 'free', status: 200 })
    expect(explanation.limits).toEqual([
      { name: 'rate', limit: 100 },
      { name: 'day', limit: 2 },
    ])
  })

  test('a full free rate of an operation without a price offers no payment', async () => {
    const asked = get('/pricing.md', { client: '203.0.113.9' })
    const [first, second] = [await agree(asked), await agree(asked)]
    expect(first.limits).toEqual([{ name: 'rate', limit: 1, used: 0, remaining: 1 }])
    expect(second).toMatchObject({ status: 429, code: 'RATE_LIMIT', limits: [{ used: 1, remaining: 0 }] })
    expect(second.price).toBeUndefined()
    expect(second.why).not.toContain('payment')
  })

  test('a key passes by its tier until its units are used up, and a payment beside it is not used', async () => {
    const { id, text } = await keyOf('tiny')
    const asked = post('/api/analyze', { key: text, payer: 'poor' })
    const first = await agree(asked)
    expect(first).toMatchObject({ door: 'key', status: 200, tier: 'tiny', keyId: id })
    expect(first.limits).toMatchObject([
      { name: 'day', limit: 1, used: 0, remaining: 1 },
      { name: 'month', limit: 5, used: 0, remaining: 5 },
    ])
    expect(first.why).toContain('The payment beside the key is not touched.')
    expect(first).not.toHaveProperty('price')
    expect(await agree(asked)).toMatchObject({
      door: 'key',
      status: 429,
      price: '0.10',
      limits: [
        { used: 1, remaining: 0 },
        { used: 1, remaining: 4 },
      ],
      why: expect.stringContaining('A payment of 0.10 USDC instead of the key lets the call pass.'),
    })
    expect(await agree(get('/.well-known/jwks.json', { key: text }))).toMatchObject({ status: 200 })
    const unsold = await agree(get('/.well-known/jwks.json', { key: text }))
    expect(unsold).toMatchObject({ door: 'key', status: 429, code: 'RATE_LIMIT' })
    expect(unsold).not.toHaveProperty('price')
  })

  test('a key over its rate is explained with the time when it may call again', async () => {
    const { text } = await keyOf('slow')
    const asked = post('/api/analyze', { key: text })
    expect((await agree(asked)).limits).toEqual([{ name: 'rate', limit: 1, used: 0, remaining: 1 }])
    const [limit] = (await agree(asked)).limits
    expect(limit).toMatchObject({ name: 'rate', used: 1, remaining: 0 })
    const seconds = (limit?.resetsAt ?? 0) - Date.now() / 1000
    expect(seconds).toBeGreaterThan(3_500)
    expect(seconds).toBeLessThanOrEqual(3_601)
  })

  test('a key whose tier does not cover a priced operation gets the price, and a wallet beside it pays', async () => {
    const { text } = await keyOf('tiny')
    const asked = post('/api/content/blog', { key: text })
    const explanation = await agree(asked)
    expect(explanation).toMatchObject({
      door: 'challenge',
      status: 402,
      code: 'PAYMENT_REQUIRED',
      price: '1.00',
      tier: 'tiny',
    })
    expect(explanation.why).toMatch(/^The caller’s tier does not cover this operation\. It costs 1\.00 USDC/)
    expect(await agree({ ...asked, payer: 'rich' })).toMatchObject({
      door: 'payment',
      status: 200,
      tier: 'tiny',
    })
  })

  test('a key whose tier does not cover an operation for keys is refused, naming the tiers that do', async () => {
    const { text } = await keyOf('slow')
    expect(await agree(get('/.well-known/jwks.json', { key: text }))).toMatchObject({
      door: 'refuse',
      status: 403,
      code: 'TIER_INSUFFICIENT',
      tier: 'slow',
      details: { tiers: ['tiny'] },
    })
  })

  test('an invalid key is refused with the reason', async () => {
    const expired = await keyOf('tiny', new Date(Date.now() - 1_000))
    const revoked = await keyOf('tiny')
    await revoked.revoke()
    for (const [key, code] of [
      ['tgk_nothing', 'API_KEY_MALFORMED'],
      [createKeyText().text, 'API_KEY_UNKNOWN'],
      [expired.text, 'API_KEY_EXPIRED'],
      [revoked.text, 'API_KEY_REVOKED'],
    ] as const) {
      const explanation = await agree(post('/api/analyze', { key, payer: 'rich' }))
      expect(explanation).toMatchObject({ door: 'refuse', status: 401, code })
    }
  })

  test('an access token opens the operations of its scopes only', async () => {
    const token = await tokenOf('tiny', 'analyzeBusiness')
    expect(await agree(post('/api/analyze', { token }))).toMatchObject({
      door: 'key',
      status: 200,
      tier: 'tiny',
    })
    expect(await agree(get('/.well-known/jwks.json', { token }))).toMatchObject({
      status: 403,
      code: 'SCOPE_INSUFFICIENT',
    })
    expect(await agree(post('/api/analyze', { token: `${token}x` }))).toMatchObject({
      status: 401,
      code: 'TOKEN_INVALID',
    })
  })

  test('an operation for holders is open to every key and to no other caller', async () => {
    const { text } = await keyOf('slow')
    const asked = get('/api/keys/usage')
    expect(await agree({ ...asked, key: text })).toMatchObject({
      door: 'open',
      status: 200,
      access: 'holder',
    })
    expect(await agree(asked)).toMatchObject({ status: 401, code: 'API_KEY_REQUIRED' })
    expect(await agree({ ...asked, payer: 'rich' })).toMatchObject({ status: 401, code: 'API_KEY_REQUIRED' })
    expect(await agree(get('/.well-known/did.json'))).toMatchObject({ status: 401, access: 'key' })
  })

  test('a wallet with enough money pays, and the explanation says for how many calls it is enough', async () => {
    expect(await agree(post('/api/analyze'))).toMatchObject({ door: 'challenge', status: 402, price: '0.10' })
    const explanation = await agree(post('/api/analyze', { payer: 'rich' }))
    expect(explanation).toMatchObject({ door: 'payment', status: 200, price: '0.10', priceAtomic: '100000' })
    const { wallet } = explanation
    expect(wallet?.address).toBe(rich.address)
    expect(wallet?.calls).toBe(Math.floor(Number(wallet?.balanceAtomic) / 100_000))
    expect(wallet?.calls).toBeGreaterThan(9_000)
    expect(await agree(post('/api/analyze', { payer: 'poor' }))).toMatchObject({
      door: 'payment',
      status: 402,
      code: 'PAYMENT_INVALID',
      details: { reason: 'insufficient_funds' },
      wallet: { address: poor.address, balance: '0.00', balanceAtomic: '0', calls: 0 },
      why: 'The wallet holds 0.00 USDC and the call costs 0.10 USDC, so the payment is refused.',
    })
  })

  test('a key costs the price of the named tier, or of the cheapest tier if none is named', async () => {
    expect(await agree(post('/api/keys', { body: {} }))).toMatchObject({
      door: 'challenge',
      status: 402,
      access: 'tier',
      price: '9.00',
      tier: 'starter',
    })
    expect(await explain(post('/api/keys'))).toMatchObject({ price: '9.00', tier: 'starter' })
    // A key sent with a purchase of a key is ignored.
    const { why } = await agree(post('/api/keys', { key: (await keyOf('tiny')).text }))
    expect(why).toMatch(/^It costs 9\.00 USDC/)
    const pro = post('/api/keys', { body: { tier: 'pro' }, payer: 'rich' })
    const explanation = await agree(pro)
    expect(explanation).toMatchObject({ door: 'payment', status: 200, price: '49.00', tier: 'pro' })
    expect(explanation.why).toContain('Idempotency-Key of at least 16 random characters')
    for (const tier of ['tiny', 'gold']) {
      expect(await agree(post('/api/keys', { body: { tier }, payer: 'rich' }))).toMatchObject({
        status: 400,
        code: 'TIER_NOT_FOR_SALE',
        details: { for_sale: ['starter', 'pro'] },
      })
    }
    expect(await agree(post('/api/keys/renew', { body: { keyId: 'A'.repeat(16) } }))).toMatchObject({
      status: 404,
      code: 'KEY_NOT_FOUND',
    })
  })

  test('a faulty body is refused only for a caller who may call', async () => {
    const body = { businessName: 7 }
    const { text } = await keyOf('tiny')
    const explanation = await agree(post('/api/analyze', { key: text, body }))
    expect(explanation).toMatchObject({ door: 'key', status: 400, code: 'VALIDATION_ERROR' })
    expect(explanation.details).toMatchObject({ issues: [{ field: 'businessName' }] })
    expect(await agree(post('/api/analyze', { body }))).toMatchObject({ status: 402 })
    expect(await agree(post('/api/analyze', { body: null, key: text }))).toMatchObject({ status: 400 })
    expect(await agree(post('/api/analyze', { key: text }))).toMatchObject({
      status: 200,
      limits: [{ used: 0 }, {}],
    })
  })

  test.each([
    '/api/Analyze',
    '/api/analyze/',
    '//api/analyze',
    '/api//analyze',
    '/./api/analyze',
    '/api/x/../analyze',
    '/api/%61nalyze',
    '/api%2fanalyze',
    '/api/analyze;x=1',
    '/api/analyze%20',
    '/api/analyzeX',
    '/x/api/analyze',
    '/',
    '/payments/',
    '/payments/a/b',
    '/payments//',
    '/payments/{paymentId}',
    '/payments/0x12',
    `/payments/0x${'0'.repeat(64)}x`,
    '/payments/%zz',
    '/payments/%c0',
    '/health%zz',
    '/pricingXmd',
    '/.well-known/did.json?x=%zz',
  ])('the path %s matches the same endpoint as in Express', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) await agree({ method, path })
  })

  test('a wrong method is explained with the allowed ones', async () => {
    const explanation = await agree({ method: 'PUT', path: '/api/analyze' })
    expect(explanation).toMatchObject({ door: 'refuse', status: 405, code: 'METHOD_NOT_ALLOWED' })
    expect(explanation.why).toBe('This path supports POST, OPTIONS, but not PUT.')
    expect((await agree({ method: 'POST', path: '/health' })).why).toContain('GET, HEAD, OPTIONS')
  })

  test('an operator’s endpoint is open to the operator’s token only', async () => {
    const asked = get('/operator/keys')
    expect(await agree(asked)).toMatchObject({
      status: 401,
      code: 'OPERATOR_TOKEN_REQUIRED',
      access: 'operator',
    })
    expect(await agree({ ...asked, token: 'x'.repeat(40) })).toMatchObject({ code: 'OPERATOR_TOKEN_INVALID' })
    expect(await agree({ ...asked, token: operatorToken })).toMatchObject({ door: 'open', status: 200 })
    const { text } = await keyOf('tiny')
    expect(await agree({ ...asked, key: text })).toMatchObject({ code: 'OPERATOR_TOKEN_REQUIRED' })
  })
})

describe('POST /operator/explain', () => {
  test('is open to the operator only', async () => {
    const reply = await request(gateway.url).post('/operator/explain').send(get('/health'))
    expect([reply.status, reply.body.code]).toEqual([401, 'OPERATOR_TOKEN_REQUIRED'])
  })

  test.each<[object, string]>([
    [{ method: 'get', path: '/health' }, 'method'],
    [{ method: 'GET', path: 'health' }, 'path'],
    [{ method: 'GET', path: '/a b' }, 'path'],
    [{ method: 'GET', path: '/a#b' }, 'path'],
    [{ method: 'GET', path: '/health', client: 'home' }, 'client'],
    [{ method: 'GET', path: '/health', payer: '0x12' }, 'payer'],
    [{ method: 'GET', path: '/health', key: 'a', token: 'b' }, 'token'],
    [{ method: 'GET', path: '/health', wallet: 'a' }, 'wallet'],
  ])('refuses %j, naming the field', async (question, field) => {
    const reply = await ask(question)
    expect([reply.status, reply.body.details.issues[0].field]).toEqual([400, field])
  })

  test('takes nothing: no unit, no payment, no key', async () => {
    const { queries } = gateway.services
    const rows = async () =>
      Promise.all(
        (['usage', 'payments', 'keys'] as const).map((table) =>
          queries
            .selectFrom(table)
            .select((row) => row.fn.countAll().as('rows'))
            .execute(),
        ),
      )
    const { text } = await keyOf('tiny')
    const before = await rows()
    for (const asked of [
      post('/api/analyze', { key: text }),
      post('/api/analyze', { payer: 'rich' }),
      post('/api/leads/research', { client: '203.0.113.77' }),
      post('/api/keys', { payer: 'rich', body: { tier: 'pro' } }),
    ]) {
      expect((await explain(asked)).status).toBe(200)
    }
    expect(await rows()).toEqual(before)
  })
})

describe('tollgate explain', () => {
  const run = (args: readonly string[], settings: Readonly<Record<string, string>> = {}) =>
    workplace.run('cli', {
      args: ['explain', ...args],
      settings: { OPERATOR_TOKEN: operatorToken, ...settings },
    })

  test('prints lines for people, and with --json the endpoint’s reply', async () => {
    const { id, text } = await keyOf('tiny')
    const file = join(workplace.folder, 'key')
    await writeFile(file, `${text}\n`)
    const people = await run(['post', '/api/analyze', '--key-file', file, '--url', gateway.url])
    expect(people).toMatchObject({ code: 0, stderr: '' })
    const lines = people.stdout.trimEnd().split('\n')
    expect(lines).toEqual([
      'POST /api/analyze: analyzeBusiness, access price',
      'door key, status 200',
      expect.stringContaining('Tier tiny covers this operation'),
      `key ${id}`,
      'tier tiny',
      expect.stringMatching(/^limit by day: 0 of 1 used, 1 left, resets 20\d\d-\d\d-\d\dT00:00:00Z$/),
      expect.stringMatching(/^limit by month: 0 of 5 used, 5 left, resets 20\d\d-\d\d-01T00:00:00Z$/),
    ])
    const asked = post('/api/keys', { payer: 'poor', body: { tier: 'pro' } })
    const body = ['--body', '{"tier":"pro"}', '--payer', poor.address]
    const programs = await run(['POST', '/api/keys', ...body, '--json', '--url', gateway.url])
    expect(JSON.parse(programs.stdout)).toEqual(await explain(asked))
    expect(programs.code).toBe(0)
    const refused = await run(['GET', '/nowhere', '--anonymous', '--url', gateway.url])
    expect(refused.stdout).toContain('door refuse, status 404 NOT_FOUND')
  })

  test.each<[string, string[], RegExp]>([
    ['a body that is no JSON', ['--body', '{'], /It must be JSON/],
    ['a key of an anonymous caller', ['--anonymous', '--key', 'a'], /cannot be used with/],
    ['a key file that is not there', ['--key-file', '/nowhere'], /^The key file cannot be read: ENOENT/],
    ['a wallet that is none', ['--payer', 'me'], /"payer","problem":"must be the address of a wallet/],
  ])('refuses %s and says so', async (_what, args, message) => {
    const refused = await run(['POST', '/api/analyze', ...args, '--url', gateway.url])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(message)
    expect(refused.stderr).not.toMatch(/^\s+at /m)
  })

  test.each([[['explain', 'GET', '/health']], [['keys', 'list']]])(
    'and its like say what is wrong when the gateway is down or does not know the operator: %j',
    async (command) => {
      const gone = `http://127.0.0.1:${await freePort()}`
      const ask = (url: string, token: string) =>
        workplace.run('cli', { args: [...command, '--url', url], settings: { OPERATOR_TOKEN: token } })
      const [down, refused] = await Promise.all([ask(gone, operatorToken), ask(gateway.url, 'x'.repeat(40))])
      for (const answer of [down, refused]) expect(answer).toMatchObject({ code: 1, stdout: '' })
      expect(down.stderr).toMatch(/^The gateway at \S+ does not answer: connect ECONNREFUSED.*npm start/)
      expect(refused.stderr).toMatch(/refuses this operator token \(OPERATOR_TOKEN_INVALID\)/)
    },
  )

  test('--help fits a terminal, describes every option and warns of keys on the command line', async () => {
    const { code, stdout, stderr } = await run(['--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const shown = stdout.split('\n')
    expect(shown.filter((line) => line.length > 80)).toEqual([])
    expect(shown.filter((line) => /^ +-.*--\S+( <\S+>)?$/.test(line))).toEqual([])
    expect(stdout).toContain('--key-file hides it from other users')
  })
})

test('no explained key, token or wallet is written to the log', async () => {
  const { text } = await keyOf('tiny')
  const token = await tokenOf('tiny')
  for (const secret of [{ key: text }, { token }, { payer: 'rich' as const }]) {
    await explain(post('/api/content/blog', secret))
  }
  const logged = gateway.logged.filter((line) => line.includes('explainCall'))
  expect(logged.length).toBeGreaterThan(0)
  for (const secret of [text, token, rich.address]) expect(logged.join('')).not.toContain(secret)
})
