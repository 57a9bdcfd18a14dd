import { randomUUID } from 'node:crypto'
import request from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { connect, modes } from '../../support/mcp/mcp-client.ts'
import {
  type Caller,
  ended,
  newClient,
  newKey,
  openScanScene,
  type ScanScene,
} from '../../support/scans/scan-scene.ts'

/** The MCP server of the service, as the official client sees it in the current protocol and in the older ones. */

let scene: ScanScene
let url: string

beforeAll(async () => {
  scene = await openScanScene({
    'shop.example': 'small',
    'one.example': 'small',
    'two.example': 'small',
    'three.example': 'small',
  })
  url = `${scene.gateway.url}/.well-known/mcp`
})
afterAll(() => scene.close())

const open = (headers: Caller, mode?: (typeof modes)[number]) =>
  connect(url, { headers, ...(mode && { mode }) })

describe.each(modes)('a client in mode %s', (mode) => {
  test('finds the twelve tools with schemas and annotations, the resources and the prompt', async () => {
    const client = await open(newClient(), mode)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'get_health',
      'start_scan',
      'get_scan_status',
      'get_scan_results',
      'get_comprehensive_scan',
      'list_scans',
      'get_playbook',
      'list_directory',
      'get_directory_listing',
      'get_analytics_summary',
      'search_insights',
      'subscribe_webhook',
    ])
    for (const tool of tools) {
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(tool.outputSchema).toMatchObject({ type: 'object' })
      expect(tool.annotations?.readOnlyHint).toBe(!['start_scan', 'subscribe_webhook'].includes(tool.name))
    }
    const { resources } = await client.listResources()
    for (const { uri, mimeType } of resources) {
      const { contents } = await client.readResource({ uri })
      expect(contents).toMatchObject([{ uri, mimeType, text: expect.stringMatching(/.{100}/) }])
    }
    expect(resources).toHaveLength(2)
    const { messages } = await client.getPrompt({
      name: 'improve_website',
      arguments: { url: 'shop.example' },
    })
    expect(messages[0]?.content).toMatchObject({ text: expect.stringContaining('"shop.example"') })
    await client.close()
  })

  test('scans a website and reads what a key opens, and each result fits the schema of its tool', async () => {
    const key = await newKey(scene.gateway)
    const client = await open(key, mode)
    // The client checks results only against the schemas that it has listed.
    await client.listTools()
    const call = async (name: string, args: Record<string, unknown> = {}) => {
      const { structuredContent, content, isError } = await client.callTool({ name, arguments: args })
      expect([name, isError, content]).toEqual([
        name,
        undefined,
        [{ type: 'text', text: expect.any(String) }],
      ])
      return structuredContent
    }
    await call('get_health')
    const started = await call('start_scan', { url: 'shop.example', scanType: 'light' })
    const { scanId } = z.looseObject({ scanId: z.string() }).parse(started)
    await ended(scene.gateway, scanId, key)
    await call('get_scan_status', { scanId })
    await call('get_scan_results', { scanId })
    await call('get_comprehensive_scan', { scanId })
    expect(await call('list_scans', { limit: 1, include_results: true })).toMatchObject({
      scans: [{ id: scanId, results: {} }],
    })
    await call('get_playbook', { scanId, include_skills: false })
    await call('list_directory', { limit: 5, industry: 'retail' })
    await call('get_analytics_summary', { time_range: 'all' })
    await call('search_insights', { query: 'shop', search_type: 'domains', limit: 3 })
    const subscribed = await call('subscribe_webhook', {
      callback_url: `https://example.com/${randomUUID()}`,
      events: ['scan.completed'],
    })
    expect(subscribed).toMatchObject({ ok: true })
    await client.close()
  })
})

test('a tool call is refused as its operation is over HTTP, with the same error body', async () => {
  const client = await open(newClient())
  const other = newClient()
  const cases = [
    ['list_scans', { limit: 0, page: 2 }, '/api/insights/scans?limit=0&page=2'],
    ['get_scan_status', { scanId: randomUUID() }, '/api/insights/scan/{scanId}/status'],
    ['get_scan_results', { scanId: '../scans' }, '/api/insights/scan/{scanId}/results'],
    ['get_directory_listing', { slug: 'a b/c' }, '/api/directory/{slug}'],
    ['get_directory_listing', { slug: 'half a character \ud800' }, '/api/directory/{slug}'],
    ['search_insights', { query: '  ' }, '/api/insights/search?query=++'],
  ] as const
  for (const [name, args, path] of cases) {
    const { structuredContent, isError } = await client.callTool({ name, arguments: args })
    const target = path.replace(/\{(\w+)\}/, () =>
      encodeURIComponent(String(Object.values(args)[0]).toWellFormed()),
    )
    const { body, status } = await request(scene.gateway.url).get(target).set(other)
    expect([name, isError, structuredContent]).toEqual([name, true, body])
    expect(status).toBeGreaterThanOrEqual(400)
  }
  await client.close()
})

test('the free quota is one for both ways: a scan too many is a 429 with its details', async () => {
  const me = newClient()
  const client = await open(me)
  const scan = (host: string) => ({ name: 'start_scan', arguments: { url: host, scanType: 'light' } })
  expect(await client.callTool(scan('one.example'))).not.toHaveProperty('isError')
  await request(scene.gateway.url).post('/api/insights/scan').set(me).send({ url: 'two.example' }).expect(200)
  expect(await client.callTool(scan('three.example'))).not.toHaveProperty('isError')
  expect(await client.callTool(scan('one.example'))).toMatchObject({
    isError: true,
    structuredContent: {
      error: 'rate_limited',
      code: 'RATE_LIMIT',
      details: { retry_after_seconds: expect.any(Number) },
    },
    _meta: { 'tollgate/headers': { 'retry-after': expect.any(String) } },
  })
  await request(scene.gateway.url).post('/api/insights/scan').set(me).send({ url: 'two.example' }).expect(429)
  await client.close()
})

test('an unknown key is refused, and is not served as a caller without one', async () => {
  const client = await open({ 'x-mcp-api-key': 'tgk_unknown', ...newClient() })
  expect(await client.callTool({ name: 'list_directory', arguments: {} })).toMatchObject({
    isError: true,
    structuredContent: { error: 'unauthorized', code: 'API_KEY_MALFORMED' },
  })
  await client.close()
})

test('an unknown tool, resource or prompt is a protocol error', async () => {
  const client = await open(newClient())
  const invalid = expect.objectContaining({ code: -32_602 })
  await expect(client.callTool({ name: 'analyze_business', arguments: {} })).rejects.toEqual(invalid)
  await expect(client.readResource({ uri: `${url}/none` })).rejects.toEqual(invalid)
  await expect(client.getPrompt({ name: 'none' })).rejects.toEqual(invalid)
  await expect(client.getPrompt({ name: 'improve_website' })).rejects.toEqual(invalid)
  await client.close()
})
