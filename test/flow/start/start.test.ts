import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { formatUsdc, parseUsdc } from '../../../src/core/money.ts'
import { tokenAbi } from '../../../src/doors/x402/evidence/token.ts'
import { devPayers, devPayTo, devSettler } from '../../../src/platform/chain/dev-accounts.ts'
import { createDevClient } from '../../../src/platform/chain/local/place-contracts.ts'
import { freePort } from '../../../src/platform/chain/local/port.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import { signPayment, v2Header } from '../../support/chain/wallet.ts'
import {
  type Ended,
  openWorkplace,
  type Running,
  type StartOptions,
  type Workplace,
} from '../../support/gateways/process.ts'
import { startModel } from '../../support/servers/model.ts'

/**
 * The gateway as `npm start` runs it: a process that has only its ports and its folder configured. A first
 * start takes seconds, so all but one of these gateways run in the same folder, one after the other.
 */

type Settings = Awaited<ReturnType<typeof freeSettings>>

let workplace: Workplace
let settings: Settings
let first: { readonly ended: Ended; readonly left: readonly number[] }
const gateways: Running[] = []

beforeAll(async () => {
  workplace = await openWorkplace()
  settings = await freeSettings('first')
  // With an empty cache: nothing is compiled yet.
  first = { ended: await stop(await serve({ CACHE_DIR: '' })), left: await chains() }
})

afterEach(async () => {
  for (const gateway of gateways.splice(0)) await stop(gateway)
})

afterAll(() => workplace.close())

/** Settings for a data folder with this name and free ports. */
async function freeSettings(name: string) {
  return {
    DATA_DIR: join(workplace.folder, name),
    PORT: String(await freePort()),
    DEV_CHAIN_PORT: String(await freePort()),
  }
}

/** Starts a gateway that serves until the end of the test. */
async function serve(more: Readonly<Record<string, string>> = {}, options: StartOptions = {}) {
  const gateway = workplace.start('main', { ...options, settings: { ...settings, ...more } })
  gateways.push(gateway)
  await gateway.shows(/^Try:/m)
  return gateway
}

function stop(gateway: Running): Promise<Ended> {
  gateway.signal('SIGTERM')
  return gateway.ended
}

const url = () => `http://127.0.0.1:${settings.PORT}`
const chains = ({ DATA_DIR } = settings) => workplace.processes(DATA_DIR)

const payer = privateKeyToAccount(devPayers[1].privateKey)

async function sign(): Promise<string> {
  return v2Header(await signPayment(payer, 250_000n))
}

async function buy(payment: string) {
  const response = await fetch(`${url()}/api/leads/research`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-payment-signature': payment },
    body: '{"companyName":"Northwind Logistics"}',
  })
  return {
    status: response.status,
    receipt: response.headers.get('payment-response'),
    body: await response.text(),
  }
}

async function health(): Promise<unknown> {
  return (await fetch(`${url()}/health`)).json()
}

/** The operator's balance on the chain of a running gateway. */
function received(): Promise<bigint> {
  return createDevClient(`http://127.0.0.1:${settings.DEV_CHAIN_PORT}`).readContract({
    address: networks['base-sepolia'].usdc.address,
    abi: tokenAbi,
    functionName: 'balanceOf',
    args: [devPayTo.address],
  })
}

test('a first start prints its steps, its address and two commands to try', () => {
  expect(first.ended.stdout.split('\n')).toEqual([
    `Opening the store in ${settings.DATA_DIR}`,
    'Starting the local chain',
    'Compiling the test USDC (first start only)',
    'Minting 10,000 test USDC to each of the ten test accounts',
    `tollgate listens on ${url()}`,
    `Payments on base-sepolia go to ${devPayTo.address}`,
    expect.stringMatching(
      `^Settled by local from ${devSettler.address}, with 9999\\.\\d+ ETH for [\\d,]+ payments$`,
    ),
    `Prices: ${url()}/pricing`,
    `Try:    npm run -s tollgate -- pay ${url()}/api/analyze --body '{"businessName":"Bright Smile Dental"}'`,
    'Or:     npm run -s tollgate -- scan example.com',
    '',
  ])
})

test('SIGTERM ends the gateway with exit code 0, and its chain with it', () => {
  expect(first.ended).toMatchObject({ code: 0, signal: null })
  expect(first.left).toEqual([])
})

describe('while one gateway serves', () => {
  let gateway: Running
  beforeAll(async () => {
    gateway = workplace.start('main', { settings })
    await gateway.shows(/^Try:/m)
  })
  afterAll(() => stop(gateway))

  test('the printed command pays: only the reply is on standard output, the steps are on standard error', async () => {
    const [, toPay = '', body = ''] = /tollgate -- pay (\S+) --body '(.+)'$/m.exec(gateway.stdout) ?? []

    const paid = await workplace.run('cli', { args: ['pay', toPay, '--body', body], settings })
    const json = await workplace.run('cli', { args: ['pay', toPay, '--body', body, '--json'] })

    expect(paid.code).toBe(0)
    expect(JSON.parse(paid.stdout)).toMatchObject({
      success: true,
      analysis: { businessName: 'Bright Smile Dental' },
    })
    expect(paid.stderr.split('\n')).toEqual([
      `→ POST ${toPay} without a payment`,
      `← 402: 0.10 USDC on eip155:84532, to ${devPayTo.address}`,
      `→ the same request, with a payment signed by ${devPayers[0].address}`,
      expect.stringMatching(/run the same command with$/),
      expect.stringMatching(/^ {2}--idempotency-key [0-9a-f-]{36}$/),
      expect.stringMatching(/^← 200, paid in transaction 0x[0-9a-f]{64}$/),
      expect.stringMatching(/^ {2}payment 0x[0-9a-f]{64}$/),
      expect.stringMatching(/^ {2}USDC of +before +after$/),
      expect.stringMatching(new RegExp(`^  wallet     ${devPayers[0].address}  10000.00   9999.90$`)),
      expect.stringMatching(new RegExp(`^  recipient  ${devPayTo.address}  10000.00  10000.10$`)),
      '',
    ])
    expect(json).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(json.stdout)).toMatchObject({
      status: 200,
      receipt: { success: true, network: 'eip155:84532', payer: devPayers[0].address },
      textEngine: 'local',
      body: { success: true },
    })
  })

  test('balance finds the local chain, and shows what the test wallet and the recipient hold', async () => {
    const { DATA_DIR } = settings
    const balance = async (...args: string[]) =>
      JSON.parse(
        (await workplace.run('cli', { args: ['balance', '--json', ...args], settings: { DATA_DIR } })).stdout,
      )

    const wallet = await balance()
    const recipient = await balance(devPayTo.address)

    expect(wallet).toMatchObject({
      address: devPayers[0].address,
      network: 'base-sepolia',
      isLocal: true,
      eth: '10000',
    })
    expect(recipient.usdc).toBe(formatUsdc(await received()))
    expect(parseUsdc(wallet.usdc) + parseUsdc(recipient.usdc)).toBe(parseUsdc('20000'))
  })

  test('a second gateway on the same folder is refused with one message, and the first one still serves', async () => {
    const said = await refusal({ ...(await freeSettings('unused')), DATA_DIR: settings.DATA_DIR })

    expect(said).toContain(`Another gateway uses the data folder ${settings.DATA_DIR}. Stop it, or`)
    expect(await health()).toMatchObject({ status: 'ok' })
  })
})

test('after Ctrl-C and a new start an earlier payment gets its stored reply, no money moves, and nothing is compiled or minted again', async () => {
  const gateway = await serve({}, { leadsGroup: true })
  const signed = await workplace.run('cli', { args: ['sign', `${url()}/api/leads/research`] })
  const bought = await buy(signed.stdout.trim())
  const income = await received()

  // The terminal signals the whole process group, and npm signals the gateway again.
  gateway.signal('SIGINT')
  await gateway.shows(/"stopping"/)
  gateway.signal('SIGINT')
  const ended = await gateway.ended
  const left = await chains()
  const again = await serve()

  expect(ended).toMatchObject({ code: 0, signal: null })
  const log = ended.stderr.trimEnd().split('\n').map(logLine)
  expect(log.filter(({ msg }) => msg === 'stopping')).toHaveLength(1)
  expect(log.filter(({ level }) => level > 30)).toEqual([])
  expect(left).toEqual([])
  expect(again.stdout).not.toMatch(/Compiling|Minting/)
  expect(bought.status).toBe(200)
  expect(await buy(signed.stdout.trim())).toEqual(bought)
  expect(await received()).toBe(income)
})

test('a gateway that was killed and started again adopts its local chain, and ends the chain with itself', async () => {
  const gateway = await serve()
  const payment = await sign()
  const bought = await buy(payment)
  gateway.signal('SIGKILL')
  await gateway.ended
  const left = await chains()

  const again = await serve()

  expect(again.stdout).toContain(`Continuing with the local chain on port ${settings.DEV_CHAIN_PORT}`)
  expect(left).toHaveLength(1)
  expect(await chains()).toEqual(left)
  expect(bought.status).toBe(200)
  expect(await buy(payment)).toEqual(bought)
  expect((await buy(await sign())).status).toBe(200)
  expect(await stop(again)).toMatchObject({ code: 0 })
  expect(await chains()).toEqual([])
})

test('when the local chain dies, paid calls get a 503, health says why, and a new start recovers', async () => {
  const gateway = await serve()
  const payment = await sign()
  for (const pid of await chains()) process.kill(pid, 'SIGKILL')
  await gateway.shows(/the local chain has ended/)

  const message = 'paid calls did not get a 503 after the chain had died'
  await expect.poll(async () => (await buy(payment)).status, { message }).toBe(503)
  await expect.poll(health).toMatchObject({
    status: 'degraded',
    components: { store: { status: 'healthy' }, chain: { status: 'down' }, payments: { status: 'down' } },
  })

  expect(await stop(gateway)).toMatchObject({ code: 0 })
  await serve()
  expect((await buy(payment)).status).toBe(200)
})

test('a gateway that stops during a paid call finishes the call, and then closes its idle connection', async () => {
  const model = await startModel()
  const gateway = await serve(model.settings)
  const payment = await sign()
  model.delayMs = 1_500
  const answer = buy(payment)
  await expect.poll(() => model.asked, { message: 'the model was not asked' }).toBe(1)

  gateway.signal('SIGTERM')

  expect(await answer).toMatchObject({ status: 200, receipt: expect.any(String) })
  // The test's connection is still open and idle.
  let hasEnded = false
  void gateway.ended.then(() => {
    hasEnded = true
  })
  const message = 'the gateway did not end: it waits for an idle connection'
  await expect.poll(() => hasEnded, { message }).toBe(true)
  expect(await gateway.ended).toMatchObject({ code: 0 })
  await model.close()
})

test('a gateway that is told to stop serves until its delay is over, while /ready is 503 and replies end their connections; a later signal ends the delay', async () => {
  const gateway = await serve({ SHUTDOWN_DELAY_MS: '600000' })
  const ready = () => fetch(`${url()}/ready`)
  const before = await ready()
  expect([before.status, before.headers.get('connection'), await before.json()]).toEqual([
    200,
    'keep-alive',
    { status: 'ready', reasons: [] },
  ])

  gateway.signal('SIGTERM')

  await gateway.shows(/until the shutdown delay is over/)
  const reply = await ready()
  expect([reply.status, reply.headers.get('connection'), await reply.json()]).toEqual([
    503,
    'close',
    { status: 'not_ready', reasons: [{ component: 'gateway', reason: 'the gateway is stopping' }] },
  ])
  expect((await buy(await sign())).status).toBe(200)

  let hasEnded = false
  void gateway.ended.then(() => {
    hasEnded = true
  })
  const signalAgain = () => {
    gateway.signal('SIGTERM')
    return hasEnded
  }
  const message = 'the gateway did not end: a second signal did not end the delay'
  await expect.poll(signalAgain, { interval: 200, message }).toBe(true)
  expect(await gateway.ended).toMatchObject({ code: 0 })
})

test('Ctrl-C during a first start ends the gateway with exit code 0, without an error and without a chain left running', async () => {
  const early = { ...(await freeSettings('early')), CACHE_DIR: '' }
  const gateway = workplace.start('main', { settings: early, leadsGroup: true })
  await gateway.shows(/^Compiling/m)
  await expect.poll(() => chains(early), { message: 'no local chain was started' }).not.toEqual([])

  gateway.signal('SIGINT')

  const ended = await gateway.ended
  expect(ended.code).toBe(0)
  expect(ended.stderr).not.toMatch(/Error|cannot/)
  expect(await chains(early)).toEqual([])
})

test('SIGTERM during a start ends the gateway with exit code 0 and without a chain left running', async () => {
  const gateway = workplace.start('main', { settings })
  await gateway.shows(/^Starting/m)

  gateway.signal('SIGTERM')

  expect(await gateway.ended).toMatchObject({ code: 0, signal: null })
  expect(await chains()).toEqual([])
})

test.each([
  ['SIGTERM', 'to npm, which waits for the gateway', { leadsGroup: false, code: 0 }],
  ['SIGINT', 'to npm and the gateway, as Ctrl-C sends it', { leadsGroup: true, code: 0 }],
  ['SIGHUP', 'to npm, which passes it on to nothing', { leadsGroup: false, code: null }],
] as const)(
  '%s %s, ends the gateway of npm start and its chain',
  async (signal, _to, { leadsGroup, code }) => {
    const npm = workplace.start('npm start', { settings, leadsGroup })
    gateways.push(npm)
    await npm.shows(/^Try:/m)
    const serving = await chains()

    npm.signal(signal)

    // The output of npm ends when the last process that writes to it has ended.
    expect(await npm.ended).toMatchObject({ code, stderr: expect.stringContaining('"stopping"') })
    expect(serving).toHaveLength(1)
    expect(await chains()).toEqual([])
    await expect(health()).rejects.toThrow('fetch failed')
  },
)

test('a gateway whose log cannot be written, as on a full disk, serves and ends normally', async () => {
  const full = await open('/dev/full', 'w')
  const gateway = await serve({ TRUSTPROXY: '1' }, { stderr: full.fd })
  await full.close()

  // A warning of the start is shown outside of the log, too.
  expect(gateway.stdout).toContain('Warning: TRUSTPROXY is not a setting and has no effect')
  expect((await buy(await sign())).status).toBe(200)
  expect(await health()).toMatchObject({ status: 'ok' })

  expect(await stop(gateway)).toMatchObject({ code: 0 })
})

test.each([
  ['PORT', /^Cannot listen on 127\.0\.0\.1:(\d+)\..* Set PORT to a free port.*\n {2}\(listen EADDRINUSE/],
  [
    'OPERATOR_PORT',
    /^Cannot listen on 127\.0\.0\.1:(\d+)\..* Set OPERATOR_PORT to a free port, and OPERATOR_HOST.*\n {2}\(listen EADDRINUSE/,
  ],
  ['DEV_CHAIN_PORT', /^Port (\d+) is taken by another program.*set DEV_CHAIN_PORT to a free port\.$/],
] as const)(
  'when %s is used by another program, the start fails with the port and what to set, and leaves nothing running',
  async (name, message) => {
    const other = createServer((socket) => socket.on('error', () => {}).end('hello\n'))
    other.listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = z.object({ port: z.number() }).parse(other.address())

    const said = await refusal({ ...settings, [name]: String(port) })

    expect(message.exec(said)?.[1]).toBe(String(port))
    expect(await chains()).toEqual([])
    other.close()
    await once(other, 'close')
  },
)

test('production without settings names all missing settings in one message, and starts nothing', async () => {
  const untouched = await freeSettings('production')

  const said = await refusal({ ...untouched, NODE_ENV: 'production' })

  expect(said.split('\n').map((line) => /^ {2}- ([A-Z_]+)/.exec(line)?.[1])).toEqual([
    undefined,
    ...[
      'SETTLER_KEY',
      'NETWORK',
      'RPC_URL',
      'PAY_TO',
      'DATABASE_URL',
      'BASE_URL',
      'OPENAI_API_KEY',
      'SMTP_URL',
    ],
  ])
  expect(existsSync(untouched.DATA_DIR)).toBe(false)
})

test('faults of settings, folders, catalog and upstream secrets, and misspelt names, come in one message', async () => {
  const file = join(workplace.folder, 'faulty.yaml')
  await writeFile(
    file,
    `provider: { name: Acme, description: Sells., website: nowhere }
upstreams:
  llm:
    prefix: /llm
    targets: ["https://llm.example.com"]
    inject: { authorization: "Bearer \${UPSTREAM_LLM_KEY}" }
    tls: { ca_file: nowhere.pem }
operations: {}
`,
  )

  const said = await refusal({
    ...settings,
    PORT: 'http',
    OIDC_ISSUER: 'https://id.example.com',
    CATALOG_FILE: file,
    DATA_DIR: file,
    UPSTREAM_LMM_KEY: 'secret',
    TRUSTPROXY: '1',
  })

  expect(said.split('\n')).toEqual([
    'The configuration cannot be used:',
    '  - PORT: must be a whole number from 1 to 65535',
    expect.stringMatching(/^ {2}- OIDC_AUDIENCE: OIDC_ISSUER needs it/),
    `  - DATA_DIR: ${file} cannot be used: ${file} is not a folder`,
    expect.stringMatching(/^ {2}- \S+faulty\.yaml:1:\d+ provider\.website: /),
    expect.stringMatching(/UPSTREAM_LLM_KEY is not set.*\. UPSTREAM_LMM_KEY is set; did you mean/),
    expect.stringMatching(/upstreams\.llm: .*nowhere\.pem cannot be used/),
    '  - TRUSTPROXY is not a setting and has no effect; did you mean TRUST_PROXY?',
  ])
})

/**
 * Expects a start to fail with exit code 1 and without a stack.
 * @returns its message, without its log.
 */
async function refusal(refused: Readonly<Record<string, string>>): Promise<string> {
  const { code, stderr } = await workplace.run('main', { settings: refused })
  expect(code).toBe(1)
  expect(stderr).not.toMatch(/^\s+at /m)
  return stderr
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('{'))
    .join('\n')
}

function logLine(line: string) {
  return z.object({ level: z.number(), msg: z.string() }).parse(JSON.parse(line))
}
