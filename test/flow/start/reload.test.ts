import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import request, { type Response } from 'supertest'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { formatUsdc } from '../../../src/core/money.ts'
import { reloadSchema } from '../../../src/edge/handlers/operator/replies.ts'
import { devPayers, devPayTo, devSettler } from '../../../src/platform/chain/dev-accounts.ts'
import { freePort } from '../../../src/platform/chain/local/port.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { receivedPayments } from '../../support/chain/received-payments.ts'
import { type SignedPayment, signPayment, v2Header } from '../../support/chain/wallet.ts'
import { operatorToken, startGateway, type TestGateway } from '../../support/gateways/gateway.ts'
import { openWorkplace, projectRoot, type Workplace } from '../../support/gateways/process.ts'
import { type Model, startModel } from '../../support/servers/model.ts'

/**
 * Prices that change while a gateway runs: the ways to reload them, what callers get, and what the chain
 * shows.
 */

const path = '/api/leads/research'
const lead = { companyName: 'Acme Dental' }
const payers = devPayers.slice(0, 4).map(({ privateKey }) => privateKeyToAccount(privateKey))
const [payer = privateKeyToAccount(devPayers[0].privateKey)] = payers

let workplace: Workplace
let chain: TestChain
let model: Model
let gateway: TestGateway
let file: string

beforeAll(async () => {
  workplace = await openWorkplace()
  chain = await startTestChain()
  model = await startModel()
})
beforeEach(async () => {
  file = join(workplace.folder, 'catalog.yaml')
  await write(await priceList(250_000n))
  gateway = await startGateway(chain.rpcUrl, {
    ...model.settings,
    CATALOG_FILE: file,
    DATA_DIR: join(workplace.folder, 'data'),
    // Payments for a former price are refused, and all payers have one address.
    MAX_REFUSED_PAYMENTS: '100000',
  })
})
afterEach(async () => {
  model.answer = 'research'
  model.release()
  await gateway.close()
})
afterAll(async () => {
  await model.close()
  await chain.close()
  await workplace.close()
})

/**
 * The tests' catalog with this price for lead research.
 * @param price in atomic units; undefined leaves the operation out.
 */
async function priceList(price: bigint | undefined, settle = 'after'): Promise<string> {
  const catalog = parseDocument(await readFile(join(projectRoot, 'test/fixtures/catalog.yaml'), 'utf8'))
  const entry = ['operations', 'researchLead']
  if (price === undefined) catalog.deleteIn(entry)
  else {
    catalog.setIn([...entry, 'price'], formatUsdc(price))
    catalog.setIn([...entry, 'settle'], settle)
  }
  return String(catalog)
}

async function write(text: string): Promise<void> {
  await writeFile(`${file}.new`, text)
  await rename(`${file}.new`, file)
}

const reload = (token = operatorToken) =>
  request(gateway.url).post('/operator/catalog/reload').set('authorization', `Bearer ${token}`)

async function setPrice(price: bigint | undefined, settle?: string): Promise<void> {
  await write(await priceList(price, settle))
  expect((await reload()).status).toBe(200)
}

/** Takes lead research off sale: only keys may call it. */
async function setKeyOnly(): Promise<void> {
  const catalog = parseDocument(await priceList(250_000n))
  const entry = ['operations', 'researchLead']
  for (const key of ['price', 'settle', 'validity_seconds']) catalog.deleteIn([...entry, key])
  catalog.setIn([...entry, 'access'], 'key')
  await write(String(catalog))
  expect((await reload()).status).toBe(200)
}

const ask = () => request(gateway.url).post(path).send(lead)
const pay = (payment: SignedPayment) =>
  request(gateway.url).post(path).set('PAYMENT-SIGNATURE', v2Header(payment)).send(lead)
const priceAsked = ({ body }: Response): unknown => body.details?.price

/** The amounts received from now on, by nonce. */
async function watchIncome() {
  const from = await chain.client.getBlockNumber()
  return async () =>
    new Map(
      (await receivedPayments(chain.client, devPayTo.address, from)).map(({ nonce, value }) => [
        nonce,
        value,
      ]),
    )
}

describe('a changed catalog is taken into use', () => {
  const changed = 310_000n
  const askedNow = async () => priceAsked(await ask())

  test('by POST /operator/catalog/reload, which says whether it changed anything', async () => {
    let price = changed
    const changeAndReload = async () => {
      price += 10_000n
      await write(await priceList(price))
      const { status, body } = await reload()
      return { status, ...reloadSchema.parse(body) }
    }
    // The gateway looks at the file, too, and may have read the change before.
    await expect.poll(changeAndReload).toEqual({ status: 200, changed: true })
    expect(await askedNow()).toBe(formatUsdc(price))
    expect((await reload()).body).toEqual({ changed: false })
  })

  test('by a request of the operator only', async () => {
    const refused = await Promise.all([
      reload('an-unknown-token'),
      request(gateway.url).post('/operator/catalog/reload'),
    ])
    expect(refused.map(({ status }) => status)).toEqual([401, 401])
  })

  test('by polling the file', async () => {
    await write(await priceList(changed))
    const message = 'the changed file was not read'
    await expect.poll(askedNow, { message }).toBe('0.31')
  })

  test('by tollgate pricing reload, in words and in JSON', async () => {
    const settings = { OPERATOR_TOKEN: operatorToken }
    const command = ['pricing', 'reload', '--url', gateway.url]
    await write(await priceList(changed))
    // The poll may have found the change before the command started.
    const printed = await workplace.run('cli', { args: command, settings })
    expect(printed).toMatchObject({ code: 0, stderr: '' })
    expect(printed.stdout).toMatch(/^the (changed catalog is in use|catalog has not changed)\n$/)
    expect(await askedNow()).toBe('0.31')

    const json = await workplace.run('cli', { args: [...command, '--json'], settings })
    expect(json).toMatchObject({ code: 0, stdout: '{"changed":false}\n' })

    await write('provider: 5\n')
    const refused = await workplace.run('cli', { args: [...command, '--json'], settings })
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('The catalog cannot be used, so the current one stays in use.')
    expect(refused.stderr).toContain('"line":1')
    expect(await askedNow()).toBe('0.31')
  })

  test('by SIGUSR2, which never ends the process, not even during its start', async () => {
    const port = String(await freePort())
    const program = workplace.start('main', {
      settings: {
        PORT: port,
        DATA_DIR: join(workplace.folder, 'signalled'),
        RPC_URL: chain.rpcUrl,
        PAY_TO: devPayTo.address,
        SETTLER_KEY: devSettler.privateKey,
        CATALOG_FILE: file,
      },
    })
    await program.shows(/^Opening the store/m)
    program.signal('SIGUSR2')
    await program.shows(/^tollgate listens/m)
    await program.shows(/the catalog has not changed/)

    await write(await priceList(changed))
    program.signal('SIGUSR2')
    await program.shows(/"operations":\["researchLead"\].*the catalog has changed/)
    const reply = await request(`http://127.0.0.1:${port}`).post(path).send(lead)
    expect(priceAsked(reply)).toBe('0.31')

    await write('provider: 5\n')
    program.signal('SIGUSR2')
    await program.shows(/"faults":\[\{"line":1,.*the current catalog stays in use/)
    program.signal('SIGTERM')
    expect(await program.ended).toMatchObject({ code: 0 })
  })
})

describe('a faulty catalog', () => {
  test('is refused with the line and reason of every fault, and the current catalog stays in use', async () => {
    const text = (await priceList(310_000n))
      .replace('"0.31"', '0.31')
      .replace('    access: open', '    access: opne')
    await write(text)
    const lineOf = (part: string) => text.slice(0, text.indexOf(part)).split('\n').length

    const refused = await reload()

    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({ error: 'conflict', code: 'CATALOG_FAULTY' })
    expect(refused.body.details.faults).toEqual([
      {
        line: lineOf('price: 0.31'),
        column: 12,
        path: 'operations.researchLead.price',
        message: 'must be in quotes: write "0.31"',
      },
      {
        line: lineOf('access: opne'),
        column: 13,
        path: 'operations.getHealth.access',
        message: expect.stringContaining('must be one of'),
      },
    ])
    expect(gateway.logged.join('')).toContain('must be in quotes: write \\"0.31\\"')
    expect(priceAsked(await ask())).toBe('0.25')
    expect((await pay(await signPayment(payer, 250_000n))).status).toBe(200)
  })

  test('is also one whose payments would expire before their settlement under this gateway’s settings', async () => {
    const slow = await startGateway(chain.rpcUrl, { CATALOG_FILE: file, SETTLEMENT_TIMEOUT_MS: '100000' })
    await write((await priceList(250_000n)).replaceAll('validity_seconds: 300', 'validity_seconds: 200'))
    const refused = await request(slow.url)
      .post('/operator/catalog/reload')
      .set('authorization', `Bearer ${operatorToken}`)
    await slow.close()
    expect(refused.status).toBe(409)
    expect(refused.body.details.faults).toEqual([
      {
        line: 1,
        column: 1,
        path: '',
        message: expect.stringMatching(/operations\.writeBlog: validity_seconds must be more than 220/),
      },
    ])
    // The same catalog suits a gateway with a shorter settlement timeout.
    expect((await reload()).status).toBe(200)
    expect(gateway.services.catalog.current().operations.writeBlog).toMatchObject({
      priced: { validitySeconds: 200 },
    })
  })
})

test('after a reload every document, the 402 and the payment door have the new price, and none the old one', async () => {
  const documents = async () => ({
    json: (await request(gateway.url).get('/pricing')).text,
    page: (await request(gateway.url).get('/pricing').set('accept', 'text/html')).text,
    markdown: (await request(gateway.url).get('/pricing.md')).text,
    wellKnown: (await request(gateway.url).get('/.well-known/pricing.md')).text,
    challenge: (await ask()).text,
  })
  for (const text of Object.values(await documents())) expect(text).toMatch(/\b0\.25\b/)
  await setPrice(310_000n)
  for (const text of Object.values(await documents())) {
    expect(text).toMatch(/\b0\.31\b/)
    expect(text).not.toMatch(/\b0\.25\b/)
  }
  expect((await ask()).headers['x-payment']).toContain('amount="310000"')
  expect((await pay(await signPayment(payer, 310_000n))).status).toBe(200)
})

test('an operation removed by a reload is gone from the routes and every document, and a reload brings it back', async () => {
  const named = async () => {
    const texts = await Promise.all(
      ['/pricing', '/pricing.md', '/api/health'].map((document) => request(gateway.url).get(document)),
    )
    return texts.map(({ text }) => text.includes(path))
  }
  await setPrice(undefined)
  expect((await ask()).status).toBe(404)
  expect((await pay(await signPayment(payer, 250_000n))).status).toBe(404)
  expect(await named()).toEqual([false, false, false])
  await setPrice(250_000n)
  expect((await ask()).status).toBe(402)
  expect((await pay(await signPayment(payer, 250_000n))).status).toBe(200)
  expect(await named()).toEqual([true, true, true])
})

test.each([
  ['raised', 310_000n, '0.31'],
  ['lowered', 120_000n, '0.12'],
])(
  'a payment for an older 402 after the price was %s is not charged and gets the new price',
  async (_how, price, written) => {
    const income = await watchIncome()
    const asked = model.asked
    expect(priceAsked(await ask())).toBe('0.25')
    const old = await signPayment(payer, 250_000n)
    await setPrice(price)

    const refused = await pay(old)

    expect(refused.status).toBe(402)
    expect(priceAsked(refused)).toBe(written)
    expect(refused.headers['x-payment']).toContain(`amount="${price}"`)
    expect(model.asked).toBe(asked)
    expect(await income()).toEqual(new Map())
    const fresh = await signPayment(payer, price)
    expect((await pay(fresh)).status).toBe(200)
    expect(await income()).toEqual(new Map([[fresh.authorization.nonce, price]]))
  },
)

describe('a payment from before the price changed', () => {
  test('is served and settled at its signed price, if its call is still running', async () => {
    const income = await watchIncome()
    const asked = model.asked
    const payment = await signPayment(payer, 250_000n)
    model.hold()
    const reply = pay(payment).then((answered) => answered)
    await expect.poll(() => model.asked, { message: 'the model was not asked' }).toBe(asked + 1)
    await setPrice(310_000n)
    model.release()
    expect((await reply).status).toBe(200)
    expect(await income()).toEqual(new Map([[payment.authorization.nonce, 250_000n]]))
  })

  test('gets its lost reply again, byte for byte and without a second charge', async () => {
    const payment = await signPayment(payer, 250_000n)
    const first = await pay(payment)
    const asked = model.asked
    const income = await watchIncome()
    await setPrice(310_000n)
    const again = await pay(payment)
    expect([first.status, again.status]).toEqual([200, 200])
    expect(again.text).toBe(first.text)
    expect(again.headers['payment-response']).toBe(first.headers['payment-response'])
    expect(model.asked).toBe(asked)
    expect(await income()).toEqual(new Map())
  })

  test('is served without a second charge, if it was taken first and its call failed', async () => {
    await setPrice(250_000n, 'before')
    const income = await watchIncome()
    const payment = await signPayment(payer, 250_000n)
    model.answer = 'error'
    expect((await pay(payment)).body).toMatchObject({ code: 'PAID_NOT_SERVED' })
    model.answer = 'research'
    await setPrice(310_000n, 'before')
    expect((await pay(payment)).status).toBe(200)
    expect(await income()).toEqual(new Map([[payment.authorization.nonce, 250_000n]]))
  })

  test.each([
    ['removed', () => setPrice(undefined)],
    ['only for keys', () => setKeyOnly()],
  ])('gets its lost reply again, or what it is owed, when the operation is %s', async (_how, change) => {
    const stored = await signPayment(payer, 250_000n)
    const first = await pay(stored)
    expect(first.status).toBe(200)
    await setPrice(250_000n, 'before')
    const owed = await signPayment(payer, 250_000n)
    model.answer = 'error'
    expect((await pay(owed)).body).toMatchObject({ code: 'PAID_NOT_SERVED' })
    model.answer = 'research'
    const income = await watchIncome()
    await change()

    expect((await pay(stored)).text).toBe(first.text)
    expect((await pay(owed)).status).toBe(200)
    expect(await income()).toEqual(new Map())
    // Nothing is sold any more.
    expect([401, 404]).toContain((await pay(await signPayment(payer, 250_000n))).status)
    expect([401, 404]).toContain((await ask()).status)
    await setPrice(250_000n)
  })

  test('is refused and not charged, if its call failed', async () => {
    const income = await watchIncome()
    const payment = await signPayment(payer, 250_000n)
    model.answer = 'error'
    expect((await pay(payment)).status).toBe(502)
    model.answer = 'research'
    await setPrice(310_000n)
    expect((await pay(payment)).status).toBe(402)
    expect(await income()).toEqual(new Map())
  })
})

test('under load no call fails while the file is rewritten, valid and faulty: each call gets or is charged a price that was valid during it, and the chain shows the signed amounts', async () => {
  /** The prices, and when each may have been valid, by `performance.now()`. */
  const held: { readonly price: bigint; readonly from: number; until: number }[] = [
    { price: 250_000n, from: 0, until: Number.POSITIVE_INFINITY },
  ]
  const during = (since: number) => {
    const now = performance.now()
    return new Set(held.filter(({ from, until }) => from < now && until > since).map(({ price }) => price))
  }
  const counts = { asked: 0, served: 0, refused: 0 }
  const signed = new Map<string, bigint>()
  const faults: string[] = []
  const income = await watchIncome()
  let isOver = false

  async function probe(): Promise<void> {
    while (!isOver) {
      const since = performance.now()
      const reply = await ask()
      const prices = [...during(since)].map(formatUsdc)
      if (reply.status !== 402 || !prices.some((price) => price === priceAsked(reply))) {
        faults.push(`unpaid: ${reply.status} ${priceAsked(reply)}, not ${prices}`)
      }
      counts.asked += 1
    }
  }

  async function buy(account: typeof payer): Promise<void> {
    while (!isOver) {
      // Every other payment is signed for the previous price.
      const { price: amount } = held.at(counts.asked % 2 ? -1 : -2) ?? { price: 250_000n }
      const payment = await signPayment(account, amount)
      const since = performance.now()
      const reply = await pay(payment)
      const prices = during(since)
      const mayBeServed = prices.has(amount)
      const mustBeServed = mayBeServed && prices.size === 1
      const isRight =
        reply.status === 200
          ? mayBeServed
          : !mustBeServed &&
            reply.status === 402 &&
            [...prices].map(formatUsdc).some((price) => price === priceAsked(reply))
      if (!isRight) faults.push(`paid ${amount}: ${reply.status} ${reply.text}, at ${[...prices]}`)
      if (reply.status === 200) signed.set(payment.authorization.nonce, amount)
      counts[reply.status === 200 ? 'served' : 'refused'] += 1
    }
  }

  const callers = [probe(), probe(), ...payers.map(buy)]
  for (let round = 1; round <= 12; round += 1) {
    const price = 250_000n + BigInt(round) * 10_000n
    const text = await priceList(price)
    const last = held.at(-1)
    held.push({ price, from: performance.now(), until: Number.POSITIVE_INFINITY })
    await write(text)
    expect((await reload()).status).toBe(200)
    if (last) last.until = performance.now()

    await write(text.slice(0, text.indexOf('description', 900)))
    expect((await reload()).status).toBe(409)
    // In place, as some editors write.
    await writeFile(file, text)
    expect((await reload()).status).toBe(200)
    const { asked, served } = counts
    await expect
      .poll(() => counts.asked > asked + 4 && counts.served > served + 2, {
        message: 'calls stopped being answered after a reload',
      })
      .toBe(true)
  }
  isOver = true
  await Promise.all(callers)

  expect(faults).toEqual([])
  expect(counts.served).toBeGreaterThan(24)
  expect(counts.refused).toBeGreaterThan(5)
  expect(await income()).toEqual(signed)
})
