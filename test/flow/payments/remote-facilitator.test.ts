import request from 'supertest'
import { type Hex, isHex, parseSignature, serializeCompactSignature, signatureToCompactSignature } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { receivedStates, totals } from '../../../src/doors/ledger/totals.ts'
import { provesTransfer } from '../../../src/doors/x402/evidence/authorization-state.ts'
import { tokenAbi, transferCall } from '../../../src/doors/x402/evidence/token.ts'
import { devPayers, devPayTo } from '../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { signCancel } from '../../support/chain/chain-authorization.ts'
import {
  decode,
  freshWallet,
  type SignedPayment,
  signPayment,
  v1Header,
  v2Header,
} from '../../support/chain/wallet.ts'
import { startGateway, type TestGateway } from '../../support/gateways/gateway.ts'
import {
  type Failure,
  type SettleFailure,
  startFacilitator,
  type TestFacilitator,
} from '../../support/servers/facilitator.ts'
import { type Model, startModel } from '../../support/servers/model.ts'

let chain: TestChain
let model: Model
let facilitator: TestFacilitator
let gateway: TestGateway
let receivedAtFirst: bigint
const network = networks['base-sepolia']
const payer = privateKeyToAccount(devPayers[0].privateKey)
const bystander = devPayers[5].address
const price = 250_000n
const body = { companyName: 'Acme Dental' }
const path = '/api/leads/research'

const settings = () => ({
  ...model.settings,
  FACILITATOR_URL: facilitator.url,
  FACILITATOR_TIMEOUT_MS: '1000',
  // These tests make payments fail, and that must not make the payer's next payment move first.
  SETTLE_FIRST_AFTER: '1000',
})

beforeAll(async () => {
  chain = await startTestChain()
  model = await startModel()
  const foreign = await chain.client.sendTransaction({ account: bystander, to: bystander })
  facilitator = await startFacilitator(chain.rpcUrl, foreign)
  gateway = await startGateway(chain.rpcUrl, settings())
  receivedAtFirst = await received()
})

afterAll(async () => {
  await gateway.close()
  await facilitator.close()
  await model.close()
  await chain.close()
})

afterEach(async () => {
  // The tests share a payer, and its failures in one are nothing to the next.
  await gateway.services.queries.deleteFrom('payers').execute()
  facilitator.supported = 'well'
  facilitator.verify = 'well'
  facilitator.settle = 'well'
  facilitator.meanwhile = async () => {}
})

const received = () =>
  chain.client.readContract({
    address: network.usdc.address,
    abi: tokenAbi,
    functionName: 'balanceOf',
    args: [devPayTo.address],
  })

const pay = (payment: SignedPayment, to: TestGateway = gateway) =>
  request(to.url).post(path).set('PAYMENT-SIGNATURE', v2Header(payment)).send(body)

const rowOf = ({ authorization }: SignedPayment) =>
  gateway.services.queries
    .selectFrom('payments')
    .selectAll()
    .where('nonce', '=', authorization.nonce)
    .executeTakeFirst()

/** Makes an unknown outcome due now, instead of waiting for it. */
const endRest = ({ authorization }: SignedPayment) =>
  gateway.services.queries
    .updateTable('payments')
    .set({ leaseUntil: new Date(0) })
    .where('nonce', '=', authorization.nonce)
    .execute()

const receiptSchema = z.object({
  success: z.literal(true),
  transaction: z.custom<Hex>((value) => isHex(value)),
})

/** The transaction in the reply's receipt, which must contain this payment's transfer. */
async function provesPayment(header: string | undefined, payment: SignedPayment): Promise<boolean> {
  const { transaction } = receiptSchema.parse(decode(header))
  const { logs } = await chain.client.getTransactionReceipt({ hash: transaction })
  return provesTransfer(logs, network.usdc.address, payment.authorization)
}

async function send(data: Hex): Promise<Hex> {
  const hash = await chain.client.sendTransaction({ account: bystander, to: network.usdc.address, data })
  await chain.client.waitForTransactionReceipt({ hash })
  return hash
}

function expectUnknown(reply: request.Response): void {
  expect(reply.status).toBe(503)
  expect(reply.body).toMatchObject({
    error: 'unavailable',
    code: 'SETTLEMENT_UNKNOWN',
    message: expect.stringContaining('Do not sign a new payment'),
  })
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
  // Each of these headers would make some client sign a second payment.
  expect(reply.headers).not.toHaveProperty('payment-required')
  expect(reply.headers).not.toHaveProperty('x-payment')
  expect(reply.body).not.toHaveProperty('accepts')
}

test.each([
  ['PAYMENT-SIGNATURE', v2Header],
  ['X-PAYMENT', v1Header],
  ['X-Payment-Signature', v1Header],
  ['X-Payment-Signature', v2Header],
])(
  'a payment in %s is verified and settled by the facilitator once, and the receipt names its transfer',
  async (name, header) => {
    const before = { ...facilitator.count, received: await received() }
    const payment = await signPayment(payer, price)
    const reply = await request(gateway.url).post(path).set(name, header(payment)).send(body)
    expect(reply.status).toBe(200)
    expect(await provesPayment(reply.headers['payment-response'], payment)).toBe(true)
    expect(await rowOf(payment)).toMatchObject({ state: 'settled' })
    expect((await received()) - before.received).toBe(price)
    expect(facilitator.count).toMatchObject({
      verify: before.verify + 1,
      settle: before.settle + 1,
      broadcasts: before.broadcasts + 1,
    })
  },
)

test('a refusal with status 400 is a refusal: its reason is in the 402, and nothing runs', async () => {
  facilitator.verify = 'refuses with 400'
  const asked = model.asked
  const reply = await pay(await signPayment(payer, price))
  expect(reply.status).toBe(402)
  expect(reply.body).toMatchObject({ details: { reason: 'insufficient_funds' } })
  expect(model.asked).toBe(asked)
})

test('a payment that the facilitator refuses gets the reason in a 402, and nothing runs', async () => {
  const asked = model.asked
  const payment = await signPayment(freshWallet(), price)
  const reply = await pay(payment)
  expect(reply.status).toBe(402)
  expect(reply.body).toMatchObject({ details: { reason: 'invalid_exact_evm_insufficient_balance' } })
  expect(model.asked).toBe(asked)
  expect(await rowOf(payment)).toBeUndefined()
})

test.each<[string, (signature: Hex) => Hex]>([
  [
    '64 bytes (EIP-2098)',
    (signature) => serializeCompactSignature(signatureToCompactSignature(parseSignature(signature))),
  ],
  ['a v of 0 or 1', (signature) => `0x${signature.slice(2, 130)}${signature.endsWith('1b') ? '00' : '01'}`],
])('a signature of %s is sent in the form that facilitators accept', async (_form, rewrite) => {
  const payment = await signPayment(payer, price)
  const reply = await pay({ ...payment, signature: rewrite(payment.signature) })
  expect(reply.status).toBe(200)
})

describe('when /supported fails', () => {
  test.each<TestFacilitator['supported']>([
    'hangs',
    'answers 500',
    'answers no JSON',
    'gives no verdict',
    'answers too much',
    'redirects',
    'names another network',
  ])('while /supported %s, no 402 is sent and no payment is taken, before any work', async (conduct) => {
    facilitator.supported = conduct
    const asked = { model: model.asked, verify: facilitator.count.verify }
    const unready = await startGateway(chain.rpcUrl, settings())
    try {
      const replies = [
        await request(unready.url).post(path).send(body),
        await pay(await signPayment(payer, price), unready),
      ]
      for (const reply of replies) {
        expect(reply.status).toBe(503)
        expect(reply.body).toMatchObject({
          code: 'PAYMENTS_UNAVAILABLE',
          details: { reason: expect.stringContaining('facilitator') },
        })
        expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
      }
      expect({ model: model.asked, verify: facilitator.count.verify }).toEqual(asked)
      expect((await request(unready.url).get('/health')).body).toMatchObject({ status: 'degraded' })
    } finally {
      await unready.close()
    }
  })

  test('when /supported fails only at the start, payments are taken as soon as it replies', async () => {
    facilitator.supported = 'answers 500'
    const late = await startGateway(chain.rpcUrl, settings())
    try {
      facilitator.supported = 'well'
      const status = async () => (await request(late.url).post(path).send(body)).status
      await expect.poll(status).toBe(402)
    } finally {
      await late.close()
    }
  })
})

describe('when /verify fails', () => {
  test.each<TestFacilitator['verify']>([
    'hangs',
    'answers 500',
    'answers no JSON',
    'gives no verdict',
    'repeats what it was sent',
    'answers too much',
    'redirects',
    'refuses with 500',
  ])(
    'when /verify %s, the caller gets 503 before any work, and the same payment passes later',
    async (conduct) => {
      facilitator.verify = conduct
      const asked = model.asked
      const payment = await signPayment(payer, price)
      const reply = await pay(payment)
      expect(reply.status).toBe(503)
      expect(reply.body).toMatchObject({ error: 'unavailable', code: 'PAYMENTS_UNAVAILABLE' })
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
      expect(model.asked).toBe(asked)
      expect(await rowOf(payment)).toBeUndefined()

      facilitator.verify = 'well'
      expect((await pay(payment)).status).toBe(200)
    },
  )

  test('a facilitator’s reply is logged without the signature that it repeats', async () => {
    facilitator.verify = 'repeats what it was sent'
    const before = gateway.logged.length
    const payment = await signPayment(payer, price)
    await pay(payment)
    const logged = gateway.logged.slice(before).join('\n')
    expect(logged).toContain('verify answers 400')
    expect(logged).not.toContain(payment.signature.slice(2, 66))
  })
})

test('a payment is not sent to the target of a redirect', async () => {
  const payment = await signPayment(payer, price)
  facilitator.verify = 'redirects'
  expect((await pay(payment)).status).toBe(503)
  facilitator.verify = 'well'
  facilitator.settle = 'redirects'
  expectUnknown(await pay(payment))
  expect(facilitator.count.redirected).toBe(0)

  facilitator.settle = 'well'
  await endRest(payment)
  expect((await pay(payment)).status).toBe(200)
})

describe('when /settle moved the money but does not say so', () => {
  test.each<SettleFailure>([
    'sends, then hangs',
    'sends, then answers 502',
    'sends, then says pending',
    'sends, then says refused',
    'sends, then names no transaction',
  ])(
    'when /settle %s after a transfer, the chain decides: the caller gets the reply, and is charged once',
    async (conduct) => {
      facilitator.settle = conduct
      const before = {
        asked: model.asked,
        broadcasts: facilitator.count.broadcasts,
        received: await received(),
      }
      const payment = await signPayment(payer, price)
      const first = await pay(payment)
      expect(first.status).toBe(200)
      expect(await provesPayment(first.headers['payment-response'], payment)).toBe(true)
      expect(await rowOf(payment)).toMatchObject({ state: 'settled' })

      facilitator.settle = 'well'
      const again = await pay(payment)
      expect([again.status, again.text]).toEqual([200, first.text])
      expect(again.headers['payment-response']).toBe(first.headers['payment-response'])
      expect({
        asked: model.asked - before.asked,
        broadcasts: facilitator.count.broadcasts - before.broadcasts,
        received: (await received()) - before.received,
      }).toEqual({ asked: 1, broadcasts: 1, received: price })
    },
  )
})

describe('when /settle leaves the outcome open', () => {
  test.each<Failure | SettleFailure>([
    'hangs',
    'answers 500',
    'answers no JSON',
    'gives no verdict',
    'repeats what it was sent',
    'answers too much',
    'redirects',
    'refuses with 500',
    'refuses for a reason of its own',
    'says pending, but sent nothing',
    'names no transaction',
    'names a transaction that is not there',
    'names somebody else’s transaction',
  ])(
    'when /settle %s, the caller is not told to pay again, and the same payment gets the stored reply for one transfer',
    async (conduct) => {
      facilitator.settle = conduct
      const before = {
        asked: model.asked,
        broadcasts: facilitator.count.broadcasts,
        received: await received(),
      }
      const payment = await signPayment(payer, price)
      expectUnknown(await pay(payment))
      const row = await rowOf(payment)
      expect(row).toMatchObject({ state: 'settling' })
      expect(await received()).toBe(before.received)

      facilitator.settle = 'well'
      await endRest(payment)
      const paid = await pay(payment)
      expect(paid.status).toBe(200)
      expect(paid.text).toBe(Buffer.from(row?.replyBody ?? []).toString())
      expect(await provesPayment(paid.headers['payment-response'], payment)).toBe(true)
      const again = await pay(payment)
      expect([again.status, again.text]).toEqual([200, paid.text])
      expect(await rowOf(payment)).toMatchObject({ state: 'settled' })
      expect({
        asked: model.asked - before.asked,
        broadcasts: facilitator.count.broadcasts - before.broadcasts,
        received: (await received()) - before.received,
      }).toEqual({ asked: 1, broadcasts: 1, received: price })
    },
  )

  test('an open outcome is found without the caller, and the reply is kept until the caller comes back', async () => {
    facilitator.settle = 'answers 500'
    const before = { asked: model.asked, received: await received() }
    const payment = await signPayment(payer, price)
    expectUnknown(await pay(payment))
    facilitator.settle = 'well'
    const state = async () => (await rowOf(payment))?.state
    await expect.poll(state, { interval: 100 }).toBe('settled')
    expect((await received()) - before.received).toBe(price)
    expect((await pay(payment)).status).toBe(200)
    expect(model.asked - before.asked).toBe(1)
  })

  test('an authorization of the longest validity that is accepted can also be settled later', async () => {
    facilitator.settle = 'answers 500'
    const validBefore = BigInt(Math.floor(Date.now() / 1000) + 1_190)
    const payment = await signPayment(payer, price, { validAfter: 0n, validBefore })
    expectUnknown(await pay(payment))
    facilitator.settle = 'well'
    await endRest(payment)
    expect((await pay(payment)).status).toBe(200)
  })

  test('a refused second attempt proves nothing while the first may still reach the chain', async () => {
    const before = { settle: facilitator.count.settle, received: await received() }
    const payment = await signPayment(payer, price)
    await chain.client.setAutomine(false)
    await chain.client.setIntervalMining({ interval: 0 })
    try {
      expectUnknown(await pay(payment))
      facilitator.settle = 'refuses before sending'
      await endRest(payment)
      const repeated = pay(payment).then((reply) => reply)
      await expect
        .poll(() => facilitator.count.settle, {
          message: 'the settlement was not tried again',
        })
        .toBe(before.settle + 2)
      await expect
        .poll(() => rowOf(payment))
        .toMatchObject({
          state: 'settling',
          leaseUntil: expect.toSatisfy((at) => at.getTime() < Date.now() + 6_000),
        })

      await chain.client.mine({ blocks: 1 })
      await endRest(payment)
      expect((await repeated).status).toBe(200)
      expect((await received()) - before.received).toBe(price)
    } finally {
      await chain.client.setAutomine(true)
    }
  })
})

describe('when a payment can no longer be settled', () => {
  /** @returns the reply to the same payment once the facilitator works again. */
  async function expectFailed(payment: SignedPayment, reason: string): Promise<request.Response> {
    const before = await received()
    const reply = await pay(payment)
    expect(reply.status).toBe(402)
    expect(reply.body).toMatchObject({ code: 'PAYMENT_FAILED', details: { reason } })
    expect(decode(reply.headers['payment-response'])).toMatchObject({ success: false, errorReason: reason })
    expect(reply.body).not.toHaveProperty('lead')
    expect(await rowOf(payment)).toMatchObject({ state: 'failed', failure: reason, replyBody: null })

    expect(await received()).toBe(before)
    facilitator.meanwhile = async () => {}
    facilitator.settle = 'well'
    return await pay(payment)
  }

  test.each<[SettleFailure, string]>([
    ['refuses before sending', 'invalid_exact_evm_insufficient_balance'],
    ['refuses with 400', 'insufficient_funds'],
  ])(
    'a payment that the facilitator %s gets 402 with the reason; nothing is delivered or charged until it settles',
    async (conduct, reason) => {
      facilitator.settle = conduct
      const before = await received()
      const payment = await signPayment(payer, price)
      const again = await expectFailed(payment, reason)
      expect(again.status).toBe(200)
      expect(await provesPayment(again.headers['payment-response'], payment)).toBe(true)
      expect((await received()) - before).toBe(price)
    },
  )

  function expectRefused(again: request.Response, reason: string): void {
    expect([again.status, again.body]).toMatchObject([402, { details: { reason } }])
  }

  test('a payment whose wallet was emptied meanwhile gets 402 with the reason; nothing is delivered or charged', async () => {
    const poor = freshWallet()
    await chain.mint(poor.address, price)
    const elsewhere = await signPayment(poor, price, { to: bystander })
    facilitator.meanwhile = async () =>
      void (await send(transferCall(elsewhere.authorization, elsewhere.signature)))
    const asked = model.asked
    const reason = 'invalid_exact_evm_insufficient_balance'
    expectRefused(await expectFailed(await signPayment(poor, price), reason), reason)
    expect(model.asked - asked).toBe(1)
  })

  test('a payment that its payer canceled meanwhile gets 402 with the reason; nothing is delivered or charged', async () => {
    const payment = await signPayment(payer, price)
    const { nonce } = payment.authorization
    const signature = await signCancel(devPayers[0].privateKey, { authorizer: payer.address, nonce })
    facilitator.meanwhile = async () => void (await cancel(payer.address, nonce, signature))
    const asked = model.asked
    const again = await expectFailed(payment, 'invalid_transaction_state')
    expectRefused(again, 'invalid_exact_evm_nonce_already_used')
    expect(model.asked - asked).toBe(1)
  })
})

test('an authorization that another account submits counts as the payment, also when the wallet is empty then', async () => {
  const poor = freshWallet()
  await chain.mint(poor.address, price)
  const payment = await signPayment(poor, price)
  const before = { broadcasts: facilitator.count.broadcasts, received: await received() }
  let submitted: Hex | undefined
  facilitator.meanwhile = async () => {
    submitted ??= await send(transferCall(payment.authorization, payment.signature))
  }
  const reply = await pay(payment)
  expect(reply.status).toBe(200)
  expect(receiptSchema.parse(decode(reply.headers['payment-response'])).transaction).toBe(submitted)
  expect(await rowOf(payment)).toMatchObject({ state: 'settled', transaction: submitted })
  expect((await received()) - before.received).toBe(price)
})

test('after all tests above, the books and the chain name the same sum', async () => {
  const taken = (await totals(gateway.services)).filter(({ state }) =>
    receivedStates.some((one) => one === state),
  )
  expect(taken.reduce((sum, { amount }) => sum + amount, 0n)).toBe((await received()) - receivedAtFirst)
})

async function cancel(authorizer: Hex, nonce: Hex, signature: Hex): Promise<Hex> {
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
  return hash
}
