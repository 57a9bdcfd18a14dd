import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pay, sign } from '../../../src/client/pay.ts'
import { askPriceOnly } from '../../../src/client/quote.ts'
import type { CallResult } from '../../../src/client/send.ts'
import { modelName, startDemoModel } from '../../../src/demo/model.ts'
import { devPayers } from '../../../src/platform/chain/dev-accounts.ts'
import { startTestChain, type TestChain, temporaryFolder } from '../../support/chain/chain.ts'
import { createReceivingAccount } from '../../support/chain/receiving-account.ts'
import { freshWallet } from '../../support/chain/wallet.ts'
import { startGateway } from '../../support/gateways/gateway.ts'
import { projectRoot } from '../../support/gateways/process.ts'
import { says, startFarEnd } from '../../support/servers/far-end.ts'

/** The catalogs of `pricing/examples`, used as the steps at their top say, in front of a server of the reader. */

const examples = join(projectRoot, 'pricing/examples')
const run = promisify(execFile)
const payer = privateKeyToAccount(devPayers[0].privateKey)

let chain: TestChain
let folder: string
let removeFolder: () => Promise<void>

beforeAll(async () => {
  chain = await startTestChain()
  const made = await temporaryFolder()
  folder = made.folder
  removeFolder = made.remove
})
afterAll(async () => {
  await chain?.close()
  await removeFolder?.()
})

/** The command of the first step at the top of an example. */
function copyCommand(name: string): string {
  return /^# +1\. Copy it: (sed .*)$/m.exec(readFileSync(join(examples, name), 'utf8'))?.[1] ?? ''
}

/** Follows the steps: copies the example for a server on this machine, and checks the copy. */
async function copyFor(name: string, server: string): Promise<string> {
  const file = join(folder, name)
  const command = copyCommand(name)
    .replace(/(https:[^|]+)\|(https:[^|]+)\|/, `$1|${server}|`)
    .replace('my-catalog.yaml', file)
  await run('sh', ['-c', command], { cwd: projectRoot })
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('# private: true', 'private: true'))
  const check = await run(process.execPath, ['src/cli/cli.ts', 'pricing', 'check', file], {
    cwd: projectRoot,
  })
  expect(check.stdout).toContain('no faults')
  return file
}

async function openShop(name: string, server: string, settings: Record<string, string>) {
  const account = createReceivingAccount(chain, freshWallet().address)
  const gateway = await startGateway(chain.rpcUrl, {
    CATALOG_FILE: await copyFor(name, server),
    PAY_TO: account.address,
    BASE_URL: '',
    ...settings,
  })
  return {
    gateway,
    income: () => account.balanceOf(account.address),
    /** Pays for a call, whatever free quota is left. */
    async buy(method: string, path: string, body?: object): Promise<CallResult> {
      const request = {
        url: `${gateway.url}${path}`,
        method,
        body: body && JSON.stringify(body),
        idempotencyKey: crypto.randomUUID(),
      }
      const unpaid = await askPriceOnly(request)
      if (unpaid.kind === 'result')
        throw new Error(`${path} answered ${unpaid.result.status} without a price`)
      const result = await pay(request, await sign(unpaid.quote, payer, '1.00', chain.rpcUrl))
      await gateway.services.idle()
      return result
    },
  }
}

test('every example names its first step, and README.md shows the core of tokens.yaml with that step', async () => {
  const readme = await readFile(join(projectRoot, 'README.md'), 'utf8')
  const [, shown = ''] = /^```yaml\n(upstreams:.*?)^```$/ms.exec(readme) ?? []
  const [, commands = ''] = /^```sh\n(sed .*?)^```$/ms.exec(readme) ?? []

  for (const name of await readdir(examples))
    expect(copyCommand(name)).toContain(`pricing/examples/${name} >`)
  const tokens = await readFile(join(examples, 'tokens.yaml'), 'utf8')
  expect(shown).toMatch(/upstream: llm/)
  expect(tokens).toContain(`\n${shown}`)
  expect(commands.split('\n')).toEqual([
    copyCommand('tokens.yaml'),
    'npm run -s tollgate -- pricing check my-catalog.yaml',
    'UPSTREAM_LLM_KEY=sk-... CATALOG_FILE=my-catalog.yaml npm start',
    '',
  ])
})

test('tokens.yaml sells a model by the token: free first, then for what a call has used', async () => {
  const model = await startDemoModel('sk-of-the-reader')
  const shop = await openShop('tokens.yaml', `http://127.0.0.1:${model.port}`, {
    UPSTREAM_LLM_KEY: 'sk-of-the-reader',
  })
  const { url } = shop.gateway
  const body = { model: modelName, messages: [{ role: 'user', content: 'How do we fill the gaps?' }] }

  const models = await fetch(`${url}/llm/v1/models`)
  const free = await fetch(`${url}/llm/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const paid = await shop.buy('POST', '/llm/v1/chat/completions', body)
  const home = await fetch(url, { headers: { accept: 'text/html' } })

  expect([models.status, free.status, paid.status, home.status]).toEqual([200, 200, 200, 200])
  expect(model.reported.calls).toBe(2)
  const { prompt, completion } = model.reported
  // Both calls were alike, so half of the tokens were paid: $0.50 and $2.00 per million, in millionths.
  const price = Math.ceil((prompt / 2) * 0.5 + (completion / 2) * 2)
  expect(await shop.income()).toBe(BigInt(price))
  await shop.gateway.close()
  await model.close()
})

describe('calls.yaml', () => {
  test('sells an API by the call: five free forecasts, then a cent each, and reports by their days', async () => {
    const server = await startFarEnd()
    server.on('/v1/forecast/Bern', (res) =>
      res.setHeader('content-type', 'application/json').end('{"days":[]}'),
    )
    server.on('/v1/reports', (res) => res.setHeader('content-type', 'application/json').end('{"report":""}'))
    const shop = await openShop('calls.yaml', server.url, { UPSTREAM_WEATHER_KEY: 'key-of-the-reader' })
    const forecast = `${shop.gateway.url}/weather/v1/forecast/Bern`

    const free: number[] = []
    for (let call = 1; call <= 6; call += 1) free.push((await fetch(forecast)).status)
    const paid = await shop.buy('GET', '/weather/v1/forecast/Bern')
    const report = await shop.buy('POST', '/weather/v1/reports', { days: 30 })

    expect(free).toEqual([200, 200, 200, 200, 200, 429])
    expect([paid.status, report.status]).toEqual([200, 200])
    expect(await shop.income()).toBe(10_000n + 60_000n)
    expect(server.heard('/v1/forecast/Bern')).toHaveLength(6)
    expect(server.heard('/v1/reports')[0]?.headers).toMatchObject({ 'x-api-key': 'key-of-the-reader' })
    await shop.gateway.close()
    await server.close()
  })
})

test('messages.yaml sells a model by Anthropic’s protocol: free first, then for what a call has used', async () => {
  const server = await startFarEnd()
  server.on('/v1/messages', says({ content: [], usage: { input_tokens: 1_000, output_tokens: 200 } }))
  server.on('/v1/messages/count_tokens', says({ input_tokens: 1_000 }))
  server.on('/v1/models', says({ data: [] }))
  const shop = await openShop('messages.yaml', server.url, { UPSTREAM_CLAUDE_KEY: 'key-of-the-reader' })
  const body = { model: 'm', max_tokens: 200, messages: [{ role: 'user', content: 'Hello' }] }
  const post = (path: string) =>
    fetch(`${shop.gateway.url}/claude${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
      body: JSON.stringify(body),
    })

  const statuses = [
    (await post('/v1/messages')).status,
    (await post('/v1/messages/count_tokens')).status,
    (await fetch(`${shop.gateway.url}/claude/v1/models`)).status,
    (await shop.buy('POST', '/claude/v1/messages', body)).status,
  ]

  expect(statuses).toEqual([200, 200, 200, 200])
  // $3.50 and $17.00 per million, in millionths.
  expect(await shop.income()).toBe(BigInt(1_000 * 3.5 + 200 * 17))
  expect(server.heard('/v1/messages')[0]?.headers).toMatchObject({
    'x-api-key': 'key-of-the-reader',
    'anthropic-version': '2023-06-01',
  })
  await shop.gateway.close()
  await server.close()
})

test('units.yaml sells an API by items, bytes and seconds, and each call costs its base too', async () => {
  const server = await startFarEnd()
  server.on('/v1/companies', says({ companies: ['a', 'b', 'c'] }))
  server.on('/v1/files/film', (res) => void res.end(Buffer.alloc(1_500_000)))
  server.on('/v1/transcode', says({ done: true }))
  const shop = await openShop('units.yaml', server.url, { UPSTREAM_DATA_KEY: 'key-of-the-reader' })
  const costs: bigint[] = []
  for (const [method, path, body] of [
    ['GET', '/data/v1/companies'],
    ['GET', '/data/v1/files/film'],
    ['POST', '/data/v1/transcode', { format: 'webm' }],
  ] as const) {
    const before = await shop.income()
    expect((await shop.buy(method, path, body)).status).toBe(200)
    costs.push((await shop.income()) - before)
  }

  // In millionths: three items of 200, 1.5 MB of 1,000, and at least one second of 500, each with its base.
  expect(costs.slice(0, 2)).toEqual([500n + 3n * 200n, 100n + 1_500n])
  expect(costs[2]).toBeGreaterThanOrEqual(1_000n + 500n)
  expect((await fetch(`${shop.gateway.url}/data/v1/companies`)).status).toBe(200)
  await shop.gateway.close()
  await server.close()
})

test('mcp.yaml lets a client connect and look for nothing, and sells the calls of tools, however they are written', async () => {
  const server = await startFarEnd()
  server.on('/mcp', says({ jsonrpc: '2.0', id: 1, result: {} }))
  const shop = await openShop('mcp.yaml', server.url, { UPSTREAM_MCP_KEY: 'key-of-the-reader' })
  const post = async (body: string, headers: Record<string, string> = {}) => {
    const sent = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body }
    return (await fetch(`${shop.gateway.url}/tools/mcp`, sent)).status
  }
  const call = (method: string) => JSON.stringify({ jsonrpc: '2.0', id: 1, method })
  const free = [
    ...['initialize', 'server/discover', 'tools/list', 'ping', 'notifications/initialized'].map(call),
    '{"jsonrpc":"2.0","id":1,"result":{}}',
  ]

  for (let used = 0; used < 20; used += 1) expect(await post(call('tools/call'))).toBe(200)
  for (const message of free) expect([message, await post(message)]).toEqual([message, 200])
  const charged = [
    await post(call('tools/call')),
    await post(`[${call('tools/list')},${call('tools/call')}]`),
    await post('{"method":"tools/list","method":"tools/call"}'),
    await post('{"method":"tools/list","Method":"tools/call"}'),
    await post(call('tools/list'), { 'mcp-method': 'tools/call' }),
    await post(call('tools/list'), { 'content-encoding': 'gzip' }),
  ]

  expect(charged).toEqual(charged.map(() => 429))
  expect(server.heard('/mcp')).toHaveLength(20 + free.length)
  await shop.gateway.close()
  await server.close()
})

test('mcp.yaml sells the calls of an MCP server: free ones first, with its session, and errors as JSON-RPC', async () => {
  const server = await startFarEnd()
  server.on('/mcp', (res, { method, headers }) => {
    const session = String(headers['mcp-session-id'] ?? 'new')
    res.setHeader('mcp-session-id', session).setHeader('content-type', 'application/json')
    res.end(
      JSON.stringify({ jsonrpc: '2.0', id: 1, result: { method, version: headers['mcp-protocol-version'] } }),
    )
  })
  const shop = await openShop('mcp.yaml', server.url, { UPSTREAM_MCP_KEY: 'key-of-the-reader' })
  const url = `${shop.gateway.url}/tools/mcp`
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'add' } }
  const headers = {
    'content-type': 'application/json',
    'mcp-session-id': 'one',
    'mcp-protocol-version': '2025-06-18',
    'mcp-param-region': 'eu',
  }
  const post = () => fetch(url, { method: 'POST', headers, body: JSON.stringify(message) })

  const [first] = await Promise.all(Array.from({ length: 20 }, post))
  const refused = await post()
  const stream = await fetch(url, { headers })
  const paid = await shop.buy('POST', '/tools/mcp', message)

  expect([first?.status, first?.headers.get('mcp-session-id')]).toEqual([200, 'one'])
  expect(await first?.json()).toMatchObject({ result: { version: '2025-06-18' } })
  expect(first?.headers.get('access-control-expose-headers')).toMatch(/\bmcp-session-id\b/)
  expect(refused.status).toBe(429)
  expect(await refused.json()).toMatchObject({
    jsonrpc: '2.0',
    error: { code: 429, message: expect.any(String), data: { code: 'RATE_LIMIT' } },
  })
  expect([stream.status, paid.status]).toEqual([200, 200])
  expect(await shop.income()).toBe(10_000n)
  expect(server.heard('/mcp')[0]?.headers).toMatchObject({
    authorization: 'Bearer key-of-the-reader',
    'mcp-param-region': 'eu',
  })
  await shop.gateway.close()
  await server.close()
})
