import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { signIn } from '../../../src/client/sign-in.ts'
import { formatUsdc } from '../../../src/core/money.ts'
import { tokenAbi } from '../../../src/doors/x402/evidence/token.ts'
import { devPayers, devPayTo } from '../../../src/platform/chain/dev-accounts.ts'
import { freePort } from '../../../src/platform/chain/local/port.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { decode, encode, signPayment, v2Header } from '../../support/chain/wallet.ts'
import { writeCatalog } from '../../support/gateways/catalog.ts'
import { startGateway, type TestGateway } from '../../support/gateways/gateway.ts'
import { type Ended, openWorkplace, projectRoot, type Workplace } from '../../support/gateways/process.ts'

const paidSchema = z.looseObject({ paymentId: z.string() })

/** `tollgate pay` and `tollgate sign` as a user types them, against a gateway in this process. */

let chain: TestChain
let gateway: TestGateway
let workplace: Workplace
let analyze: string
const outputs: string[] = []

const [, customer] = devPayers
/** Has the form of a key, but lies above the order of the curve. */
const impossibleKey = `0x${'ff'.repeat(32)}`

beforeAll(async () => {
  workplace = await openWorkplace()
  chain = await startTestChain()
  const catalog = await writeCatalog(workplace.folder, {
    writeBlog: { access: 'optional', free: '5/day' },
    researchLead: { replay: 'payer' },
  })
  gateway = await startGateway(chain.rpcUrl, { CATALOG_FILE: catalog })
  analyze = `${gateway.url}/api/analyze`
})

afterAll(async () => {
  await workplace.close()
  await gateway.close()
  await chain.close()
})

async function tollgate(...args: string[]): Promise<Ended> {
  const ended = await workplace.run('cli', { args })
  outputs.push(ended.stdout, ended.stderr)
  return ended
}

async function file(name: string, content: string): Promise<string> {
  const path = join(workplace.folder, name)
  await writeFile(path, content)
  return path
}

const received = () =>
  chain.client.readContract({
    address: networks['base-sepolia'].usdc.address,
    abi: tokenAbi,
    functionName: 'balanceOf',
    args: [devPayTo.address],
  })

const body = '{"businessName":"Bright Smile Dental"}'

describe('tollgate pay', () => {
  test('pays from the wallet whose key is in --key-file', async () => {
    const keyFile = await file('key', `${customer.privateKey}\n`)

    const paid = await tollgate('pay', analyze, '--body', body, '--key-file', keyFile, '--json')

    expect(paid).toMatchObject({ code: 0, stderr: '' })
    const { paymentId, ...result } = paidSchema.parse(JSON.parse(paid.stdout))
    expect(result).toMatchObject({ status: 200, receipt: { payer: customer.address } })
    const shown = await (await fetch(`${gateway.url}/payments/${paymentId}`)).json()
    expect(shown).toMatchObject({ paymentId, state: expect.stringMatching(/^(settled|final)$/) })
  })

  test('prints the id of the payment, below the status', async () => {
    const paid = await tollgate('pay', analyze, '--body', body)
    expect(paid.stderr).toMatch(/^← 200, paid in transaction 0x\w{64}\n {2}payment 0x[0-9a-f]{64}$/m)
  })

  describe('with the payment of an earlier call whose reply goes to its payer only', () => {
    const lead = '{"companyName":"Acme Dental"}'
    const post = (payment: string) =>
      fetch(`${gateway.url}/api/leads/research`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'payment-signature': payment },
        body: lead,
      })
    /** Pays like a client that names no purchase. */
    async function payNameless() {
      const payment = v2Header(await signPayment(privateKeyToAccount(customer.privateKey), 250_000n))
      const reply = await (await post(payment)).text()
      expect((await post(payment)).status).toBe(409)
      return { payment, reply }
    }
    const args = (payment: string) => [
      `${gateway.url}/api/leads/research`,
      '--body',
      lead,
      '--payment',
      payment,
    ]

    test('signs in with the wallet and prints the lost reply, without a second charge', async () => {
      const { payment, reply } = await payNameless()
      const before = await received()
      const again = await tollgate('pay', ...args(payment), '--key', customer.privateKey, '--json')
      expect(JSON.parse(again.stdout)).toMatchObject({ status: 200, body: JSON.parse(reply) })
      expect(await received()).toBe(before)
    })

    test('gets nothing for another wallet, such as the test wallet, and is told which wallet has paid', async () => {
      const { payment } = await payNameless()
      const refused = await tollgate('pay', ...args(payment))
      expect(refused.code).toBe(1)
      expect(refused.stderr).toContain(`The payment is of ${customer.address}, and the wallet here is 0x`)
      expect(refused.stderr).toContain('--key-file')
      expect(JSON.parse(refused.stdout)).toMatchObject({ code: 'PAYMENT_REPLAYED' })
    })

    test('signs in to no other server than the one that was called', async () => {
      const challenge = {
        domain: 'bank.example',
        uri: `https://bank.example/payments/0x${'12'.repeat(32)}`,
        version: '1',
        chainId: 'eip155:84532',
        type: 'eip191',
        nonce: 'abcdefgh12345678',
        issuedAt: new Date().toISOString(),
      }
      const result = { status: 409, body: JSON.stringify({ details: { sign_in: challenge } }) }
      const wallet = privateKeyToAccount(customer.privateKey)
      const asked = signIn(result, 'https://shop.example/api', () => wallet)
      await expect(asked).rejects.toThrow('The server at shop.example asks to sign in to bank.example.')
      expect(await signIn(result, 'https://bank.example/api', () => wallet)).toMatch(/^[A-Za-z0-9+/]+=*$/)
    })
  })

  test('shows with --rpc what wallet and recipient have before and after, on standard error', async () => {
    const before = await received()

    const paid = await tollgate('pay', analyze, '--body', body, '--rpc', chain.rpcUrl)

    expect(paid.code).toBe(0)
    expect(JSON.parse(paid.stdout)).toMatchObject({ success: true })
    const [, income] = paid.stderr.trimEnd().split('\n').slice(-2)
    expect(income?.split(/ +/)).toEqual([
      '',
      'recipient',
      devPayTo.address,
      formatUsdc(before),
      formatUsdc(before + 100_000n),
    ])
  })

  test('pays and says why when the chain for the balances does not answer, and never shows its path', async () => {
    const dead = `http://127.0.0.1:${await freePort()}/secret-path`

    const paid = await tollgate('pay', analyze, '--body', body, '--scheme', 'exact', '--rpc', dead)

    expect(paid.code).toBe(0)
    expect(JSON.parse(paid.stdout)).toMatchObject({ success: true })
    expect(paid.stderr).toMatch(
      /The balances cannot be shown\. The chain at 127\.0\.0\.1:\d+ does not answer/,
    )
    expect(paid.stderr).not.toContain('secret-path')
  })

  test('refuses a price above --max before it signs anything', async () => {
    const before = await received()

    const refused = await tollgate('pay', analyze, '--body', body, '--max', '0.09')

    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(lastLine(refused)).toBe(
      'The call costs 0.10 USDC, more than the 0.09 allowed (--max). Nothing was signed.',
    )
    expect(await received()).toBe(before)
  })

  test("sends a faulty body unchanged, prints the gateway's 400, exits with 1, and is not charged", async () => {
    const before = await received()

    const malformed = await tollgate('pay', analyze, '--body', '{"businessName":')
    const incomplete = await tollgate('pay', analyze, '--body', '{}', '--json')

    expect(malformed.code).toBe(1)
    expect(JSON.parse(malformed.stdout)).toMatchObject({ code: 'MALFORMED_JSON' })
    expect(lastLine(malformed)).toBe('← 400')
    expect(incomplete.code).toBe(1)
    expect(JSON.parse(incomplete.stdout)).toMatchObject({
      status: 400,
      receipt: null,
      body: { code: 'VALIDATION_ERROR' },
    })
    expect(await received()).toBe(before)
  })

  test('prints why a wallet without money cannot pay, and exits with 1', async () => {
    const refused = await tollgate('pay', analyze, '--body', body, '--key', `0x${'21'.repeat(32)}`)

    expect(refused.code).toBe(1)
    expect(JSON.parse(refused.stdout)).toMatchObject({ details: { reason: 'insufficient_funds' } })
    expect(lastLine(refused)).toBe('← 402')
  })

  test('prints the reply of a free endpoint, JSON or not, without paying', async () => {
    const json = await tollgate('pay', `${gateway.url}/health`, '--method', 'get')
    const text = await tollgate('pay', `${gateway.url}/pricing.md`, '--method', 'GET')
    const wrapped = await tollgate('pay', `${gateway.url}/pricing.md`, '--method', 'GET', '--json')

    expect([json.code, text.code, wrapped.code]).toEqual([0, 0, 0])
    expect(JSON.parse(json.stdout)).toMatchObject({ status: 'ok' })
    const markdown = await (await fetch(`${gateway.url}/pricing.md`)).text()
    expect(text.stdout).toBe(`${markdown}\n`)
    expect(JSON.parse(wrapped.stdout)).toEqual({
      status: 200,
      receipt: null,
      textEngine: null,
      body: markdown,
    })
  })

  test('writes a binary reply to standard output unchanged, and as base64 with --json', async () => {
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7) % 256))
    const server = createServer((_req, res) => {
      res.writeHead(200, { 'content-type': 'application/octet-stream' }).end(bytes)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = z.object({ port: z.number() }).parse(server.address())
    const address = `http://127.0.0.1:${port}/`
    const file = join(workplace.folder, 'answer.bin')

    await promisify(execFile)(
      'sh',
      ['-c', `"$0" src/cli/cli.ts pay ${address} --method GET > "$1"`, process.execPath, file],
      {
        cwd: projectRoot,
      },
    )
    const wrapped = await tollgate('pay', address, '--method', 'GET', '--json')
    server.close()

    expect((await readFile(file)).equals(bytes)).toBe(true)
    expect(JSON.parse(wrapped.stdout)).toMatchObject({ status: 200, bodyBase64: bytes.toString('base64') })
  })

  test('prints the error for a path that does not exist, and exits with 1', async () => {
    const missing = await tollgate('pay', `${gateway.url}/api/nothing`)

    expect(missing.code).toBe(1)
    expect(JSON.parse(missing.stdout)).toMatchObject({ code: 'NOT_FOUND' })
  })

  test.each<[string, () => Promise<string[]> | string[], RegExp]>([
    [
      'no server listens',
      async () => [`http://localhost:${await freePort()}/api/analyze`],
      /^http:\/\/localhost\S+ does not answer: .*connect ECONNREFUSED.* Is the gateway running/,
    ],
    [
      'the host does not exist',
      () => ['http://nowhere.invalid/api/analyze'],
      /^http:\/\/nowhere\.invalid\S+ does not answer: /,
    ],
    ['the address has no scheme', () => ['127.0.0.1:8402/api/analyze'], /is not an http\(s\) address\.$/],
    ['the address has no host', () => ['http://'], /is not an http\(s\) address\.$/],
    [
      'the method cannot have a body',
      () => [analyze, '--method', 'GET', '--body', body],
      /^This request cannot be sent: .*GET/,
    ],
    ['the method is not a token', () => [analyze, '--method', 'PO ST'], /^This request cannot be sent: /],
    [
      '--max is not an amount',
      () => [analyze, '--max', '1e3'],
      /'1e3' is invalid\. It must be an amount of USDC/,
    ],
    ['--key is too short', () => [analyze, '--key', '0x1234'], /^That is not a private key/],
    [
      '--key is above the order of the curve',
      () => [analyze, '--key', impossibleKey],
      /^That is not a private key/,
    ],
    [
      '--key-file is missing',
      () => [analyze, '--key-file', '/nowhere/key'],
      /^The key file cannot be read: ENOENT.*\/nowhere\/key/,
    ],
    [
      '--key-file holds no key',
      async () => [analyze, '--key-file', await file('no-key', 'swordfish\n')],
      /^That is not a private key/,
    ],
    [
      '--key and --key-file are both given',
      () => [analyze, '--key', customer.privateKey, '--key-file', 'key'],
      /'-k, --key <hex>' cannot be used with option '--key-file <file>'/,
    ],
  ])('when %s, pay says so in one line without a stack, and exits with 1', async (_label, args, message) => {
    const refused = await tollgate('pay', ...(await args()))

    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).not.toMatch(/^\s+at /m)
    expect(lastLine(refused)).toMatch(message)
  })

  test('pays from the test wallet only on this machine and only on the test network', async () => {
    const header = (await fetch(analyze, { method: 'POST' })).headers.get('payment-required')
    const onBase = JSON.stringify(decode(header)).replaceAll('eip155:84532', 'eip155:8453')
    const server = await serve((_paid, respond) => respond(402, encode(JSON.parse(onBase))))

    for (const url of [`${server.url}/api/analyze`, analyze.replace('127.0.0.1', '0.0.0.0')]) {
      const refused = await tollgate('pay', url, '--body', body)
      expect(refused).toMatchObject({ code: 1, stdout: '' })
      expect(lastLine(refused)).toBe('Say which wallet pays: --key-file FILE or --key 0x…')
    }
    expect(server.payments).toEqual([])
    await server.close()
  })

  test.each([
    ['a header that is not JSON', 'bm90IGpzb24=', /cannot be read/],
    ['no payment requirements', encode({ x402Version: 2, accepts: [] }), /cannot be read/],
    ['no header', undefined, /not in the form of x402 v2/],
  ])('rejects a 402 with %s in one line, and signs nothing', async (_label, required, message) => {
    const server = await serve((_paid, respond) => respond(402, required))

    const refused = await tollgate('pay', `${server.url}/api/analyze`)

    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).not.toMatch(/^\s+at /m)
    expect(lastLine(refused)).toMatch(message)
    expect(server.payments).toEqual([])
    await server.close()
  })

  test.each(['connection', 'server'])(
    'prints the payment when the %s fails after it was sent, and repeating the call with it charges once',
    async (failing) => {
      const required = (await fetch(analyze, { method: 'POST' })).headers.get('payment-required') ?? ''
      const server = await serve((paid, respond) => {
        if (!paid) respond(402, required)
        else if (failing === 'server') respond(503, undefined)
        else respond('hang up', undefined)
      })

      const lost = await tollgate('pay', `${server.url}/api/analyze`, '--body', body)

      expect(lost.code).toBe(1)
      expect(lost.stderr).not.toMatch(/^\s+at /m)
      const payment = /^X-Payment-Signature: (\S+)$/m.exec(lost.stderr)?.[1] ?? ''
      expect(server.payments).toEqual([payment])
      const before = await received()
      for (let attempt = 0; attempt < 2; attempt++) {
        const headers = { 'x-payment-signature': payment, 'content-type': 'application/json' }
        expect((await fetch(analyze, { method: 'POST', headers, body })).status).toBe(200)
      }
      expect((await received()) - before).toBe(100_000n)
      await server.close()
    },
  )
})

describe('tollgate balance', () => {
  test('shows USDC and ETH of an address or a key, on the chain of --rpc or RPC_URL', async () => {
    const keyFile = await file('wallet', customer.privateKey)
    const options = ['--rpc', chain.rpcUrl, '--json']

    const byAddress = await tollgate('balance', devPayTo.address, ...options)
    const byKey = await tollgate('balance', '--key-file', keyFile, ...options)
    const byEnvironment = await workplace.run('cli', {
      args: ['balance', devPayTo.address],
      settings: { RPC_URL: chain.rpcUrl },
    })

    const usdc = formatUsdc(await received())
    expect(JSON.parse(byAddress.stdout)).toEqual({
      address: devPayTo.address,
      network: 'base-sepolia',
      chainId: 84532,
      isLocal: false,
      usdc,
      eth: expect.stringMatching(/^\d+(\.\d+)?$/),
    })
    expect(JSON.parse(byKey.stdout)).toMatchObject({ address: customer.address })
    const byFile = await tollgate(
      'balance',
      devPayTo.address,
      '--env-file',
      await file('settings', `RPC_URL=${chain.rpcUrl}`),
    )
    expect(byFile.stdout).toBe(byEnvironment.stdout)
    expect(byEnvironment.stdout).toMatch(new RegExp(`^USDC +${usdc.replace('.', '\\.')}$`, 'm'))
  })

  test.each([
    ['no chain', () => [], 'Which chain? Start a gateway with npm start, or name one: --rpc URL'],
    ['no wallet', () => ['--rpc', chain.rpcUrl], 'Whose balance? Name an address'],
    ['an address that is none', () => ['0x12', '--rpc', chain.rpcUrl], 'That is not an address'],
    [
      'an address and a key',
      () => [devPayTo.address, '--key', customer.privateKey, '--rpc', chain.rpcUrl],
      'Name the wallet once',
    ],
    [
      'an RPC address that is none',
      () => [devPayTo.address, '--rpc', 'nowhere'],
      'is not an http(s) address',
    ],
    ['a server that is no chain', () => [devPayTo.address, '--rpc', gateway.url], 'does not answer'],
  ])('says what is wrong when it gets %s', async (_what, args, problem) => {
    const refused = await tollgate('balance', ...args())

    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(lastLine(refused)).toContain(problem)
  })
})

describe('tollgate sign', () => {
  test('prints a header value that pays the call it was signed for', async () => {
    const signed = await tollgate('sign', analyze, '--key', customer.privateKey)

    expect(signed).toMatchObject({ code: 0, stderr: '' })
    expect(signed.stdout).toMatch(/^[A-Za-z0-9+/]+={0,2}\n$/)
    const headers = { 'x-payment-signature': signed.stdout.trim(), 'content-type': 'application/json' }
    const paid = await fetch(analyze, { method: 'POST', headers, body })
    expect(paid.status).toBe(200)
    expect(decode(paid.headers.get('payment-response'))).toMatchObject({ payer: customer.address })
  })

  test('signs the price of a call that has a free quota, without using a unit of it', async () => {
    const url = `${gateway.url}/api/content/blog`
    const signed = await tollgate('sign', url, '--json')
    expect(JSON.parse(signed.stdout)).toMatchObject({ price: '1.00' })
    const reply = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"topic":"no-shows"}',
    })
    expect([reply.status, reply.headers.get('x-ratelimit-remaining')]).toEqual([200, '4'])
  })

  test('with --json also prints the price and the payment requirements', async () => {
    const { stdout, stderr } = await tollgate('sign', analyze, '--json')

    expect(stderr).toBe('')
    const { header, price, requirement, idempotencyKey } = z
      .strictObject({
        header: z.string(),
        price: z.string(),
        requirement: z.object({ payTo: z.string() }),
        idempotencyKey: z.string(),
      })
      .parse(JSON.parse(stdout))
    const identifier = { 'payment-identifier': { info: { id: idempotencyKey } } }
    expect(decode(header)).toMatchObject({ accepted: requirement, extensions: identifier })
    expect({ price, payTo: requirement.payTo }).toEqual({ price: '0.10', payTo: devPayTo.address })
  })

  test('puts the name of the purchase into the payment: two payments of one name are charged once', async () => {
    const name = 'order-4711-of-the-customer'
    const before = await received()
    for (let time = 0; time < 2; time += 1) {
      const { stdout } = await tollgate('sign', analyze, '--idempotency-key', name)
      const headers = { 'payment-signature': stdout.trim(), 'content-type': 'application/json' }
      expect((await fetch(analyze, { method: 'POST', headers, body })).status).toBe(200)
    }
    expect((await received()) - before).toBe(100_000n)
    const refused = await tollgate('sign', analyze, '--idempotency-key', 'too short')
    expect(lastLine(refused)).toContain('It must be 16 to 128 letters')
  })

  test.each<[string, () => string[], string]>([
    [
      'the endpoint is free',
      () => [`${gateway.url}/health`, '-X', 'GET'],
      'The endpoint answered 200 without asking for a payment.',
    ],
    [
      'the endpoint is read with GET, and says how to',
      () => [`${gateway.url}/health`],
      'The endpoint answered 405 without asking for a payment. The endpoint is called with GET: add -X GET.',
    ],
    [
      'the price is above --max',
      () => [analyze, '--max', '0.01'],
      'The call costs 0.10 USDC, more than the 0.01 allowed (--max). Nothing was signed.',
    ],
  ])('signs nothing when %s', async (_label, args, message) => {
    expect(await tollgate('sign', ...args())).toMatchObject({ code: 1, stdout: '', stderr: `${message}\n` })
  })
})

test.each(['tollgate', 'tollgate pay', 'tollgate sign'])(
  '%s --help fits 80 columns and describes every option',
  async (command) => {
    const { code, stdout, stderr } = await tollgate(...command.split(' ').slice(1), '--help')

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(`Usage: ${command} `)
    const lines = stdout.split('\n')
    expect(lines.filter((line) => line.length > 80)).toEqual([])
    expect(lines.filter((line) => /^ +-.*--\S+( <\S+>)?$/.test(line))).toEqual([])
  },
)

test('no command above has printed a private key', () => {
  const printed = outputs.join('\n').toLowerCase()

  expect(printed).toContain(customer.address.toLowerCase())
  for (const key of [customer.privateKey, devPayers[0].privateKey, impossibleKey, `0x${'21'.repeat(32)}`]) {
    expect(printed).not.toContain(key.slice(2))
    expect(printed).not.toContain(BigInt(key).toString())
  }
  expect(printed).not.toContain('swordfish')
})

function lastLine({ stderr }: Ended): string | undefined {
  return stderr.trimEnd().split('\n').at(-1)
}

/** Starts a server that is not a gateway: `answer` decides status and PAYMENT-REQUIRED, or hangs up. */
async function serve(
  answer: (
    paid: boolean,
    respond: (status: number | 'hang up', required: string | undefined) => void,
  ) => void,
) {
  const payments: string[] = []
  const server = createServer((req, res) => {
    const payment = req.headers['payment-signature']
    if (typeof payment === 'string') payments.push(payment)
    answer(payment !== undefined, (status, required) => {
      if (status === 'hang up') res.destroy()
      else res.writeHead(status, required === undefined ? {} : { 'payment-required': required }).end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return {
    url: `http://127.0.0.1:${port}`,
    payments,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
