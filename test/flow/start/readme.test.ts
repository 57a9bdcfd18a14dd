import { execFile, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, extname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { devPayers } from '../../../src/platform/chain/dev-accounts.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { decode } from '../../support/chain/wallet.ts'
import { operatorToken, startGateway, type TestGateway } from '../../support/gateways/gateway.ts'
import { projectRoot } from '../../support/gateways/process.ts'

/** Runs the commands of README.md as a reader types them. */

const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8')
const blocks = blocksOf(readme)
/** The line that names the gateway's address, the only one that a reader with another port changes. */
const urlLine = 'export URL=http://127.0.0.1:8402'

function blocksOf(text: string): string[] {
  return [...text.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, block = '']) => block)
}

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
  // As a gateway with a local chain writes it.
  const content = { url: gateway.url, rpcUrl: chain.rpcUrl, token: operatorToken }
  await writeFile(join(home, 'operator.json'), JSON.stringify(content))
})
afterAll(async () => {
  await gateway.close()
  await chain.close()
  await rm(home, { recursive: true })
})

/** The one block that contains this and not that. */
function blockWith(part: string, absent?: string, among: readonly string[] = blocks): string {
  const found = among.filter((text) => text.includes(part) && !(absent && text.includes(absent)))
  expect(found).toHaveLength(1)
  return found[0] ?? ''
}

/** A shell's text as a reader types it who has the gateway on another port: the line with URL first. */
function typed(block: string): string {
  const line = blockWith(urlLine).trim()
  return `${line.replace('http://127.0.0.1:8402', gateway.url)}\n${block.replaceAll(urlLine, '')}`
}

const run = promisify(execFile)
const options = {
  cwd: projectRoot,
  env: { ...process.env, PATH: `${join(projectRoot, 'node_modules/.bin')}:${process.env.PATH}` },
}

/** Types a block on the gateway's machine, where programs in `folder` come first. */
function typeWith(block: string, folder: string) {
  const env = { ...options.env, PATH: `${folder}:${options.env.PATH}`, DATA_DIR: home }
  return run('sh', ['-c', typed(block).replaceAll('pricing/catalog.yaml', catalogFile)], { ...options, env })
}

test('the first code block has the demo command and the test command, and no other', () => {
  const commands = (blocks[0] ?? '').trimEnd().split('\n')
  expect(commands.map((line) => line.replace(/ +#.*$/, ''))).toEqual([
    'npm install && npm run demo',
    'npm install && npm test',
  ])
})

/** Every page of documentation, by its path. */
const readmes = [
  'README.md',
  ...['pricing', 'src', 'test'].flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter(
        (path) => extname(path) === '.md' && !path.includes('node_modules') && !path.includes('fixtures'),
      )
      .map((path) => join(folder, path)),
  ),
]

test('a reader with another port changes one line: no other command names the port', () => {
  const lines = readmes.flatMap((path) =>
    blocksOf(readFileSync(join(projectRoot, path), 'utf8'))
      .flatMap((block) => block.split('\n'))
      .filter((line) => line.includes('8402') && line !== urlLine)
      .map((line) => `${path}: ${line}`),
  )
  expect(lines).toEqual([])
  expect(blocks.filter((block) => block.includes(urlLine))).toHaveLength(1)
})

test('README.md has at most 220 lines', () => {
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(220)
})

test('every link of a README leads to a file of this repository', () => {
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

test('a production install and the container run the gateway with the settings and flags of npm start', () => {
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))
  const compose = readFileSync(join(projectRoot, 'docker-compose.yml'), 'utf8')
  const memory = /ENV (MALLOC_.*)/.exec(compose)?.[1]
  const command = JSON.parse(/CMD (\[.*\])/.exec(compose)?.[1] ?? '[]').join(' ')

  // `exec` replaces npm's shell, which would keep SIGTERM from the gateway.
  expect(scripts['start:production']).toMatch(/^exec env MALLOC_.* node .*src\/main\.ts$/)
  // That flag shortens the start of the embedded store, which production does not use.
  expect(scripts['start:production']).toBe(scripts.start.replace(' --liftoff-only', ''))
  expect(blockWith('npm install --omit=dev')).toContain('&& npm run start:production\n')
  expect(`exec env ${memory} ${command}`).toBe(scripts['start:production'])
})

test('the JavaScript example runs as it stands and prints a paid answer with its receipt', async () => {
  const program = blockWith('wrapFetchWithPayment', 'OpenAI')

  const env = { ...options.env, URL: gateway.url }
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { ...options, env })

  expect(stdout).toMatch(/success: true/)
  expect(stdout).toMatch(/businessName: 'Bright Smile Dental'/)
  expect(decode(/(\S+)\n$/.exec(stdout)?.[1])).toMatchObject({ success: true, network: 'eip155:84532' })
})

test('the payment command prints the answer, and what wallet and recipient have before and after', async () => {
  const { stdout, stderr } = await typeWith(blockWith('tollgate -- pay', '/api/keys'), home)

  const [, answer = '', balance = ''] = /^(\{.*^\})\n(.*)$/ms.exec(stdout) ?? []
  expect(JSON.parse(answer)).toMatchObject({
    success: true,
    analysis: { businessName: 'Bright Smile Dental' },
  })
  const [, left = ''] = /^ {2}wallet .* (\d+\.\d+)$/m.exec(stderr) ?? []
  expect(stderr).toMatch(/^ {2}USDC of +before +after$/m)
  expect(balance).toMatch(/^wallet +0x3C44\w+ \(a test wallet\)$/m)
  expect(/^USDC +(.*)$/m.exec(balance)?.[1]).toBe(left)
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

  test('a key opens the call it covers, and can read what was used', async () => {
    const { stdout } = await type(blockWith('tollgate -- keys create'))

    const [analysis = '', usage = ''] = stdout.trim().split('\n')
    expect(JSON.parse(analysis)).toMatchObject({ analysis: { businessName: 'Bright Smile Dental' } })
    expect(JSON.parse(usage)).toMatchObject({
      tier: 'starter',
      label: 'a try',
      operations: [{ operation: 'analyzeBusiness', day: { used: 1 } }, { operation: 'researchLead' }],
    })
  })

  test('a key and the access token made with it can read their usage, as the page on keys shows', async () => {
    const page = blocksOf(readFileSync(join(projectRoot, 'src/doors/keys/README.md'), 'utf8'))
    const { stdout } = await type(
      `${blockWith('keys create', undefined, page)}${blockWith('oauth/token', undefined, page)}`,
    )

    const used = stdout.trim().split('\n')
    expect(used).toHaveLength(2)
    for (const usage of used) expect(JSON.parse(usage)).toMatchObject({ tier: 'starter', label: 'a try' })
  })
})

test('a wallet buys a key that works as an API key', async () => {
  const { stdout } = await run('sh', ['-c', typed(blockWith('/api/keys --body'))], options)

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
