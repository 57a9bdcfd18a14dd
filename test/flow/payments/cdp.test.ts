import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import request from 'supertest'
import { type Address, type Hex, isHex, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { provesTransfer } from '../../../src/doors/x402/evidence/authorization-state.ts'
import { tokenAbi } from '../../../src/doors/x402/evidence/token.ts'
import { devPayers, devPayTo } from '../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { decode, type SignedPayment, signPayment, v2Header } from '../../support/chain/wallet.ts'
import { startGateway, type TestGateway } from '../../support/gateways/gateway.ts'
import { type KeyKind, makeApiKey, startCdp, type TestCdp } from '../../support/servers/cdp.ts'
import { startFacilitator, type TestFacilitator } from '../../support/servers/facilitator.ts'
import { freshDatabase } from '../../support/stores/database.ts'

/** Payments through Coinbase: its facilitator, and a wallet whose key Coinbase keeps. */

let chain: TestChain
let facilitator: TestFacilitator
const network = networks['base-sepolia']
const payer = privateKeyToAccount(devPayers[0].privateKey)
const price = 100_000n
const path = '/api/analyze'

beforeAll(async () => {
  chain = await startTestChain()
  facilitator = await startFacilitator(chain.rpcUrl, `0x${'00'.repeat(32)}`)
})
afterAll(async () => {
  await facilitator.close()
  await chain.close()
})

const pay = (to: TestGateway, payment: SignedPayment) =>
  request(to.url)
    .post(path)
    .set('PAYMENT-SIGNATURE', v2Header(payment))
    .send({ businessName: 'Bright Smile Dental' })

const received = () =>
  chain.client.readContract({
    address: network.usdc.address,
    abi: tokenAbi,
    functionName: 'balanceOf',
    args: [devPayTo.address],
  })

const receiptSchema = z.object({
  success: z.literal(true),
  transaction: z.custom<Hex>((value) => isHex(value)),
})

/** The sender of the transaction in the reply's receipt, which must contain this payment's transfer. */
async function settlerOf(reply: request.Response, { authorization }: SignedPayment): Promise<Address> {
  expect(reply.status).toBe(200)
  const { transaction } = receiptSchema.parse(decode(reply.headers['payment-response']))
  const { logs, from } = await chain.client.getTransactionReceipt({ hash: transaction })
  expect(provesTransfer(logs, network.usdc.address, authorization)).toBe(true)
  return from
}

describe('the CDP facilitator', () => {
  test.each<KeyKind>(['Ed25519', 'EC in PKCS #8', 'EC in SEC 1'])(
    'the CDP facilitator accepts every request of a gateway with its API key (%s), each with its own token',
    async (kind) => {
      const cdp = await startCdp(facilitator.url, kind)
      const gateway = await startGateway(chain.rpcUrl, { ...cdp.settings, FACILITATOR_URL: 'cdp' })
      try {
        const before = await received()
        const payment = await signPayment(payer, price)
        const settler = await settlerOf(await pay(gateway, payment), payment)
        expect(settler).toBe(devPayers[6].address.toLowerCase())
        expect((await received()) - before).toBe(price)
        expect(cdp.turnedAway).toEqual([])
        expect(new Set(cdp.served)).toEqual(
          new Set([
            'GET /platform/v2/x402/supported',
            'POST /platform/v2/x402/verify',
            'POST /platform/v2/x402/settle',
          ]),
        )
      } finally {
        await gateway.close()
        await cdp.close()
      }
    },
  )

  test('the CDP facilitator refuses a gateway with another key, and the gateway asks for no payment', async () => {
    const cdp = await startCdp(facilitator.url)
    const { secret } = makeApiKey('Ed25519')
    const settings = { ...cdp.settings, CDP_API_KEY_SECRET: secret, FACILITATOR_URL: 'cdp' }
    const gateway = await startGateway(chain.rpcUrl, settings)
    try {
      const reply = await request(gateway.url).post(path).send({})
      expect([reply.status, reply.body.code]).toEqual([503, 'PAYMENTS_UNAVAILABLE'])
      expect(cdp.served).toEqual([])
      const logged = gateway.logged.join('\n')
      expect(logged).toContain('answers 401')
      expect(logged).not.toContain(secret)
      expect(logged).not.toContain('Bearer')
    } finally {
      await gateway.close()
      await cdp.close()
    }
  })
})

describe('a CDP server wallet', () => {
  const name = 'tollgate-gas'
  let cdp: TestCdp
  let gateway: TestGateway
  const start = (more: Readonly<Record<string, string>> = {}) =>
    startGateway(chain.rpcUrl, {
      ...cdp.settings,
      FACILITATOR_URL: 'local',
      FACILITATOR_TIMEOUT_MS: '1000',
      CDP_SETTLER_ACCOUNT: name,
      ...more,
    })
  const fund = (address: Address) => chain.client.setBalance({ address, value: parseEther('1') })
  const accountAddress = () =>
    z.custom<Address>((value) => isHex(value)).parse(cdp.accounts.get(name)?.address)
  const sentBy = (address: Address) => chain.client.getTransactionCount({ address })
  const endRest = ({ authorization }: SignedPayment) =>
    gateway.services.queries
      .updateTable('payments')
      .set({ leaseUntil: new Date(0) })
      .where('nonce', '=', authorization.nonce)
      .execute()

  beforeAll(async () => {
    cdp = await startCdp(facilitator.url)
    const account = privateKeyToAccount(generatePrivateKey())
    cdp.accounts.set(name, account)
    await fund(account.address)
    gateway = await start()
  })
  afterAll(async () => {
    await gateway.close()
    await cdp.close()
  })
  afterEach(() => {
    cdp.wallets = 'well'
  })

  test('a CDP server wallet signs the settlement of a payment, and its account sends it', async () => {
    const before = await received()
    const payment = await signPayment(payer, price)
    expect(await settlerOf(await pay(gateway, payment), payment)).toBe(accountAddress().toLowerCase())
    expect((await received()) - before).toBe(price)
    expect(cdp.turnedAway).toEqual([])
    expect(new Set(cdp.served)).toEqual(
      new Set([
        `GET /platform/v2/evm/accounts/by-name/${name}`,
        `POST /platform/v2/evm/accounts/${accountAddress()}/sign/transaction`,
      ]),
    )
    expect(gateway.logged.join('\n')).toContain(accountAddress())
  })

  test('two gateways with the same CDP server wallet settle in turn, and one goes on when the other one stops', async () => {
    const shared = { DATABASE_URL: await freshDatabase(), SETTLER_LEASE_MS: '1000' }
    const first = await start(shared)
    const second = await start(shared)
    try {
      const before = await sentBy(accountAddress())
      for (const seller of [first, second, first, second]) {
        const payment = await signPayment(payer, price)
        expect(await settlerOf(await pay(seller, payment), payment)).toBe(accountAddress().toLowerCase())
      }
      await first.close()
      const payment = await signPayment(payer, price)
      expect(await settlerOf(await pay(second, payment), payment)).toBe(accountAddress().toLowerCase())
      expect((await sentBy(accountAddress())) - before).toBe(5)
      const refusals = [first, second].map(({ logged }) =>
        logged.filter((line) => /could not be sent/.test(line)),
      )
      expect(refusals).toEqual([[], []])
    } finally {
      await first.close()
      await second.close()
    }
  })

  test('a CDP server wallet is created when there is none of that name, and payments are taken once it holds gas', async () => {
    const fresh = await startCdp(facilitator.url)
    const newcomer = await startGateway(chain.rpcUrl, {
      ...fresh.settings,
      FACILITATOR_URL: 'local',
      CDP_SETTLER_ACCOUNT: 'new-account',
    })
    try {
      const unpaid = () => request(newcomer.url).post(path).send({})
      expect((await unpaid()).body).toMatchObject({
        code: 'PAYMENTS_UNAVAILABLE',
        details: { reason: expect.stringContaining('out of gas') },
      })
      const { address } = z.object({ address: z.custom<Address>() }).parse(fresh.accounts.get('new-account'))
      await fund(address)
      await expect.poll(async () => (await unpaid()).status).toBe(402)
      const payment = await signPayment(payer, price)
      expect(await settlerOf(await pay(newcomer, payment), payment)).toBe(address.toLowerCase())
      expect(fresh.turnedAway).toEqual([])
    } finally {
      await newcomer.close()
      await fresh.close()
    }
  })

  test.each<TestCdp['wallets']>(['hang', 'answer 500'])(
    'while a CDP server wallet cannot be reached at the start (%s), no payment is taken',
    async (conduct) => {
      cdp.wallets = conduct
      const early = await start()
      try {
        const unpaid = () => request(early.url).post(path).send({})
        expect((await unpaid()).body).toMatchObject({ code: 'PAYMENTS_UNAVAILABLE' })
        cdp.wallets = 'well'
        await expect.poll(async () => (await unpaid()).status).toBe(402)
      } finally {
        await early.close()
      }
    },
  )

  test.each<TestCdp['wallets']>([
    'hang',
    'answer 500',
    'answer no JSON',
    'sign another transaction',
    'sign with another key',
  ])(
    'a CDP server wallet that does not sign correctly (%s) sends nothing, and the payment is settled once it does',
    async (conduct) => {
      cdp.wallets = conduct
      const before = { sent: await sentBy(accountAddress()), received: await received() }
      const payment = await signPayment(payer, price)
      const reply = await pay(gateway, payment)
      expect([reply.status, reply.body.code]).toEqual([503, 'SETTLEMENT_UNKNOWN'])
      expect(await sentBy(accountAddress())).toBe(before.sent)

      cdp.wallets = 'well'
      await endRest(payment)
      expect(await settlerOf(await pay(gateway, payment), payment)).toBe(accountAddress().toLowerCase())
      expect((await received()) - before.received).toBe(price)
    },
  )

  test('makes the gateway send requests to its own API only, even when CDP fails: never to Coinbase’s analytics server', async () => {
    const hosts = new Set<string>()
    const message = z.object({
      request: z.union([
        z.object({ host: z.string() }).transform(({ host }) => host),
        z.object({ origin: z.string() }).transform(({ origin }) => new URL(origin).hostname),
      ]),
    })
    const note = (sent: unknown) => void hosts.add(message.parse(sent).request)
    const channels = ['http.client.request.start', 'undici:request:create']
    for (const channel of channels) subscribe(channel, note)
    const watched = await start()
    try {
      const payment = await signPayment(payer, price)
      await settlerOf(await pay(watched, payment), payment)
      // The client of Coinbase's SDK would report this error to its analytics server.
      cdp.wallets = 'answer no JSON'
      await pay(watched, await signPayment(payer, price))
      expect([...hosts]).toEqual(['127.0.0.1'])
    } finally {
      await watched.close()
      for (const channel of channels) unsubscribe(channel, note)
    }
  })
})
