import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, open } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { devPayers, devPayTo } from '../../src/chain/dev-accounts.ts'
import { networks } from '../../src/chain/networks.ts'
import { createDevClient } from '../../src/chain/place-contracts.ts'
import { freePort } from '../../src/chain/port.ts'
import { tokenAbi } from '../../src/x402/token.ts'
import { type Model, startModel } from '../support/model.ts'
import {
  type Ended,
  openWorkplace,
  type Running,
  type StartOptions,
  type Workplace,
} from '../support/process.ts'
import { signPayment, v2Header } from '../support/wallet.ts'

/**
 * The gateway as `npm start` runs it: a process with nothing configured but ports and a folder. What a
 * first start takes 6 seconds for is done once; every test then has a copy of the folder it left.
 */

let workplace: Workplace
let first: {
  readonly running: Running
  readonly port: string
  readonly ended: Ended
  readonly strays: number
}
let model: Model

beforeAll(async () => {
  workplace = await openWorkplace()
  model = await startModel()
  const settings = await freeSettings('first')
  const running = workplace.start('main', { settings })
  await running.shows(/^Try:/m)
  running.signal('SIGTERM')
  const ended = await running.ended
  first = { running, port: settings.PORT, ended, strays: (await workplace.processes()).length }
})

const gateways: Running[] = []
afterEach(async () => {
  for (const gateway of gateways.splice(0)) {
    gateway.signal('SIGTERM')
    await gateway.ended
  }
})

afterAll(async () => {
  await workplace.close()
  await model.close()
})

/** Settings for a data folder of this name, on ports that nobody uses. */
async function freeSettings(name: string) {
  return {
    DATA_DIR: join(workplace.folder, name),
    PORT: String(await freePort()),
    DEV_CHAIN_PORT: String(await freePort()),
  }
}

/** Settings for a folder of its own that a first start has left. */
async function warmSettings(name: string) {
  const settings = await freeSettings(name)
  await cp(join(workplace.folder, 'first'), settings.DATA_DIR, { recursive: true })
  return settings
}

/** The gateway of those tests that leave it as it was. */
async function shared() {
  if (!common) {
    const settings = await warmSettings('common')
    const gateway = workplace.start('main', { settings })
    await gateway.shows(/^Try:/m)
    common = { settings, gateway }
  }
  return common
}
let common: { readonly settings: Settings; readonly gateway: Running } | undefined

type Settings = Awaited<ReturnType<typeof freeSettings>>

async function serve(settings: Settings & Record<string, string>, options: StartOptions = {}) {
  const gateway = workplace.start('main', { ...options, settings })
  gateways.push(gateway)
  await gateway.shows(/^Try:/m)
  return gateway
}

const urlOf = ({ PORT }: Settings) => `http://127.0.0.1:${PORT}`
const chainsOf = ({ DATA_DIR }: Settings) => workplace.processes(DATA_DIR)

const payer = privateKeyToAccount(devPayers[1].privateKey)

async function signed(): Promise<string> {
  return v2Header(await signPayment(payer, 250_000n))
}

async function buy(settings: Settings, payment: string) {
  const response = await fetch(`${urlOf(settings)}/api/leads/research`, {
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

async function health(settings: Settings): Promise<unknown> {
  return (await fetch(`${urlOf(settings)}/health`)).json()
}

/** What the operator has been paid on the chain of a running gateway. */
function received({ DEV_CHAIN_PORT }: Settings): Promise<bigint> {
  return createDevClient(`http://127.0.0.1:${DEV_CHAIN_PORT}`).readContract({
    address: networks['base-sepolia'].usdc.address,
    abi: tokenAbi,
    functionName: 'balanceOf',
    args: [devPayTo.address],
  })
}

test('a first start tells what it is doing, where it listens and one line to try', () => {
  const url = `http://127.0.0.1:${first.port}`
  expect(first.ended.stdout.split('\n')).toEqual([
    `Opening the books in ${join(workplace.folder, 'first')}`,
    'Starting the local chain',
    'Compiling the test USDC (first start only)',
    'Minting 10,000 test USDC to each of the ten test accounts',
    `tollgate listens on ${url}`,
    `Prices: ${url}/pricing`,
    `Try:    npm run -s tollgate -- pay ${url}/api/analyze --body '{"businessName":"Bright Smile Dental"}'`,
    '',
  ])
})

test('SIGTERM ends it with exit code 0, and its chain with it', () => {
  expect(first.ended).toMatchObject({ code: 0, signal: null })
  expect(first.strays).toBe(0)
})

test('the line to try pays: the answer is the only thing on standard output, the steps are on standard error', async () => {
  const { settings, gateway } = await shared()
  const line = /^Try: +npm run -s tollgate -- pay (\S+) --body '(.+)'$/m.exec(gateway.stdout)
  const [, url = '', toTry = ''] = line ?? []

  const paid = await workplace.run('cli', { args: ['pay', url, '--body', toTry] })

  expect(paid.code).toBe(0)
  expect(JSON.parse(paid.stdout)).toMatchObject({
    success: true,
    analysis: { businessName: 'Bright Smile Dental' },
  })
  expect(paid.stderr.split('\n')).toEqual([
    `→ POST ${url} without a payment`,
    `← 402: 0.10 USDC on eip155:84532, to ${devPayTo.address}`,
    `→ the same again, with a payment signed by ${devPayers[0].address}`,
    expect.stringMatching(/^← 200, paid in transaction 0x[0-9a-f]{64}$/),
    '',
  ])
  expect(await health(settings)).toMatchObject({ status: 'ok' })

  const json = await workplace.run('cli', { args: ['pay', url, '--body', toTry, '--json'] })

  expect(json).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(json.stdout)).toMatchObject({
    status: 200,
    receipt: { success: true, network: 'eip155:84532', payer: devPayers[0].address },
    textEngine: 'local',
    body: { success: true },
  })
})

test('after Ctrl-C and a new start a payment made before gets its stored reply, the money is where it was, and nothing is compiled or minted again', async () => {
  const settings = await warmSettings('restart')
  const gateway = await serve(settings, { leadsGroup: true })
  const sign = await workplace.run('cli', { args: ['sign', `${urlOf(settings)}/api/leads/research`] })
  const payment = sign.stdout.trim()
  const bought = await buy(settings, payment)
  const income = await received(settings)

  // The terminal sends it to the whole group, and npm sends it to us once more.
  gateway.signal('SIGINT')
  gateway.signal('SIGINT')
  const ended = await gateway.ended
  const left = await chainsOf(settings)
  const again = await serve(settings)

  expect(ended).toMatchObject({ code: 0, signal: null })
  const log = ended.stderr.trimEnd().split('\n').map(parseLine)
  expect(log.filter(({ msg }) => msg === 'stopping')).toHaveLength(1)
  expect(log.filter(({ level }) => level > 30)).toEqual([])
  expect(left).toEqual([])
  expect(again.stdout).not.toMatch(/Compiling|Minting/)
  expect(bought.status).toBe(200)
  expect(await buy(settings, payment)).toEqual(bought)
  expect(await received(settings)).toBe(income)
})

test('killed outright and started again, it goes on with the chain it left, and takes it along when it ends', async () => {
  const settings = await warmSettings('killed')
  const gateway = await serve(settings)
  const payment = await signed()
  const bought = await buy(settings, payment)
  gateway.signal('SIGKILL')
  await gateway.ended
  const left = await chainsOf(settings)

  const again = await serve(settings)

  expect(again.stdout).toContain(`Going on with the local chain on port ${settings.DEV_CHAIN_PORT}`)
  expect(await chainsOf(settings)).toEqual(left)
  expect(await buy(settings, payment)).toEqual(bought)
  expect((await buy(settings, await signed())).status).toBe(200)
  again.signal('SIGTERM')
  expect(await again.ended).toMatchObject({ code: 0 })
  expect(await chainsOf(settings)).toEqual([])
})

test('when the chain dies paid calls answer 503, health says why, the gateway stays, and a restart mends it', async () => {
  const settings = await warmSettings('chainless')
  const gateway = await serve(settings)
  const payment = await signed()
  for (const pid of await chainsOf(settings)) process.kill(pid, 'SIGKILL')
  await gateway.shows(/the local chain has ended/)

  await expect.poll(async () => (await buy(settings, payment)).status).toBe(503)
  expect(await health(settings)).toMatchObject({
    status: 'degraded',
    components: { store: { status: 'healthy' }, chain: { status: 'down' }, payments: { status: 'down' } },
  })
  gateway.signal('SIGTERM')
  expect(await gateway.ended).toMatchObject({ code: 0 })

  await serve(settings)

  expect((await buy(settings, payment)).status).toBe(200)
})

test('told to stop in the middle of a paid call it finishes the call first, and does not wait for more on that connection', async () => {
  const settings = await warmSettings('slow')
  const gateway = await serve({ ...settings, ...model.settings })
  const payment = await signed()
  model.delayMs = 1_500
  const asked = model.asked
  const answer = buy(settings, payment)
  await expect.poll(() => model.asked).toBe(asked + 1)

  gateway.signal('SIGTERM')

  expect(await answer).toMatchObject({ status: 200, receipt: expect.any(String) })
  // The connection is kept alive by us; waiting for it to be used again would take half a minute.
  expect(await gateway.ended).toMatchObject({ code: 0 })
})

test('Ctrl-C during a first start ends it with exit code 0, without a complaint and without a chain left', async () => {
  const settings = await freeSettings('early')
  const gateway = workplace.start('main', { settings, leadsGroup: true })
  await gateway.shows(/^Compiling/m)
  await expect.poll(() => chainsOf(settings)).not.toEqual([])

  gateway.signal('SIGINT')

  const ended = await gateway.ended
  expect(ended.code).toBe(0)
  expect(ended.stderr).not.toMatch(/Error|cannot/)
  expect(await chainsOf(settings)).toEqual([])
})

test('SIGTERM during a start ends it in good order', async () => {
  const settings = await warmSettings('early-too')
  const gateway = workplace.start('main', { settings })
  await gateway.shows(/^Starting/m)

  gateway.signal('SIGTERM')

  expect(await gateway.ended).toMatchObject({ code: 0, signal: null })
  expect(await chainsOf(settings)).toEqual([])
})

test('a log that cannot be written, as on a full disk, neither ends the gateway nor keeps it from ending', async () => {
  const settings = await warmSettings('full-disk')
  const full = await open('/dev/full', 'w')
  const gateway = await serve(settings, { stderr: full.fd })
  await full.close()

  await buy(settings, await signed())
  expect(await health(settings)).toMatchObject({ status: 'ok' })

  gateway.signal('SIGTERM')
  expect(await gateway.ended).toMatchObject({ code: 0 })
})

/** Expects a start to end with one message, no stack, exit code 1 and nothing left running. */
async function refusal(settings: Record<string, string>): Promise<string> {
  const { code, stderr } = await workplace.run('main', { settings })
  expect(code).toBe(1)
  const lines = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{"level":30,'))
  expect(lines.join('\n')).not.toMatch(/^\s+at /m)
  return lines.join('\n')
}

test('a second gateway on the same folder is refused in one sentence, and the first one serves on', async () => {
  const { settings } = await shared()

  const said = await refusal({ ...(await freeSettings('unused')), DATA_DIR: settings.DATA_DIR })

  expect(said).toContain(`runs on the data folder ${settings.DATA_DIR}. Stop it, or`)
  expect(await health(settings)).toMatchObject({ status: 'ok' })
})

test.each([
  ['PORT', /^Cannot listen on 127\.0\.0\.1:(\d+)\..* set PORT to another one\.\n {2}\(listen EADDRINUSE/],
  ['DEV_CHAIN_PORT', /^Port (\d+) is taken by another program.*set DEV_CHAIN_PORT to a free port\.$/],
] as const)(
  'when %s is taken by a stranger it says which port and what to set, and leaves nothing running',
  async (name, message) => {
    const stranger = createServer((socket) => socket.on('error', () => {}).end('hello\n')).listen(
      0,
      '127.0.0.1',
    )
    await once(stranger, 'listening')
    const { port } = z.object({ port: z.number() }).parse(stranger.address())
    const settings = await warmSettings(`taken-${name}`)

    const said = await refusal({ ...settings, [name]: String(port) })

    expect(message.exec(said)?.[1]).toBe(String(port))
    expect(await chainsOf(settings)).toEqual([])
    stranger.close()
    await once(stranger, 'close')
  },
)

test('production with nothing set names all that is missing at once, and starts nothing', async () => {
  const settings = await freeSettings('production')

  const said = await refusal({ ...settings, NODE_ENV: 'production' })

  expect(said.split('\n').map((line) => /^ {2}- ([A-Z_]+)/.exec(line)?.[1])).toEqual([
    undefined,
    ...['NETWORK', 'RPC_URL', 'PAY_TO', 'SETTLER_KEY', 'DATABASE_URL', 'BASE_URL', 'OPENAI_API_KEY'],
  ])
  expect(existsSync(settings.DATA_DIR)).toBe(false)
})

function parseLine(line: string) {
  return z.object({ level: z.number(), msg: z.string() }).parse(JSON.parse(line))
}
