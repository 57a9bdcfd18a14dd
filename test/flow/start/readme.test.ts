import { execFile, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { devPayers } from '../../../src/platform/chain/dev-accounts.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { decode } from '../../support/chain/wallet.ts'
import { operatorToken, startGateway, type TestGateway } from '../../support/gateways/gateway.ts'
import { projectRoot } from '../../support/gateways/process.ts'

/** Runs the commands of README.md as a reader types them. */

const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8')
const blocks = [...readme.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, text = '']) => text)
const address = 'http://127.0.0.1:8402'

let chain: TestChain
let gateway: TestGateway
/** The data folder of the gateway as its commands see it, and a catalog that may be changed. */
let home: string
let catalogFile: string

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'tollgate-readme-'))
  catalogFile = join(home, 'catalog.yaml')
  await copyFile(join(projectRoot, 'test/fixtures/catalog.yaml'), catalogFile)
  chain = await startTestChain()
  gateway = await startGateway(chain.rpcUrl, { CATALOG_FILE: catalogFile })
  await writeFile(join(home, 'operator.json'), JSON.stringify({ url: gateway.url, token: operatorToken }))
})
afterAll(async () => {
  await gateway.close()
  await chain.close()
  await rm(home, { recursive: true })
})

/** The one block that contains this and not that, with the address of the running gateway. */
function blockWith(part: string, absent?: string): string {
  const found = blocks.filter((text) => text.includes(part) && !(absent && text.includes(absent)))
  expect(found).toHaveLength(1)
  return (found[0] ?? '').replaceAll(address, gateway.url)
}

const run = promisify(execFile)
const options = {
  cwd: projectRoot,
  env: { ...process.env, PATH: `${join(projectRoot, 'node_modules/.bin')}:${process.env.PATH}` },
}

/** Types a block on the gateway's machine, where programs in `folder` come first. */
function typeWith(block: string, folder: string) {
  const env = { ...options.env, PATH: `${folder}:${options.env.PATH}`, DATA_DIR: home }
  return run('sh', ['-c', block.replaceAll('pricing/catalog.yaml', catalogFile)], { ...options, env })
}

test('the first code block has the demo command and the test command, and no other', () => {
  const commands = (blocks[0] ?? '').trimEnd().split('\n')
  expect(commands.map((line) => line.replace(/ +#.*$/, ''))).toEqual([
    'npm install && npm run demo',
    'npm install && npm test',
  ])
})

test('every link of a README leads to a file of this repository', () => {
  const inside = ['pricing', 'src', 'test'].flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => basename(path) === 'README.md')
      .map((path) => join(folder, path)),
  )
  const readmes = ['README.md', ...inside]
  const missing = readmes.flatMap((path) => {
    const links = [...readFileSync(join(projectRoot, path), 'utf8').matchAll(/\]\(([^)#\s:]+)(?:#[^)]*)?\)/g)]
    return links
      .map(([, target = '']) => join(dirname(path), target))
      .filter((target) => !existsSync(join(projectRoot, target)))
      .map((target) => `${path} links ${target}`)
  })
  expect(readmes.length).toBeGreaterThan(8)
  expect(missing).toEqual([])
})

test('a production install and the container run the gateway with the flags of npm start', () => {
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))
  const container = /CMD (\[.*\])/.exec(readFileSync(join(projectRoot, 'docker-compose.yml'), 'utf8'))?.[1]
  // That flag shortens the start of the embedded store, which production does not use.
  // `exec` replaces npm's shell, which would keep SIGTERM from the gateway.
  const command = scripts.start.replace('exec ', '').replace(' --liftoff-only', '')

  expect(command).toMatch(/^node .*src\/main\.ts$/)
  expect(blockWith('npm install --omit=dev')).toContain(`&& ${command}\n`)
  expect(JSON.parse(container ?? '[]').join(' ')).toBe(command)
})

test('the JavaScript example runs as it stands and prints a paid answer with its receipt', async () => {
  const program = blockWith('wrapFetchWithPayment', 'OpenAI')

  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], options)

  expect(stdout).toMatch(/success: true/)
  expect(stdout).toMatch(/businessName: 'Bright Smile Dental'/)
  expect(decode(/(\S+)\n$/.exec(stdout)?.[1])).toMatchObject({ success: true, network: 'eip155:84532' })
})

test('the payment command prints the answer', async () => {
  const { stdout } = await run('sh', ['-c', blockWith('tollgate -- pay', '/api/keys')], options)

  expect(JSON.parse(stdout)).toMatchObject({
    success: true,
    analysis: { businessName: 'Bright Smile Dental' },
  })
})

/** Takes the place of curl where it is not installed: sends the same, by fetch. */
const standIn = `#!/usr/bin/env node
const { parseArgs } = require('node:util')
const { values, positionals } = parseArgs({
  options: {
    include: { type: 'boolean', short: 'i' },
    silent: { type: 'boolean', short: 's' },
    user: { type: 'string', short: 'u' },
    header: { type: 'string', short: 'H', multiple: true },
    data: { type: 'string', short: 'd' },
  },
  allowPositionals: true,
})
const headers = new Headers((values.header ?? []).map((line) => line.split(': ')))
if (values.user) headers.set('authorization', 'Basic ' + btoa(values.user))
if (values.data && !headers.has('content-type')) headers.set('content-type', 'application/x-www-form-urlencoded')
const method = values.data ? 'POST' : 'GET'
fetch(positionals[0], { method, headers, body: values.data }).then(async (response) => {
  if (values.include) {
    console.log('HTTP/1.1', response.status)
    for (const [name, value] of response.headers) console.log(name + ': ' + value)
    console.log()
  }
  process.stdout.write(await response.text())
})
`

describe.each(isInstalled('curl') ? ['curl', 'fetch'] : ['fetch'])('sent by %s', (program) => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tollgate-readme-'))
    if (program === 'fetch') await writeFile(join(folder, 'curl'), standIn, { mode: 0o755 })
  })
  afterAll(() => rm(folder, { recursive: true }))

  const type = (block: string) => typeWith(block, folder)

  test('the request without a payment gets the price in the three places that are named', async () => {
    const { stdout } = await type(blockWith('curl -i', '$payment'))

    expect(stdout).toMatch(/^HTTP\/1\.1 402/)
    for (const place of [/^payment-required: \S/im, /^x-payment: \S/im, /"accepts":\[/])
      expect(stdout).toMatch(place)
  })

  test('the signed request is paid and answered with the receipt that is described', async () => {
    const { stdout } = await type(blockWith('X-Payment-Signature: $payment'))

    expect(stdout).toMatch(/^HTTP\/1\.1 200/)
    expect(stdout).toContain('"businessName":"Bright Smile Dental"')
    const receipt = decode(/^payment-response: (\S+)/im.exec(stdout)?.[1])
    expect(receipt).toMatchObject({ success: true, payer: devPayers[0].address, network: 'eip155:84532' })
    expect(receipt).toHaveProperty('transaction')
  })

  test('a key opens the call it covers, and the key and its access token can read what was used', async () => {
    const { stdout } = await type(blockWith('tollgate -- keys create'))

    const [analysis = '', ...used] = stdout.trim().split('\n')
    expect(JSON.parse(analysis)).toMatchObject({ analysis: { businessName: 'Bright Smile Dental' } })
    expect(used).toHaveLength(2)
    for (const usage of used)
      expect(JSON.parse(usage)).toMatchObject({
        tier: 'starter',
        label: 'a try',
        operations: [{ operation: 'analyzeBusiness', day: { used: 1 } }, { operation: 'researchLead' }],
      })
  })
})

test('a wallet pays for a call, and buys a key that works as an API key', async () => {
  const { stdout } = await run('sh', ['-c', blockWith('/api/keys --body')], options)

  expect(stdout).toMatch(/"company": "Bright Smile Dental"/)
  const [key = ''] = /tgk_\w{54}/.exec(stdout) ?? []
  const usage = await fetch(`${gateway.url}/api/keys/usage`, { headers: { 'x-mcp-api-key': key } })
  expect(await usage.json()).toMatchObject({ tier: 'starter', expiresAt: expect.any(Number) })
})

test('with the free quota two calls are served, the third gets a 429 with the wait and the price, and the wallet pays it', async () => {
  if (!isInstalled('curl')) await writeFile(join(home, 'curl'), standIn, { mode: 0o755 })

  const { stdout } = await typeWith(blockWith('for call in'), home)

  const answers = stdout.split(/^(?=HTTP)/m).slice(1)
  expect(answers.map((answer) => /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])).toEqual(['200', '200', '429'])
  expect(answers[0]).toMatch(/^x-ratelimit-remaining: 1/im)
  expect(answers[2]).toMatch(/^retry-after: \d+/im)
  expect(answers[2]).toMatch(/^payment-required: \S/im)
  const paid = await typeWith(blockWith('tollgate -- pay', '/api/keys'), home)
  expect(paid.stderr).toMatch(/← 429: 0\.10 USDC.*← 200, paid in transaction 0x/s)
})

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0
}
