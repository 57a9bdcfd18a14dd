import { connect } from 'node:net'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { shownKeySchema } from '../../../src/edge/handlers/operator/replies.ts'
import { devPayers } from '../../../src/platform/chain/dev-accounts.ts'
import { startTestChain, type TestChain, temporaryFolder } from '../../support/chain/chain.ts'
import { signPayment, v2Header } from '../../support/chain/wallet.ts'
import { writeCatalog } from '../../support/gateways/catalog.ts'
import { operatorToken, startGateway, type TestGateway } from '../../support/gateways/gateway.ts'
import { patienceMs } from '../../support/patience.ts'
import { type Model, startModel } from '../../support/servers/model.ts'

/**
 * Requests that attackers send and clients do not, byte by byte, to an operation behind each door. Every
 * served call must be paid or counted, and no request may make the gateway fail.
 */

interface Target {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body: string
  /** The status for a caller without credentials. */
  readonly plain: number
}

const paid: Target = {
  method: 'POST',
  path: '/api/analyze',
  body: '{"businessName":"Acme Dental"}',
  plain: 402,
}
const free: Target = {
  method: 'POST',
  path: '/api/leads/research',
  body: '{"companyName":"Acme Dental"}',
  plain: 200,
}
const keyed: Target = { method: 'GET', path: '/.well-known/pricing.md', body: '', plain: 401 }
const targets: [string, Target][] = [
  ['a paid operation', paid],
  ['one with a free quota', free],
  ['one for keys', keyed],
]
const payer = privateKeyToAccount(devPayers[3].privateKey)

let chain: TestChain
let model: Model
let gateway: TestGateway
let closeFolder: () => Promise<void>
/** The calls of the model, units and payments recorded before each test. */
let before: { readonly asked: number; readonly units: number; readonly payments: number }

beforeAll(async () => {
  const { folder, remove } = await temporaryFolder()
  closeFolder = remove
  chain = await startTestChain()
  model = await startModel()
  const catalog = await writeCatalog(
    folder,
    { researchLead: { access: 'optional', free: '1000/day' }, getWellKnownPricing: { access: 'key' } },
    { reader: { description: 'Reads prices.', operations: { getWellKnownPricing: '100/day' } } },
  )
  gateway = await startGateway(chain.rpcUrl, { ...model.settings, CATALOG_FILE: catalog })
})
beforeEach(async () => {
  before = { asked: model.asked, units: await unitsUsed(), payments: await paymentsClaimed() }
})
afterAll(async () => {
  await gateway.close()
  await model.close()
  await chain.close()
  await closeFolder()
})

/** The units used by all callers of all operations. */
async function unitsUsed(): Promise<number> {
  const rows = await gateway.services.queries.selectFrom('usage').select('used').execute()
  return rows.reduce((sum, { used }) => sum + Number(used), 0)
}

async function paymentsClaimed(): Promise<number> {
  return (await gateway.services.queries.selectFrom('payments').select('id').execute()).length
}

/** @returns all bytes until the gateway closed the connection, as latin1. */
function exchange(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(gateway.port, '127.0.0.1', () => socket.write(Buffer.from(bytes, 'latin1')))
    socket.setTimeout(patienceMs, () => socket.destroy(new Error(`no end of the answer to ${bytes}`)))
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
    })
    socket.once('error', reject)
    socket.once('close', () => resolve(received))
  })
}

/** The statuses of all replies on a connection. */
async function statuses(bytes: string): Promise<readonly number[]> {
  const received = await exchange(bytes)
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}

function written(
  requestLine: string,
  { body }: Pick<Target, 'body'>,
  headers: readonly string[] = [],
  length = [`Content-Length: ${body.length}`],
): string {
  const lines = [requestLine, 'Host: x', 'Connection: close', 'Content-Type: application/json']
  return `${[...lines, ...length, ...headers].join('\r\n')}\r\n\r\n${body}`
}

/** Expects that `times` calls ran, each took a unit of free quota, and no payment was used. */
async function expectServed(times: number): Promise<void> {
  expect(model.asked - before.asked).toBe(times)
  expect((await unitsUsed()) - before.units).toBe(times)
  expect(await paymentsClaimed()).toBe(before.payments)
}

/** Splits the path before its last segment. */
function cut({ path }: Target): readonly [string, string] {
  const at = path.lastIndexOf('/') + 1
  return [path.slice(0, at), path.slice(at)]
}

const spellings: [string, (target: Target) => string, number][] = [
  ['capital letters', ({ path }) => path.toUpperCase(), 404],
  ['one capital letter', (target) => cut(target)[0] + capital(cut(target)[1]), 404],
  ['a slash at the end', ({ path }) => `${path}/`, 404],
  ['two leading slashes', ({ path }) => `/${path}`, 404],
  ['a double slash inside', (target) => `${cut(target)[0]}/${cut(target)[1]}`, 404],
  ['a dot segment inside', (target) => `${cut(target)[0]}./${cut(target)[1]}`, 404],
  ['a leading dot segment', ({ path }) => `/.${path}`, 404],
  ['two dots', ({ path }) => `/x/..${path}`, 404],
  ['two escaped dots', ({ path }) => `/x/%2e%2e${path}`, 404],
  ['dots behind a semicolon', ({ path }) => `/x/..;${path}`, 404],
  ['an escaped letter', (target) => cut(target)[0] + escaped(cut(target)[1]), 404],
  ['a letter escaped twice', (target) => cut(target)[0] + escaped(cut(target)[1]).replace('%', '%25'), 404],
  ['an escaped slash', (target) => `${cut(target)[0].slice(0, -1)}%2f${cut(target)[1]}`, 404],
  ['an escaped slash at the end', ({ path }) => `${path}%2f`, 404],
  ['a leading escaped slash', ({ path }) => `/%2f${path.slice(1)}`, 404],
  ['a backslash', (target) => `${cut(target)[0].slice(0, -1)}\\${cut(target)[1]}`, 404],
  ['a path parameter', ({ path }) => `${path};x=1`, 404],
  ['a file ending', ({ path }) => `${path}.json`, 404],
  ['a space at the end', ({ path }) => `${path}%20`, 404],
  ['a null byte at the end', ({ path }) => `${path}%00`, 404],
  ['an escaped question mark', ({ path }) => `${path}%3fx=1`, 404],
  ['an escaped hash', ({ path }) => `${path}%23x`, 404],
  ['escapes that are not UTF-8', ({ path }) => `${path}%c0%af`, 404],
  ['half an escape', ({ path }) => `${path}%c`, 404],
  ['a percent sign', ({ path }) => `${path}%`, 404],
  ['a raw byte', ({ path }) => `${path}\xe9`, 400],
  ['a raw null byte', ({ path }) => `${path}\0`, 400],
  ['no leading slash', ({ path }) => path.slice(1), 400],
]

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
const escaped = (word: string) => `%${word.charCodeAt(0).toString(16)}${word.slice(1)}`

describe.each(targets)('%s', (_kind, target) => {
  const { method, path } = target
  const other = method === 'GET' ? 'POST' : 'GET'
  const query = `${method} ${path}?`

  test.each(spellings)('is not served if its path has %s', async (_label, spell, status) => {
    expect(await statuses(written(`${method} ${spell(target)} HTTP/1.1`, target))).toEqual([status])
    await expectServed(0)
  })

  test.each<[string, string, string[], number]>([
    ['another method', `${other} ${path} HTTP/1.1`, [], 405],
    ['PUT', `PUT ${path} HTTP/1.1`, [], 405],
    ['TRACE', `TRACE ${path} HTTP/1.1`, [], 405],
    ['OPTIONS with a body', `OPTIONS ${path} HTTP/1.1`, [], 204],
    ['HEAD', `HEAD ${path} HTTP/1.1`, [], method === 'GET' ? target.plain : 405],
    ['its method in lower case', `${method.toLowerCase()} ${path} HTTP/1.1`, [], 400],
    ['an unknown method', `BREW ${path} HTTP/1.1`, [], 400],
    ['an unknown HTTP version', `${method} ${path} HTTP/3.7`, [], 505],
    ['HTTP/1.2', `${method} ${path} HTTP/1.2`, [], 505],
    ['HTTP/2 without an agreement', `${method} ${path} HTTP/2.0`, [], 505],
    ['HTTP/0.9', `${method} ${path} HTTP/0.9`, [], 505],
    ['an unknown expectation', `${method} ${path} HTTP/1.1`, ['Expect: 200-maybe'], 417],
    ['a method override', `${other} ${path} HTTP/1.1`, [`X-HTTP-Method-Override: ${method}`], 405],
    [
      'other method override headers',
      `${other} ${path} HTTP/1.1`,
      [`X-HTTP-Method: ${method}`, `X-Method-Override: ${method}`],
      405,
    ],
    ['a method in the query', `${other} ${path}?_method=${method} HTTP/1.1`, [], 405],
    ['a method override of OPTIONS', `OPTIONS ${path} HTTP/1.1`, [`X-HTTP-Method-Override: ${method}`], 204],
    [
      'its path in a header',
      'GET /nothing HTTP/1.1',
      [`X-Original-URL: ${path}`, `X-Rewrite-URL: ${path}`],
      404,
    ],
  ])('is not served for %s', async (_label, line, headers, status) => {
    expect(await statuses(written(line, target, headers))).toEqual([status])
    await expectServed(0)
  })

  test.each<[string, string, string[]]>([
    ['a fragment', `${method} ${path}#/pricing HTTP/1.1`, []],
    ['an absolute target', `${method} http://x${path} HTTP/1.1`, []],
    ['an absolute target of another host', `${method} http://other.example:1${path} HTTP/1.1`, []],
    ['an absolute target of another scheme', `${method} ftp://x${path} HTTP/1.1`, []],
    ['HTTP/1.0', `${method} ${path} HTTP/1.0`, []],
    ['another host', `${method} ${path} HTTP/1.1`, ['X-Forwarded-Host: other.example']],
    ['an override of its method', `${method} ${path} HTTP/1.1`, ['X-HTTP-Method-Override: GET']],
    ['another path in a header', `${method} ${path} HTTP/1.1`, ['X-Original-URL: /pricing']],
    [
      'headers that are there twice',
      `${method} ${path} HTTP/1.1`,
      ['Accept: */*', 'Accept: a/b', 'X-A: 1', 'X-A: 2'],
    ],
    [
      'a wish for another protocol',
      `${method} ${path} HTTP/1.1`,
      ['Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'],
    ],
    ['the headers of a paid reply', `${method} ${path} HTTP/1.1`, ['PAYMENT-RESPONSE: e30=', 'X-Dry-Run: 1']],
    ['words for a key', `${method} ${path} HTTP/1.1`, ['X_MCP_API_KEY: tgk_x', 'X-Api-Key: sk-x']],
  ])('costs the same with %s', async (_label, line, headers) => {
    expect(await statuses(written(line, target, headers))).toEqual([target.plain])
    await expectServed(target.plain === 200 ? 1 : 0)
  })

  test.each([
    ['a query', 'free=1'],
    ['a query that is not UTF-8', '%c0=%&a[b=1'],
    ['a method in the query', '_method=GET'],
  ])('costs the same with %s, and is refused where it would run', async (_label, text) => {
    const status = target.plain === 200 ? 400 : target.plain
    expect(await statuses(written(`${query}${text} HTTP/1.1`, target))).toEqual([status])
    await expectServed(0)
  })

  const line = `${method} ${path} HTTP/1.1`
  const chunked = { body: `${target.body.length.toString(16)}\r\n${target.body}\r\n0\r\n\r\n` }
  const smuggled = `0\r\n\r\n${written(line, target)}`
  test.each<[string, string]>([
    ['Content-Length and Transfer-Encoding', written(line, chunked, ['Transfer-Encoding: chunked'])],
    [
      'Transfer-Encoding and a Content-Length that hides a request',
      written(line, { body: smuggled }, ['Transfer-Encoding: chunked'], ['Content-Length: 3']),
    ],
    ['two lengths', written(line, target, ['Content-Length: 0'])],
    ['a length with a sign', written(line, target, [], [`Content-Length: +${target.body.length}`])],
    ['a list of lengths', written(line, target, [], ['Content-Length: 0, 0'])],
    ['an unknown transfer coding', written(line, chunked, ['Transfer-Encoding: xchunked'], [])],
    ['a transfer coding before chunked', written(line, chunked, ['Transfer-Encoding: gzip, chunked'], [])],
    [
      'two transfer codings',
      written(line, chunked, ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], []),
    ],
    ['two hosts', written(line, target, ['Host: other.example'])],
    ['a transfer coding after chunked', written(line, chunked, ['Transfer-Encoding: chunked, identity'], [])],
    ['a space before the colon', written(line, chunked, ['Transfer-Encoding : chunked'], [])],
    ['a header over two lines', written(line, target, ['X-A: 1\r\n b'])],
    ['a line that ends too early', written(line, target, ['X-A: 1\nX-B: 2'])],
    ['a null byte in a header', written(line, target, ['X-A: \0'])],
    ['a header without a name', written(line, target, [': 1'])],
    [
      'a chunk whose size is not a number',
      written(line, { body: 'zz\r\n{}\r\n0\r\n\r\n' }, ['Transfer-Encoding: chunked'], []),
    ],
  ])('is not served if two servers could read the request differently: %s', async (_label, bytes) => {
    const answers = await statuses(bytes)
    expect(answers.length).toBeGreaterThan(0)
    // A 401 or 402 may be sent before the body is read and its fault is seen.
    expect(answers.every((status) => status === 400 || status === 402 || status === 401)).toBe(true)
    expect(answers.at(-1)).toBe(400)
    await expectServed(0)
  })

  test('costs the same for each of several pipelined requests', async () => {
    const asked = [1, 2].map(() => written(line, target).replace('Connection: close\r\n', ''))
    expect(await statuses([...asked, written(line, target)].join(''))).toEqual(Array(3).fill(target.plain))
    await expectServed(target.plain === 200 ? 3 : 0)
  })
})

test.each([
  ['has no version', 'GET /pricing\r\n\r\n', 505, 'VERSION_NOT_SUPPORTED'],
  ['opens HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505, 'VERSION_NOT_SUPPORTED'],
  ['names no host', 'GET /pricing HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'VALIDATION_ERROR'],
  [
    'expects the unknown',
    'GET /pricing HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: more\r\n\r\n',
    417,
    'EXPECTATION_FAILED',
  ],
])('a request that %s is refused with our error body', async (_what, bytes, status, code) => {
  const answer = await exchange(bytes)
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*\r\n\r\n\\{.*"code":"${code}"`, 's'))
})

test('a payment sent to a path that is not priced is not used, and is valid afterwards', async () => {
  const payment = `PAYMENT-SIGNATURE: ${v2Header(await signPayment(payer, 250_000n))}`
  for (const [, spell, status] of spellings) {
    expect(await statuses(written(`POST ${spell(free)} HTTP/1.1`, free, [payment]))).toEqual([status])
  }
  for (const method of ['GET', 'PUT', 'OPTIONS']) {
    const override = [payment, 'X-HTTP-Method-Override: POST']
    const answers = await statuses(written(`${method} ${free.path} HTTP/1.1`, free, override))
    expect(answers).toEqual([method === 'OPTIONS' ? 204 : 405])
  }
  await expectServed(0)
  const twice = [payment, `X-PAYMENT: ${v2Header(await signPayment(payer, 250_000n))}`]
  expect(await statuses(written(`POST ${free.path} HTTP/1.1`, free, twice))).toEqual([400])
  await expectServed(0)
  // The same payment twice counts as one.
  expect(await statuses(written(`POST ${free.path} HTTP/1.1`, free, [payment, payment]))).toEqual([200])
  expect(await paymentsClaimed()).toBe(before.payments + 1)
  expect(await unitsUsed()).toBe(before.units)
})

test('a key sent to a path that is not served is not counted, and two keys in one request are both not counted', async () => {
  const made = await fetch(`${gateway.url}/operator/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ tier: 'reader' }),
  })
  const key = `X-MCP-API-Key: ${shownKeySchema.parse(await made.json()).key}`
  for (const [, spell, status] of spellings) {
    expect(await statuses(written(`GET ${spell(keyed)} HTTP/1.1`, keyed, [key]))).toEqual([status])
  }
  for (const another of ['X-MCP-API-Key: tgk_x', 'Authorization: Bearer tgk_x']) {
    expect(await statuses(written(`GET ${keyed.path} HTTP/1.1`, keyed, [key, another]))).toEqual([400])
  }
  expect(await unitsUsed()).toBe(before.units)
  // Each call counts once for the day and once for the month.
  for (const method of ['GET', 'HEAD']) {
    expect(await statuses(written(`${method} ${keyed.path} HTTP/1.1`, keyed, [key, key]))).toEqual([200])
  }
  expect(await unitsUsed()).toBe(before.units + 4)
})
