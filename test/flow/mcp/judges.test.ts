import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support/chain/chain.ts'
import { installPackages } from '../../support/clients/install.ts'
import { newClient, newKey, openScanScene, type ScanScene } from '../../support/scans/scan-scene.ts'

/**
 * Programs of others judge the MCP server: the conformance suite of the protocol, and its Inspector. They are installed
 * in a folder of their own, once for all runs. Where the registry does not give them, they are left out with a notice.
 */
const conformance = await installed({ '@modelcontextprotocol/conformance': '0.2.0-alpha.12' })
const inspector = await installed({ '@modelcontextprotocol/inspector': '2.12.0' })

let scene: ScanScene
let url: string
let results: Awaited<ReturnType<typeof temporaryFolder>>

beforeAll(async () => {
  results = await temporaryFolder()
  scene = await openScanScene({ 'shop.example': 'small' })
  url = `${scene.gateway.url}/.well-known/mcp`
})
afterAll(async () => {
  await scene?.close()
  await results?.remove()
})

describe.skipIf(!conformance)('the conformance suite', () => {
  test.each(['2026-07-28', '2025-11-25'])(
    'finds what revision %s requires, but for what this server does not have',
    async (revision) => {
      const expected = fileURLToPath(
        new URL(`../../fixtures/mcp/expected-failures-${revision}.yml`, import.meta.url),
      )
      const flags = ['--requirements', revision, '--expected-failures', expected, '-o', results.folder]
      const { code, output } = await run(`${conformance}/conformance`, ['server', '--url', url, ...flags])
      expect([code, code === 0 ? '' : output.slice(output.indexOf('=== SUMMARY'))]).toEqual([0, ''])
    },
    60_000,
  )
})

describe.skipIf(!inspector)('the Inspector', () => {
  const inspect = (method: string, ...more: string[]) =>
    run(`${inspector}/mcp-inspector`, [
      ...['--cli', url, '--transport', 'http', '--format', 'json', '--method', method],
      ...more,
    ])

  test('lists the tools, and calls them with a key', async () => {
    const listed = await inspect('tools/list')
    expect([listed.code, JSON.parse(listed.output).result.tools.length]).toEqual([0, 12])
    const header = Object.entries(await newKey(scene.gateway)).flatMap((pair) => pair.join(': '))
    const called = await inspect('tools/call', '--tool-name', 'list_scans', '--header', ...header)
    expect([called.code, JSON.parse(called.output)]).toMatchObject([
      0,
      { result: { structuredContent: { scans: [], total: 0 } } },
    ])
  })

  test('shows a refusal as a tool error', async () => {
    const client = Object.entries(newClient()).map((pair) => pair.join(': '))
    const { code, output } = await inspect('tools/call', '--tool-name', 'list_scans', '--header', ...client)
    expect([code, output]).toEqual([5, expect.stringContaining('API_KEY_REQUIRED')])
  })
})

/** @returns the folder of its programs; undefined with a notice when it cannot be installed. */
async function installed(packages: Readonly<Record<string, string>>): Promise<string | undefined> {
  const found = await installPackages(packages)
  if (typeof found !== 'string') return join(found.folder, 'node_modules/.bin')
  process.stderr.write(
    `${Object.keys(packages).join()} is not installed, so it does not judge the MCP server\n`,
  )
  return undefined
}

function run(program: string, args: readonly string[]): Promise<{ code: unknown; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, output: error ? `${stdout}${stderr}` : stdout }),
    )
  })
}
