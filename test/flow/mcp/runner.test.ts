import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tokenAbi } from '../../../src/doors/x402/evidence/token.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import { startTestChain, type TestChain, temporaryFolder } from '../../support/chain/chain.ts'
import { startGateway, type TestGateway } from '../../support/gateways/gateway.ts'
import { projectRoot } from '../../support/gateways/process.ts'
import { type Model, startModel } from '../../support/servers/model.ts'

/** `tollgate mcp`, started as a desktop client starts it. */

let chain: TestChain
let model: Model
let gateway: TestGateway
let files: Awaited<ReturnType<typeof temporaryFolder>>
const key = generatePrivateKey()
const wallet = privateKeyToAccount(key)

beforeAll(async () => {
  chain = await startTestChain()
  model = await startModel()
  gateway = await startGateway(chain.rpcUrl, model.settings)
  files = await temporaryFolder()
  await writeFile(join(files.folder, 'key'), key, { mode: 0o600 })
  await chain.mint(wallet.address, 10_000_000n)
})
afterAll(async () => {
  await gateway?.close()
  await model?.close()
  await chain?.close()
  await files?.remove()
})

async function start(
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  mode: 'auto' | 'legacy' = 'auto',
): Promise<Client> {
  const client = new Client({ name: 'desktop', version: '1.0.0' }, { versionNegotiation: { mode } })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ['src/cli/cli.ts', 'mcp', '--url', gateway.url, '--spending-dir', files.folder, ...args],
      cwd: projectRoot,
      env: { PATH: process.env.PATH ?? '', ...env },
      stderr: 'ignore',
    }),
  )
  return client
}

const paying = () => ['--key-file', join(files.folder, 'key')]
const lead = { name: 'research_lead', arguments: { companyName: 'Acme' } }
const balance = () =>
  chain.client.readContract({
    address: networks['base-sepolia'].usdc.address,
    abi: tokenAbi,
    functionName: 'balanceOf',
    args: [wallet.address],
  })

test('serves all tools, the documents and the prompt, with the key of its environment', async () => {
  const client = await start([], { MCP_API_KEY: 'tgk_none' })
  const { tools } = await client.listTools()
  expect(tools).toHaveLength(15)
  expect(await client.callTool({ name: 'list_directory', arguments: {} })).toMatchObject({
    isError: true,
    structuredContent: { code: 'API_KEY_MALFORMED', message: expect.stringContaining('MCP_API_KEY') },
  })
  const { resources } = await client.listResources()
  expect((await client.readResource({ uri: resources[0]?.uri ?? '' })).contents).toHaveLength(1)
  expect((await client.listPrompts()).prompts).toHaveLength(1)
  await client.close()
})

test('a client that closes its end at once still gets the reply that its wallet pays for', async () => {
  const requests = [
    {
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'pipe', version: '1' },
      },
    },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: lead },
    { id: 3, method: 'tools/list' },
    { method: 'notifications/cancelled', params: { requestId: 3 } },
  ]
  const before = await balance()
  const args = ['src/cli/cli.ts', 'mcp', '--url', gateway.url, '--spending-dir', join(files.folder, 'pipe')]
  const running = promisify(execFile)(process.execPath, [...args, ...paying()], { cwd: projectRoot })
  running.child.stdin?.end(
    `${requests.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join('')}no message\n`,
  )
  const { stdout } = await running
  const replies = stdout
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
  expect(replies).toContainEqual(
    expect.objectContaining({
      id: 2,
      result: expect.objectContaining({ structuredContent: expect.objectContaining({ success: true }) }),
    }),
  )
  expect(before - (await balance())).toBe(250_000n)
})

test('an older client without a wallet and without a key gets the price, pays nothing, and reads what to set', async () => {
  const client = await start([], {}, 'legacy')
  expect(await client.callTool(lead)).toMatchObject({
    isError: true,
    structuredContent: {
      code: 'PAYMENT_REQUIRED',
      x402Version: 2,
      message: expect.stringContaining('--key-file'),
    },
  })
  const scans = await client.callTool({ name: 'list_scans', arguments: {} })
  const told = expect.stringMatching(/^This tool needs an API key\. Set MCP_API_KEY /)
  expect(scans).toMatchObject({
    isError: true,
    structuredContent: { code: 'API_KEY_REQUIRED', message: told },
    content: [{ text: JSON.stringify(scans.structuredContent) }],
  })
  await client.close()
})

test('a wallet pays within its limits of a call and of a day, whatever runs at once and whoever has started before', async () => {
  const before = await balance()
  const client = await start([...paying(), '--max', '0.25', '--max-per-day', '0.60'])
  expect(await client.callTool({ name: 'generate_blog', arguments: { topic: 'Tea' } })).toMatchObject({
    isError: true,
    structuredContent: {
      code: 'NOT_PAID',
      message: expect.stringContaining('0.25 USDC is the limit of a call'),
    },
  })
  const results = await Promise.all([1, 2, 3, 4].map(() => client.callTool(lead)))
  const bought = results.filter(({ isError }) => !isError)
  expect(bought.length).toBeLessThanOrEqual(2)
  await client.close()
  const again = await start([...paying(), '--max', '0.25', '--max-per-day', '0.60'])
  while (bought.length < 2) bought.push(await again.callTool(lead))
  for (const { structuredContent, _meta } of bought) {
    expect(structuredContent).toMatchObject({ success: true, lead: { company: 'Acme' } })
    expect(_meta).toMatchObject({ 'x402/payment-response': { success: true } })
  }
  expect(await again.callTool(lead)).toMatchObject({
    isError: true,
    structuredContent: { message: expect.stringContaining('exceeds the limit of 0.60 USDC a day') },
  })
  expect(before - (await balance())).toBe(500_000n)
  await again.close()
})

test('a gateway that does not answer is named, and the runner goes on', async () => {
  const client = await start(['--url', 'http://127.0.0.1:9'])
  await expect(client.listTools()).rejects.toThrow('http://127.0.0.1:9/.well-known/mcp does not answer')
  await expect(client.listTools()).rejects.toThrow('does not answer')
  await client.close()
})
