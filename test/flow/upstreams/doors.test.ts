import { once } from 'node:events'
import { type IncomingMessage, request as nodeRequest, type RequestOptions } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { decode } from '../../support/chain/wallet.ts'
import { askModel, createBuyers, get, post, walletOf } from '../../support/gateways/payment-for.ts'
import { openRelayScene, type RelayScene } from '../../support/gateways/relay-scene.ts'
import {
  answers,
  type Behavior,
  type FarEnd,
  says,
  startFarEnd,
  usage,
  words,
} from '../../support/servers/far-end.ts'
import { startIssuer, type TestIssuer } from '../../support/servers/oidc-issuer.ts'

/**
 * The headers that pass between a caller and an upstream through each door, and how keys and free quotas are
 * counted.
 */

const secret = 'sk-that-nobody-must-see'
const audience = 'https://api.example.com'
let chain: TestChain
let far: FarEnd
let issuer: TestIssuer
let scene: RelayScene
let buyers: ReturnType<typeof createBuyers>

beforeAll(async () => {
  chain = await startTestChain()
  far = await startFarEnd()
  issuer = await startIssuer()
  scene = await openRelayScene(
    chain,
    `
upstreams:
  far:
    prefix: /far
    targets: ["${far.url}"]
    private: true
    retries: 0
    max_request_bytes: 2000
    request_headers: ["*"]
    response_headers: ["*"]
    inject: { authorization: "Bearer \${UPSTREAM_FAR_KEY}" }
  wide: { prefix: /wide, targets: ["${far.url}"], private: true, retries: 0 }
operations:
  look: { access: open, upstream: far, route: "GET,POST /open/*", description: For everybody. }
  askModel:
    access: optional
    upstream: far
    route: POST /model/*
    description: By the token.
    free: 10000 tokens/day
    price: { per: tokens, input: "0.000001", output: "0.000002", max: "0.01", max_units: 100 }
  buyModel:
    access: price
    upstream: far
    route: POST /sold/*
    description: The same, for money.
    price: { per: tokens, input: "0.000001", output: "0.000002", max: "0.01" }
  send: { access: optional, upstream: far, route: POST /sent/*, free: 50/day, description: By the call. }
  list:
    access: optional
    upstream: far
    route: GET /listed/*
    description: By the item.
    free: 100 items/day
    price: { per: items, items: "$.data[*]", base: "0.001", output: "0.002", max: "0.01", max_units: 5 }
  walk:
    access: optional
    upstream: far
    route: GET /walked/*
    description: By all values.
    free: 100/day
    price: { per: items, items: "$..*", output: "0.000001", max: "1" }
  askWide:
    access: optional
    upstream: wide
    route: POST /wide-model/*
    description: By the token, with long prompts.
    free: 100/day
    price: { per: tokens, input: "0.000001", output: "0.000002", max: "0.01" }
tiers:
  team: { description: For a team., operations: { askModel: 5000 tokens/month, list: 50 items/month } }
  small: { description: For one., operations: { askModel: 1000 tokens/month } }
`,
    { UPSTREAM_FAR_KEY: secret, OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: audience },
  )
  buyers = createBuyers(scene)
})

afterAll(async () => {
  await scene?.close()
  await far?.close()
  await issuer?.close()
  await chain?.close()
})

const withKey = async (tier: string) => ({ 'x-mcp-api-key': await scene.key(tier) })
/** The remaining allowance in the reply's headers. */
const left = (reply: Response) => Number(/;r=(\d+)/.exec(reply.headers.get('ratelimit') ?? '')?.[1])

async function exchange(path: string, options: RequestOptions = {}, body?: string) {
  const req = nodeRequest(`${scene.gateway.url}/far${path}`, { ...options, agent: false })
  const hints: unknown[] = []
  req.on('information', ({ statusCode, headers }) => hints.push([statusCode, headers]))
  req.end(body)
  const [res]: IncomingMessage[] = await once(req, 'response')
  if (!res) throw new Error('no response came')
  const bytes = await buffer(res)
  return { status: res.statusCode, headers: res.headers, bytes, trailers: res.trailers, hints }
}

describe('credentials and payments reach no upstream, and no upstream can forge the gateway’s headers', () => {
  const payments = { 'payment-signature': 'stray', 'x-payment': 'stray', 'x-payment-signature': 'stray' }
  const paid = async (name: string) => {
    const { headers } = await buyers.sign(askModel('/sold/secrets'), walletOf(3))
    return { [name]: Object.values(headers)[0] ?? '' }
  }
  const doors: Readonly<Record<string, readonly [path: string, () => Promise<Record<string, string>>]>> = {
    'no door': [
      '/open/secrets',
      async () => ({ ...payments, authorization: 'Bearer stray', 'x-mcp-api-key': 'stray' }),
    ],
    'the free quota': ['/model/secrets', async () => ({})],
    'a key': ['/model/secrets', async () => ({ ...payments, ...(await withKey('team')) })],
    'a key as a token': [
      '/model/secrets',
      async () => ({ ...payments, authorization: `Bearer ${await scene.key('team')}` }),
    ],
    'PAYMENT-SIGNATURE': ['/sold/secrets', () => paid('PAYMENT-SIGNATURE')],
    'X-Payment-Signature': ['/sold/secrets', () => paid('X-Payment-Signature')],
    'X-PAYMENT': ['/sold/secrets', () => paid('X-PAYMENT')],
  }

  test.each(Object.entries(doors))('through %s', async (_door, [path, credentials]) => {
    far.on(path, (res, heard, req) => {
      res.setHeader('x-own', 'kept')
      for (const name of ['x-payment', 'payment-required', 'payment-response', 'x-payment-response'])
        res.setHeader(name, 'forged')
      res.setHeader('settlement-overrides', JSON.stringify({ amount: '1' }))
      res.setHeader('set-cookie', 'forged=1')
      res.setHeader('x-ratelimit-remaining', 'forged')
      answers(20, 5)(res, heard, req)
    })
    const given = await credentials()
    const strays = { cookie: 'stray', 'sign-in-with-x': 'stray', 'proxy-authorization': 'stray' }
    const reply = await exchange(
      path,
      { method: 'POST', headers: { ...askModel(path).headers, ...strays, ...given, 'x-own': 'kept' } },
      askModel(path).body,
    )
    expect(reply.status).toBe(200)

    const headers = far.heard(path).at(-1)?.headers ?? {}
    expect(headers).toMatchObject({ authorization: `Bearer ${secret}`, 'x-own': 'kept' })
    const sent = JSON.stringify(headers)
    for (const value of ['stray', ...Object.values(given)]) expect(sent).not.toContain(value)

    expect(reply.headers).toMatchObject({ 'x-own': 'kept' })
    expect(JSON.stringify(reply.headers)).not.toContain('forged')
    expect(reply.headers).not.toHaveProperty('settlement-overrides')
    const receipt = reply.headers['payment-response']
    if (path.startsWith('/sold'))
      expect(decode(String(receipt))).toMatchObject({ success: true, amount: '30' })
    else expect(receipt).toBeUndefined()

    const logged = scene.gateway.logged.join('')
    for (const value of [secret, 'stray', ...Object.values(given)]) expect(logged).not.toContain(value)
  })

  test('and the log contains no injected secret, even when the upstream fails', async () => {
    far.on('/open/fails', (res) => res.destroy())
    expect((await exchange('/open/fails')).status).toBe(502)
    expect(scene.gateway.logged.join('')).not.toContain(secret)
  })
})

describe('an allowance in tokens', () => {
  test('reserves the maximum of a call while it runs, and is charged what it used', async () => {
    const key = await withKey('team')
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    far.on('/model/held', async (res, heard, req) => {
      begun.resolve()
      await end.promise
      answers(10, 20)(res, heard, req)
    })
    far.on('/model/short', answers(1, 1))
    const held = buyers.send(askModel('/model/held', key))
    await begun.promise
    expect(left(await buyers.send(askModel('/model/short', key)))).toBe(5_000 - 100 - 2)
    end.resolve()
    expect(left(await held)).toBe(5_000 - 30)
    expect(left(await buyers.send(askModel('/model/short', key)))).toBe(5_000 - 30 - 4)
  })

  test('is never exceeded by twenty concurrent calls', async () => {
    const key = await withKey('small')
    const all = Promise.withResolvers<void>()
    let running = 0
    far.on('/model/race', async (res, heard, req) => {
      running += 1
      if (running === 10) all.resolve()
      await all.promise
      answers(60, 40)(res, heard, req)
    })
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => buyers.send(askModel('/model/race', key))),
    )
    const statuses = replies.map(({ status }) => status)
    expect([
      statuses.filter((one) => one === 200).length,
      statuses.filter((one) => one === 429).length,
    ]).toEqual([10, 10])
    expect(far.heard('/model/race')).toHaveLength(10)
    expect(replies.find(({ status }) => status === 429)?.headers.has('payment-required')).toBe(true)
  })

  test('is charged the delivered part of a stream that its caller left, and nothing for a failed call', async () => {
    const key = await withKey('team')
    far.on('/model/left', (res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      res.write(words('Some words that have been delivered.'))
    })
    const leaving = new AbortController()
    const reply = await buyers.send(askModel('/model/left', key, { stream: true }), undefined, leaving.signal)
    await reply.body?.getReader().read()
    leaving.abort()
    far.on('/model/fails', says({}, 500))
    const rest = async () => left(await buyers.send(askModel('/model/fails', key)))
    await expect.poll(rest).toBeGreaterThan(5_000 - 100)
    await scene.idle()
    expect(await rest()).toBeLessThan(5_000 - 5)
    expect(await rest()).toBe(await rest())
  })

  test('is charged the usage of a stream, up to the maximum of a call', async () => {
    const key = await withKey('team')
    far.on('/model/much', (res) =>
      res.writeHead(200, { 'content-type': 'text/event-stream' }).end(words('Much') + usage(5_000, 5_000)),
    )
    await (await buyers.send(askModel('/model/much', key, { stream: true }))).text()
    await scene.idle()
    far.on('/model/short', answers(1, 1))
    expect(left(await buyers.send(askModel('/model/short', key)))).toBe(5_000 - 100 - 2)
  })

  test('of a caller without a key is counted by its address', async () => {
    far.on('/model/free', answers(10, 10))
    const before = left(await buyers.send(askModel('/model/free')))
    expect(left(await buyers.send(askModel('/model/free')))).toBe(before - 20)
  })
})

test('an upload that grows too large while it is streamed is refused, the upstream never gets it whole, and the quota unit is released', async () => {
  far.on('/sent/a', says('got it'))
  const before = left(await buyers.send(post('/far/sent/a', 'small')))
  const req = nodeRequest(`${scene.gateway.url}/far/sent/large`, { method: 'POST', agent: false })
  req.on('error', () => undefined)
  req.write('x'.repeat(1_500))
  await expect.poll(() => far.begun).toContain('/sent/large')
  req.write('x'.repeat(1_500))
  const [res]: IncomingMessage[] = await once(req, 'response')
  expect([res?.statusCode, JSON.parse(String(res && (await buffer(res)))).code]).toEqual([
    413,
    'PAYLOAD_TOO_LARGE',
  ])
  req.destroy()
  await expect.poll(() => far.broken).toContain('/sent/large')
  expect(far.heard('/sent/large')).toEqual([])
  expect(left(await buyers.send(post('/far/sent/a', 'small')))).toBe(before - 1)
})

describe('an open route', () => {
  test('passes without being counted', async () => {
    far.on('/open/plain', says('free'))
    const reply = await buyers.send(get('/far/open/plain'))
    expect([reply.status, await reply.text(), reply.headers.has('ratelimit')]).toEqual([200, '"free"', false])
    const { queries } = scene.gateway.services
    expect(
      await queries.selectFrom('meterings').selectAll().where('operation', '=', 'look').execute(),
    ).toEqual([])
  })

  test('passes HEAD, ranges, conditions, redirects, encoded bodies, trailers and early hints unchanged', async () => {
    const packed = gzipSync('x'.repeat(10_000))
    far.on('/open/any', (res, { method, headers }) => {
      if (method === 'HEAD') res.writeHead(200, { 'content-length': 12_345, etag: '"e"' }).end()
      else if (headers.range) res.writeHead(206, { 'content-range': 'bytes 0-9/99' }).end('0123456789')
      else if (headers['if-none-match']) res.writeHead(304, { etag: '"e"' }).end()
      else if (headers['x-to']) res.writeHead(302, { location: `${far.url}/open/there` }).end()
      else if (headers['accept-encoding']) res.writeHead(200, { 'content-encoding': 'gzip' }).end(packed)
      else {
        res.writeEarlyHints({ link: '</a.css>; rel=preload' })
        res.writeHead(200, { trailer: 'content-digest' }).write('body')
        res.addTrailers({ 'content-digest': 'd', 'x-payment': 'forged' })
        res.end()
      }
    })
    const ask = (headers: Record<string, string>, method = 'GET') =>
      exchange('/open/any', { method, headers })

    const head = await ask({}, 'HEAD')
    expect([head.status, head.headers['content-length'], head.headers.etag]).toEqual([200, '12345', '"e"'])
    const part = await ask({ range: 'bytes=0-9' })
    expect([part.status, part.headers['content-range'], String(part.bytes)]).toEqual([
      206,
      'bytes 0-9/99',
      '0123456789',
    ])
    const same = await ask({ 'if-none-match': '"e"' })
    expect([same.status, same.headers.etag, same.headers['content-length']]).toEqual([304, '"e"', undefined])
    const moved = await ask({ 'x-to': 'there' })
    expect([moved.status, moved.headers.location]).toEqual([302, '/far/open/there'])
    const zipped = await ask({ 'accept-encoding': 'gzip' })
    expect([zipped.headers['content-encoding'], zipped.bytes.equals(packed)]).toEqual(['gzip', true])
    const whole = await ask({ te: 'trailers' })
    expect([String(whole.bytes), whole.trailers]).toEqual(['body', { 'content-digest': 'd' }])
    expect(whole.hints).toEqual([[103, { link: '</far/a.css>; rel=preload' }]])
  })
})

test('an OIDC token whose scope is one operation of an upstream opens that operation and no other', async () => {
  far.on('/model/scoped', answers(1, 1))
  const now = Math.floor(Date.now() / 1000)
  const claims = { iss: issuer.url, aud: audience, sub: 'ada', iat: now, exp: now + 600, tier: 'team' }
  const token = await issuer.sign({ ...claims, scope: 'openid askModel' })
  const headers = { authorization: `Bearer ${token}` }

  const covered = await buyers.send(askModel('/model/scoped', headers))
  const other = await buyers.send(askModel('/sent/scoped', headers))

  expect(covered.status).toBe(200)
  expect(other.status).toBe(403)
  expect(await other.json()).toMatchObject({ code: 'SCOPE_INSUFFICIENT' })
})

test.each([
  ['an empty list', 'GET', says({ data: [] })],
  ['HEAD', 'HEAD', says({ data: [1] })],
  ['204', 'GET', (res) => res.writeHead(204).end()],
  ['304', 'GET', (res) => res.writeHead(304, { etag: '"e"' }).end()],
] satisfies [string, string, Behavior][])(
  'a reply without items (%s) uses no units of a key or a free quota, and the books note its base',
  async (label, method, behavior) => {
    const path = `/listed/${label.replaceAll(' ', '-')}`
    far.on(path, behavior)
    const call = { ...get(`/far${path}`), method }
    const key = await withKey('team')
    for (const headers of [{}, key]) {
      const before = left(await buyers.send({ ...call, headers }))
      expect(left(await buyers.send({ ...call, headers }))).toBe(before)
    }
    await scene.idle()
    const noted = await scene.gateway.services.queries
      .selectFrom('meterings')
      .select(['door', 'input', 'output', 'amount'])
      .where('operation', '=', 'list')
      .orderBy('createdAt', 'desc')
      .limit(4)
      .execute()
    const base = { input: 0n, output: 0n, amount: 1_000n }
    expect(noted).toEqual(['key', 'key', 'free', 'free'].map((door) => ({ door, ...base })))
  },
)

test('while a compressed reply of many items is counted, other callers are answered', async () => {
  const rows = Array.from(
    { length: 250_000 },
    (_, n) => `[[],"${((n * 2_654_435_761) % 1_296).toString(36)}"]`,
  )
  const bytes = gzipSync(`{"data":[${rows.join()}]}`)
  far.on('/walked/a', (res) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    res.writeHead(200, { ...headers, 'content-length': bytes.length }).end(bytes)
  })
  let isOver = false
  const counted = buyers.send(get('/far/walked/a')).finally(() => {
    isOver = true
  })
  await expect.poll(() => far.heard('/walked/a').length).toBe(1)
  let answered = 0
  while (!isOver) {
    await (await fetch(`${scene.gateway.url}/ready`)).arrayBuffer()
    answered += 1
  }
  expect((await counted).status).toBe(200)
  expect(answered).toBeGreaterThan(10)
})

test('of large requests that the upstream refuses, six a minute are given back to a free quota', async () => {
  far.on('/wide-model/a', says({ error: 'too long' }, 400))
  const ask = async (body: string) =>
    left(await fetch(`${scene.gateway.url}/wide/wide-model/a`, { method: 'POST', body }))
  const hostile = await ask(`[${'[],'.repeat(3_300_000)}[]]`)
  const large = `{"messages":["${'a'.repeat(20_000)}"]}`
  for (let n = 0; n < 5; n += 1) expect(await ask(large)).toBe(hostile)
  expect(await ask(large)).toBe(hostile - 1)
  expect(await ask('{}')).toBe(hostile - 1)
  expect(await ask(large)).toBe(hostile - 2)
})
