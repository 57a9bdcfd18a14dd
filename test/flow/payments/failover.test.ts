import request from 'supertest'
import { type Address, type Hex, isHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { receivedStates, totals } from '../../../src/doors/ledger/totals.ts'
import { provesTransfer } from '../../../src/doors/x402/evidence/authorization-state.ts'
import { tokenAbi, transferCall } from '../../../src/doors/x402/evidence/token.ts'
import { devPayers, devPayTo, devSettler } from '../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import { startTestChain, type TestChain, temporaryFolder } from '../../support/chain/chain.ts'
import { signCancel } from '../../support/chain/chain-authorization.ts'
import { decode, freshWallet, type SignedPayment, signPayment, v2Header } from '../../support/chain/wallet.ts'
import { writeCatalog } from '../../support/gateways/catalog.ts'
import { operatorToken, startGateway, type TestGateway } from '../../support/gateways/gateway.ts'
import {
  type Failure,
  type SettleFailure,
  startFacilitator,
  type TestFacilitator,
} from '../../support/servers/facilitator.ts'
import { type Model, startModel } from '../../support/servers/model.ts'
import { startRpcProxy } from '../../support/servers/rpc-proxy.ts'

/** A list of facilitators behind one gateway: `first`, and behind it `second` or the built-in one. */

let chain: TestChain
let model: Model
let first: TestFacilitator
let second: TestFacilitator
/** Settles through `first`, then `second`. */
let gateway: TestGateway
/** Settles through `first`, then by itself. */
let selfHelped: TestGateway
let receivedAtFirst: bigint
/** What closed gateways have received; their books are gone. */
let paidElsewhere = 0n
const network = networks['base-sepolia']
const payer = privateKeyToAccount(devPayers[0].privateKey)
const bystander = devPayers[5].address
const price = 250_000n
const path = '/api/leads/research'

const settings = (last: string) => ({
  ...model.settings,
  FACILITATOR_URL: `${first.url}, ${last}`,
  FACILITATOR_TIMEOUT_MS: '1000',
  // These tests make payments fail, and that must not make the payer's next payment move first.
  SETTLE_FIRST_AFTER: '1000',
})

beforeAll(async () => {
  chain = await startTestChain()
  model = await startModel()
  const foreign = await chain.client.sendTransaction({ account: bystander, to: bystander })
  first = await startFacilitator(chain.rpcUrl, foreign)
  second = await startFacilitator(chain.rpcUrl, foreign, devPayers[4].privateKey)
  gateway = await startGateway(chain.rpcUrl, settings(second.url))
  selfHelped = await startGateway(chain.rpcUrl, { ...settings('local'), SETTLER_KEY: devSettler.privateKey })
  receivedAtFirst = await balanceOf(devPayTo.address)
})

afterAll(async () => {
  await gateway.close()
  await selfHelped.close()
  await first.close()
  await second.close()
  await model.close()
  await chain.close()
})

afterEach(() => {
  for (const facilitator of [first, second]) {
    facilitator.supported = 'well'
    facilitator.verify = 'well'
    facilitator.settle = 'well'
    facilitator.meanwhile = async () => {}
  }
})

const balanceOf = (owner: Address) =>
  chain.client.readContract({
    address: network.usdc.address,
    abi: tokenAbi,
    functionName: 'balanceOf',
    args: [owner],
  })

const pay = (payment: SignedPayment, to: TestGateway = gateway) =>
  request(to.url).post(path).set('PAYMENT-SIGNATURE', v2Header(payment)).send({ companyName: 'Acme Dental' })

/** Makes an unknown outcome due now, instead of waiting for it. */
const endRest = ({ authorization }: SignedPayment, at: TestGateway = gateway) =>
  at.services.queries
    .updateTable('payments')
    .set({ leaseUntil: new Date(0) })
    .where('nonce', '=', authorization.nonce)
    .execute()

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

const addressOf = ({ address }: { readonly address: Address }) => address.toLowerCase()
const firstAccount = addressOf(devPayers[6])
const secondAccount = addressOf(devPayers[4])

function expectUnknown(reply: request.Response): void {
  expect([reply.status, reply.body.code]).toEqual([503, 'SETTLEMENT_UNKNOWN'])
  expect(reply.headers).not.toHaveProperty('payment-required')
}

const counts = () => ({ first: { ...first.count }, second: { ...second.count } })

test('while all facilitators work, the first verifies and settles, and the others are not asked', async () => {
  const before = counts()
  const payment = await signPayment(payer, price)
  expect(await settlerOf(await pay(payment), payment)).toBe(firstAccount)
  expect(first.count).toMatchObject({ verify: before.first.verify + 1, settle: before.first.settle + 1 })
  expect(second.count).toMatchObject({ verify: before.second.verify, settle: before.second.settle })
})

describe('when the first facilitator is not ready', () => {
  // The other gateways must not see these failures.
  let unready: TestFacilitator
  let other: TestFacilitator
  const start = () =>
    startGateway(chain.rpcUrl, { ...settings(other.url), FACILITATOR_URL: `${unready.url},${other.url}` })
  const asked = (facilitator: TestFacilitator) => facilitator.count.verify + facilitator.count.settle

  beforeAll(async () => {
    const none: Hex = `0x${'00'.repeat(32)}`
    unready = await startFacilitator(chain.rpcUrl, none, devPayers[2].privateKey)
    other = await startFacilitator(chain.rpcUrl, none, devPayers[3].privateKey)
  })
  afterAll(async () => {
    await unready.close()
    await other.close()
  })

  test.each<TestFacilitator['supported']>(['hangs', 'answers 500', 'redirects', 'names another network'])(
    'while the first facilitator %s, it gets no payment and the second settles; the first settles again once it works',
    async (conduct) => {
      unready.supported = conduct
      const late = await start()
      try {
        const before = asked(unready)
        const payment = await signPayment(payer, price)
        expect(await settlerOf(await pay(payment, late), payment)).toBe(addressOf(devPayers[3]))
        expect(asked(unready)).toBe(before)
        expect((await request(late.url).get('/health')).body).toMatchObject({ status: 'ok' })

        const used = () =>
          late.logged.filter((line) => line.includes('payments go through this facilitator')).at(-1)
        expect(used()).toContain(other.url)
        unready.supported = 'well'
        await expect.poll(used, { message: 'the recovered facilitator was not used' }).toContain(unready.url)
        const another = await signPayment(payer, price)
        expect(await settlerOf(await pay(another, late), another)).toBe(addressOf(devPayers[2]))
        paidElsewhere += 2n * price
      } finally {
        await late.close()
      }
    },
  )

  test('while no facilitator is ready, no 402 is sent and no payment is taken', async () => {
    unready.supported = 'hangs'
    other.supported = 'answers 500'
    const stuck = await start()
    try {
      const before = { model: model.asked, unready: asked(unready), other: asked(other) }
      const replies = [
        await request(stuck.url).post(path).send({ companyName: 'Acme Dental' }),
        await pay(await signPayment(payer, price), stuck),
      ]
      for (const reply of replies) {
        expect([reply.status, reply.body]).toMatchObject([
          503,
          { code: 'PAYMENTS_UNAVAILABLE', details: { reason: expect.stringContaining('facilitator') } },
        ])
      }
      expect((await request(stuck.url).get('/health')).body).toMatchObject({ status: 'degraded' })
      expect({ model: model.asked, unready: asked(unready), other: asked(other) }).toEqual(before)
    } finally {
      await stuck.close()
    }
  })
})

describe('when the first facilitator does not verify', () => {
  test.each<TestFacilitator['verify']>([
    'hangs',
    'answers 500',
    'answers no JSON',
    'gives no verdict',
    'refuses with 500',
  ])(
    'while the first facilitator %s on verify, the second verifies, and the call is paid once',
    async (conduct) => {
      first.verify = conduct
      const before = { ...counts(), received: await balanceOf(devPayTo.address) }
      const payment = await signPayment(payer, price)
      expect(await settlerOf(await pay(payment), payment)).toBe(firstAccount)
      expect(second.count.verify).toBe(before.second.verify + 1)
      expect((await balanceOf(devPayTo.address)) - before.received).toBe(price)
    },
  )

  test('while no facilitator verifies, the caller gets 503 before any work, and the same payment passes later', async () => {
    first.verify = 'answers 500'
    second.verify = 'answers no JSON'
    const asked = model.asked
    const payment = await signPayment(payer, price)
    const reply = await pay(payment)
    expect([reply.status, reply.body.code]).toEqual([503, 'PAYMENTS_UNAVAILABLE'])
    expect(model.asked).toBe(asked)

    second.verify = 'well'
    expect((await pay(payment)).status).toBe(200)
  })

  test('a payment that the first facilitator refuses is refused, and no other facilitator is asked', async () => {
    const before = counts()
    const reply = await pay(await signPayment(freshWallet(), price))
    expect([reply.status, reply.body.details.reason]).toEqual([402, 'invalid_exact_evm_insufficient_balance'])
    expect(second.count.verify).toBe(before.second.verify)
  })
})

describe('when the first facilitator leaves a settlement open', () => {
  test.each<Failure | SettleFailure>([
    'hangs',
    'answers 500',
    'answers too much',
    'refuses with 500',
    'refuses for a reason of its own',
    'names no transaction',
    'names a transaction that is not there',
  ])(
    'when the first facilitator %s on settle and the chain shows no transfer, the second settles once',
    async (conduct) => {
      first.settle = conduct
      const before = { asked: model.asked, received: await balanceOf(devPayTo.address) }
      const payment = await signPayment(payer, price)
      const reply = await pay(payment)
      expect(await settlerOf(reply, payment)).toBe(secondAccount)
      const again = await pay(payment)
      expect([again.status, again.text]).toEqual([200, reply.text])
      expect(model.asked - before.asked).toBe(1)
      expect((await balanceOf(devPayTo.address)) - before.received).toBe(price)
    },
  )

  test.each<SettleFailure>([
    'sends, then hangs',
    'sends, then answers 502',
    'sends, then says refused',
    'sends, then names no transaction',
  ])(
    'when the first facilitator %s on settle and the chain shows the transfer, no other facilitator is asked',
    async (conduct) => {
      first.settle = conduct
      const before = counts()
      const payment = await signPayment(payer, price)
      expect(await settlerOf(await pay(payment), payment)).toBe(firstAccount)
      expect(second.count.settle).toBe(before.second.settle)
    },
  )

  test('an open settlement whose authorization the payer has canceled has failed, and no other facilitator is asked', async () => {
    const payment = await signPayment(payer, price)
    const { nonce } = payment.authorization
    const signature = await signCancel(devPayers[0].privateKey, { authorizer: payer.address, nonce })
    const before = counts()
    first.settle = 'answers 500'
    first.meanwhile = () => cancel(payer.address, nonce, signature)
    const reply = await pay(payment)
    expect([reply.status, reply.body.details.reason]).toEqual([402, 'invalid_transaction_state'])
    expect(second.count.settle).toBe(before.second.settle)
  })

  test('a settlement that two facilitators leave open is settled later, with the stored reply', async () => {
    first.settle = 'answers 500'
    second.settle = 'hangs'
    const before = { asked: model.asked, received: await balanceOf(devPayTo.address) }
    const payment = await signPayment(payer, price)
    expectUnknown(await pay(payment))
    expect(await balanceOf(devPayTo.address)).toBe(before.received)

    second.settle = 'well'
    await endRest(payment)
    expect(await settlerOf(await pay(payment), payment)).toBe(secondAccount)
    expect(model.asked - before.asked).toBe(1)
    expect((await balanceOf(devPayTo.address)) - before.received).toBe(price)
  })
})

describe('while the first facilitator’s transaction waits to be mined', () => {
  test('a refusal by the second facilitator proves nothing: the payment counts once the first transaction is mined', async () => {
    second.settle = 'refuses before sending'
    const before = { ...counts(), received: await balanceOf(devPayTo.address) }
    const payment = await signPayment(payer, price)
    await withoutMining(async () => {
      expectUnknown(await pay(payment))
      expect(first.count.broadcasts).toBe(before.first.broadcasts + 1)
      expect(second.count.settle).toBe(before.second.settle + 1)
    })
    await endRest(payment)
    expect(await settlerOf(await pay(payment), payment)).toBe(firstAccount)
    expect((await balanceOf(devPayTo.address)) - before.received).toBe(price)
  })

  test('when the next facilitator sends another transaction, both are mined, and the money moves once', async () => {
    const sent = () => chain.client.getTransactionCount({ address: devSettler.address, blockTag: 'pending' })
    const before = { ...counts(), sent: await sent(), received: await balanceOf(devPayTo.address) }
    const payment = await signPayment(payer, price)
    await withoutMining(async () => {
      const reply = pay(payment, selfHelped).then((answer) => answer)
      await expect.poll(sent, { interval: 20, message: 'no transaction was sent' }).toBe(before.sent + 1)
      expect(first.count.broadcasts).toBe(before.first.broadcasts + 1)
      await chain.client.mine({ blocks: 1 })
      expect([firstAccount, addressOf(devSettler)]).toContain(await settlerOf(await reply, payment))
    })
    expect((await balanceOf(devPayTo.address)) - before.received).toBe(price)
  })
})

describe('with the built-in facilitator behind it', () => {
  const sentByUs = () => chain.client.getTransactionCount({ address: devSettler.address })

  test.each<Failure | SettleFailure>(['hangs', 'answers 500', 'refuses for a reason of its own'])(
    'when the remote facilitator %s, the built-in one settles',
    async (conduct) => {
      first.settle = conduct
      const payment = await signPayment(payer, price)
      expect(await settlerOf(await pay(payment, selfHelped), payment)).toBe(addressOf(devSettler))
    },
  )

  test('a payment from an emptied wallet burns no gas however often it is tried, and counts once the wallet has money', async () => {
    const poor = freshWallet()
    await chain.mint(poor.address, price)
    const payment = await signPayment(poor, price)
    const elsewhere = await signPayment(poor, price, { to: bystander })
    const before = await sentByUs()
    first.settle = 'answers 500'
    first.meanwhile = () => send(transferCall(elsewhere.authorization, elsewhere.signature))
    expectUnknown(await pay(payment, selfHelped))
    first.meanwhile = async () => {}
    const tried = first.count.settle
    await endRest(payment, selfHelped)
    const repeated = pay(payment, selfHelped).then((reply) => reply)
    await expect.poll(() => selfHelped.logged.filter(isStillOpen).length).toBeGreaterThan(0)
    expect(await sentByUs()).toBe(before)
    expect(first.count.settle).toBe(tried)

    await chain.mint(poor.address, price)
    await endRest(payment, selfHelped)
    expect(await settlerOf(await repeated, payment)).toBe(addressOf(devSettler))
  })

  test('a transfer of ours that the chain refuses proves nothing after another facilitator’s attempt', async () => {
    const poor = freshWallet()
    await chain.mint(poor.address, price)
    const payment = await signPayment(poor, price)
    const elsewhere = await signPayment(poor, price, { to: bystander })
    first.settle = 'answers 500'
    // This transaction waits beside ours, and pays more gas to be mined before it.
    first.meanwhile = async () => {
      await chain.client.sendTransaction({
        account: bystander,
        to: network.usdc.address,
        data: transferCall(elsewhere.authorization, elsewhere.signature),
        gas: 200_000n,
        maxFeePerGas: 200_000_000_000n,
        maxPriorityFeePerGas: 100_000_000_000n,
      })
    }
    const sent = () => chain.client.getTransactionCount({ address: devSettler.address, blockTag: 'pending' })
    const before = await sent()
    await withoutMining(async () => {
      const reply = pay(payment, selfHelped).then((answer) => answer)
      await expect.poll(sent, { interval: 20, message: 'no transaction was sent' }).toBe(before + 1)
      await chain.client.mine({ blocks: 1 })
      expectUnknown(await reply)
    })

    first.meanwhile = async () => {}
    await chain.mint(poor.address, price)
    await endRest(payment, selfHelped)
    expect(await settlerOf(await pay(payment, selfHelped), payment)).toBe(addressOf(devSettler))
  })

  const isStillOpen = (line: string) => line.includes('the payer no longer holds the amount')
})

test('when the built-in facilitator runs out of gas under way, the next one settles every paid call', async () => {
  const gasKey = generatePrivateKey()
  const { address } = privateKeyToAccount(gasKey)
  await chain.client.setBalance({ address, value: 10n ** 18n })
  const leading = await startGateway(chain.rpcUrl, {
    ...settings(second.url),
    FACILITATOR_URL: `local,${second.url}`,
    SETTLER_KEY: gasKey,
  })
  try {
    const served = await signPayment(payer, price)
    expect(await settlerOf(await pay(served, leading), served)).toBe(addressOf({ address }))
    await chain.client.setBalance({ address, value: 0n })
    for (let calls = 0; calls < 8; calls += 1) {
      const payment = await signPayment(payer, price)
      expect(await settlerOf(await pay(payment, leading), payment)).toBe(secondAccount)
    }
    expect((await request(leading.url).get('/ready')).status).toBe(200)
    paidElsewhere += 9n * price
  } finally {
    await leading.close()
  }
})

test('a transfer that is mined after the first facilitator timed out is found, and no other facilitator is asked', async () => {
  const node = await startRpcProxy(chain.rpcUrl)
  const leading = await startGateway(node.url, {
    ...settings(second.url),
    FACILITATOR_URL: `local,${second.url}`,
    SETTLER_KEY: devSettler.privateKey,
    SETTLEMENT_TIMEOUT_MS: '500',
  })
  const sent = () => chain.client.getTransactionCount({ address: devSettler.address, blockTag: 'pending' })
  try {
    const before = { ...counts(), sent: await sent() }
    const payment = await signPayment(payer, price)
    await withoutMining(async () => {
      const reply = pay(payment, leading).then((answer) => answer)
      await expect.poll(sent, { interval: 20, message: 'no transaction was sent' }).toBe(before.sent + 1)
      // The next read of the payer's balance checks whether another attempt makes sense.
      node.meet = async ({ method, params }) => {
        if (method === 'eth_call' && JSON.stringify(params).includes(payer.address.slice(2).toLowerCase())) {
          node.meet = undefined
          await chain.client.mine({ blocks: 1 })
        }
        return undefined
      }
      expect(await settlerOf(await reply, payment)).toBe(addressOf(devSettler))
    })
    expect(second.count.settle).toBe(before.second.settle)
    paidElsewhere += price
  } finally {
    await leading.close()
    await node.close()
  }
})

describe('when `second` lists an operation, and the built-in facilitator settles', () => {
  let listed: TestGateway
  let removeFolder: () => Promise<void>

  beforeAll(async () => {
    const { folder, remove } = await temporaryFolder()
    removeFolder = remove
    const listing = { facilitator: second.url, every: '14d' }
    listed = await startGateway(chain.rpcUrl, {
      ...settings('local'),
      FACILITATOR_URL: 'local',
      SETTLER_KEY: devSettler.privateKey,
      CATALOG_FILE: await writeCatalog(folder, { researchLead: { listing } }),
    })
  })
  afterEach(async () => {
    await listed.services.queries.deleteFrom('listingTurns').execute()
  })
  afterAll(async () => {
    const sums = await totals(listed.services)
    for (const { state, amount } of sums) {
      if (receivedStates.some((one) => one === state)) paidElsewhere += amount
    }
    await listed.close()
    await removeFolder()
  })

  const statusSchema = z.object({ listings: z.array(z.looseObject({})) })
  async function listings() {
    const reply = await fetch(`${listed.url}/operator/listing`, {
      headers: { authorization: `Bearer ${operatorToken}` },
    })
    return statusSchema.parse(await reply.json()).listings
  }
  async function status(): Promise<unknown> {
    return (await listings())[0]
  }

  test('the status names the operation and its tool, which is listed for itself, before the first payment of either', async () => {
    expect(await listings()).toMatchObject([
      { operation: 'researchLead', transport: 'http', last: null },
      { operation: 'researchLead', transport: 'mcp', last: null },
    ])
  })

  test.each<TestFacilitator['verify']>(['hangs', 'answers 500', 'refuses with 400', 'redirects'])(
    'a payment that its /verify %s is settled as usual, once',
    async (conduct) => {
      second.verify = conduct
      const before = { settle: second.count.settle, balance: await balanceOf(devPayTo.address) }
      const payment = await signPayment(payer, price)
      expect(await settlerOf(await pay(payment, listed), payment)).toBe(addressOf(devSettler))
      expect(second.count.settle).toBe(before.settle)
      expect((await balanceOf(devPayTo.address)) - before.balance).toBe(price)
      const outcome = conduct === 'refuses with 400' ? 'refused' : 'unreachable'
      expect(await status()).toMatchObject({ last: { outcome }, settledAt: null })
    },
  )

  test.each<TestFacilitator['supported']>(['answers 500', 'names another network'])(
    'a payment is not shown to it while its /supported %s',
    async (conduct) => {
      second.supported = conduct
      const before = second.count.verify
      const payment = await signPayment(payer, price)
      expect(await settlerOf(await pay(payment, listed), payment)).toBe(addressOf(devSettler))
      expect(second.count.verify).toBe(before)
    },
  )

  test.each<[Failure | SettleFailure, string, string]>([
    ['refuses before sending', addressOf(devSettler), 'refused'],
    ['hangs', addressOf(devSettler), 'unknown'],
    ['answers 500', addressOf(devSettler), 'unknown'],
    ['names a transaction that is not there', addressOf(devSettler), 'unknown'],
    ['sends, then hangs', secondAccount, 'settled'],
    ['sends, then answers 502', secondAccount, 'settled'],
  ])('when its /settle %s, the caller is served and pays once', async (conduct, settler, outcome) => {
    second.settle = conduct
    const before = { asked: model.asked, balance: await balanceOf(devPayTo.address) }
    const payment = await signPayment(payer, price)
    const reply = await pay(payment, listed)
    expect(await settlerOf(reply, payment)).toBe(settler)
    const again = await pay(payment, listed)
    expect([again.status, again.text]).toEqual([200, reply.text])
    expect(model.asked - before.asked).toBe(1)
    expect((await balanceOf(devPayTo.address)) - before.balance).toBe(price)
    expect(await status()).toMatchObject({ last: { outcome } })
  })

  test('of payments at the same time one goes through it, which lists the operation; the others, and later ones, do not', async () => {
    const before = { verify: second.count.verify, settle: second.count.settle, listed: second.listed.length }
    const payments = await Promise.all([1, 2, 3, 4].map(() => signPayment(payer, price)))
    const replies = await Promise.all(payments.map((payment) => pay(payment, listed)))
    const settlers = await Promise.all(
      replies.map((reply, index) => {
        const payment = payments[index]
        if (!payment) throw new Error('a reply without a payment')
        return settlerOf(reply, payment)
      }),
    )
    expect(settlers.toSorted()).toEqual(
      [secondAccount, ...[1, 2, 3].map(() => addressOf(devSettler))].toSorted(),
    )
    const later = await signPayment(payer, price)
    expect(await settlerOf(await pay(later, listed), later)).toBe(addressOf(devSettler))
    expect(second.count).toMatchObject({ verify: before.verify + 1, settle: before.settle + 1 })

    expect(second.listed.slice(before.listed)).toMatchObject([
      {
        resourceUrl: 'https://pay.example.com/api/leads/research',
        method: 'POST',
        discoveryInfo: { input: { type: 'http', bodyType: 'json' } },
      },
    ])
    expect(await status()).toMatchObject({
      operation: 'researchLead',
      transport: 'http',
      facilitator: second.url,
      everyDays: 14,
      last: { outcome: 'settled', reason: null, extensions: { bazaar: { status: 'success' } } },
    })
    const metrics = await fetch(`${listed.url}/metrics`, {
      headers: { authorization: `Bearer ${operatorToken}` },
    })
    expect(await metrics.text()).toContain(
      `tollgate_listing_turns_total{operation="researchLead",facilitator="${second.url}",outcome="settled"}`,
    )
  })
})

test('after all tests above, the books and the chain name the same sum', async () => {
  const sums = await Promise.all([gateway, selfHelped].map(({ services }) => totals(services)))
  const taken = sums.flat().filter(({ state }) => receivedStates.some((one) => one === state))
  const sum = taken.reduce((total, { amount }) => total + amount, paidElsewhere)
  expect(sum).toBe((await balanceOf(devPayTo.address)) - receivedAtFirst)
})

async function withoutMining(work: () => Promise<void>): Promise<void> {
  await chain.client.setAutomine(false)
  await chain.client.setIntervalMining({ interval: 0 })
  try {
    await work()
  } finally {
    await chain.client.setAutomine(true)
    await chain.client.mine({ blocks: 1 })
  }
}

async function send(data: Hex): Promise<void> {
  const hash = await chain.client.sendTransaction({ account: bystander, to: network.usdc.address, data })
  await chain.client.waitForTransactionReceipt({ hash })
}

async function cancel(authorizer: Address, nonce: Hex, signature: Hex): Promise<void> {
  const hash = await chain.client.writeContract({
    account: bystander,
    address: network.usdc.address,
    abi: [
      {
        type: 'function',
        name: 'cancelAuthorization',
        stateMutability: 'nonpayable',
        inputs: [
          { name: 'authorizer', type: 'address' },
          { name: 'nonce', type: 'bytes32' },
          { name: 'signature', type: 'bytes' },
        ],
        outputs: [],
      },
    ],
    functionName: 'cancelAuthorization',
    args: [authorizer, nonce, signature],
  })
  await chain.client.waitForTransactionReceipt({ hash })
}
