import { execFile } from 'node:child_process'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import packageFile from '../../../package.json' with { type: 'json' }
import { startTestChain, type TestChain, temporaryFolder } from '../../support/chain/chain.ts'
import { startGateway, type TestGateway } from '../../support/gateways/gateway.ts'
import { projectRoot } from '../../support/gateways/process.ts'

/** The package as its users get it: packed, installed in an empty folder, run by the oldest Node that we name. */

const run = promisify(execFile)
const oldestNode = packageFile.engines.node.replace('>=', '')

let chain: TestChain
let gateway: TestGateway
let files: Awaited<ReturnType<typeof temporaryFolder>>
let node: string
let command: string
let keyFile: string

beforeAll(async () => {
  files = await temporaryFolder()
  const key = generatePrivateKey()
  keyFile = join(files.folder, 'key')
  await writeFile(keyFile, key, { mode: 0o600 })
  await Promise.all([
    install(),
    (async () => {
      chain = await startTestChain()
      gateway = await startGateway(chain.rpcUrl, { TEXT_ENGINE: 'local' })
      await chain.mint(privateKeyToAccount(key).address, 10_000_000n)
    })(),
  ])
}, 240_000)
afterAll(async () => {
  await gateway?.close()
  await chain?.close()
  await files?.remove()
})

/** Packs this project and installs it beside the oldest Node, as a user with npm alone does. */
async function install(): Promise<void> {
  const { folder } = files
  const app = join(folder, 'app')
  await mkdir(app)
  await run('npm', ['pack', '--pack-destination', folder, '--loglevel=error'], { cwd: projectRoot })
  const [archive] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'))
  if (archive === undefined) throw new Error('npm pack made no archive')
  const oldest = `node-${process.platform}-${process.arch}@${oldestNode}`
  await run('npm', [...npmInstall, join(folder, archive), oldest], { cwd: app })
  node = join(app, `node_modules/node-${process.platform}-${process.arch}/bin/node`)
  command = join(app, 'node_modules/tollgate', packageFile.bin.tollgate)
}

/** No script has to run for the command and the paying client. */
const npmInstall = [
  'install',
  '--omit=dev',
  '--ignore-scripts',
  '--prefer-offline',
  '--no-audit',
  '--no-fund',
  '--no-package-lock',
  '--loglevel=error',
]

const atApp = () => ({ cwd: join(files.folder, 'app'), env: { PATH: process.env.PATH, HOME: files.folder } })

test('the oldest Node that we name runs the command', async () => {
  expect((await run(node, ['--version'])).stdout.trim()).toMatch(`v${oldestNode}`)
  expect((await run(node, [command, '--version'], atApp())).stdout.trim()).toBe(packageFile.version)
})

test('tollgate mcp serves the tools of a gateway, and loads no database, no compiler and no model', async () => {
  // Names each module file that Node opens, on standard error.
  const loaded = join(files.folder, 'loaded.mjs')
  await writeFile(loaded, namesModules)
  const client = new Client({ name: 'desktop', version: '1.0.0' })
  const transport = new StdioClientTransport({
    command: node,
    args: ['--import', loaded, command, 'mcp', '--url', gateway.url],
    ...atApp(),
    env: { PATH: process.env.PATH ?? '', HOME: files.folder },
    stderr: 'pipe',
  })
  let printed = ''
  transport.stderr?.on('data', (chunk: Buffer) => {
    printed += chunk.toString()
  })
  await client.connect(transport)
  expect((await client.listTools()).tools).toHaveLength(15)
  expect(await client.callTool({ name: 'get_health', arguments: {} })).toMatchObject({
    structuredContent: { status: 'ok' },
  })
  await client.close()
  const packages = new Set(
    [...printed.matchAll(/node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\/(?!.*node_modules)/g)].map(
      ([, name]) => name,
    ),
  )
  expect(packages).toContain('@modelcontextprotocol/server')
  for (const heavy of ['pg', 'solc', 'openai', 'express', '@electric-sql/pglite', '@coinbase/cdp-sdk']) {
    expect(packages).not.toContain(heavy)
  }
})

const namesModules = `import { registerHooks } from 'node:module'
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    process.stderr.write(found.url + '\\n')
    return found
  },
})
`

test('tollgate pay buys a call', async () => {
  const { stdout, stderr } = await run(
    node,
    [
      command,
      'pay',
      `${gateway.url}/api/leads/research`,
      '--key-file',
      keyFile,
      '--max',
      '0.25',
      '--body',
      lead,
    ],
    atApp(),
  )
  expect({ stdout, stderr }).toMatchObject({ stdout: expect.stringContaining('Acme') })
})

const lead = '{"companyName":"Acme Dental"}'

test('a program imports the paying client, with its types, and pays', async () => {
  const { folder } = files
  const program = join(folder, 'app/buy.mts')
  await writeFile(program, buys)
  const compiler = [
    join(projectRoot, 'node_modules/typescript/bin/tsc'),
    ...['--strict', '--module', 'nodenext', '--target', 'es2024', '--skipLibCheck'],
    ...['--typeRoots', join(projectRoot, 'node_modules/@types'), '--types', 'node', program],
  ]
  const compiled = await run(process.execPath, compiler, atApp()).catch((error: unknown) => error)
  expect(compiled).toMatchObject({ stdout: '' })
  const { stdout } = await run(node, ['buy.mjs', `${gateway.url}/api/leads/research`, keyFile], atApp())
  expect(z.object({ status: z.number(), paid: z.boolean() }).parse(JSON.parse(stdout))).toEqual({
    status: 200,
    paid: true,
  })
})

const buys = `import { readFileSync } from 'node:fs'
import { privateKeyToAccount } from 'viem/accounts'
import { pay, sign } from 'tollgate/client/pay'
import { askPrice } from 'tollgate/client/quote'

const [, , url = '', keyFile = ''] = process.argv
const request = { url, method: 'POST', body: '${lead}' }
const asked = await askPrice(request)
if (asked.kind !== 'quote') throw new Error('no price')
const price: string = asked.quote.price
const account = privateKeyToAccount(readFileSync(keyFile, 'utf8') as \`0x\${string}\`)
const { status, receipt } = await pay(request, await sign(asked.quote, account, price))
console.log(JSON.stringify({ status, paid: receipt?.success === true }))
`
