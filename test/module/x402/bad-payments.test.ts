import { concat, encodeAbiParameters, type Hex, type LocalAccount } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { PricedOperation } from '../../../src/core/catalog/priced-operation.ts'
import { endpoint, noInput } from '../../../src/core/endpoint.ts'
import { GatewayError } from '../../../src/core/errors.ts'
import { createLog } from '../../../src/core/log.ts'
import { json } from '../../../src/core/reply.ts'
import { markServed } from '../../../src/doors/ledger/grouped-moves.ts'
import { markFailed } from '../../../src/doors/ledger/payments.ts'
import { createMemoryRates } from '../../../src/doors/quota/rates/memory.ts'
import type { PaidCall } from '../../../src/doors/x402/door/purchase.ts'
import { createRecipients } from '../../../src/doors/x402/door/recipients.ts'
import { RefusedPayments } from '../../../src/doors/x402/door/refused-payments.ts'
import { createLocalFacilitator } from '../../../src/doors/x402/facilitators/local.ts'
import { PayerCodeCache } from '../../../src/doors/x402/settler/payer-code-cache.ts'
import type { Signer } from '../../../src/doors/x402/settler/sender.ts'
import { Challenges } from '../../../src/doors/x402/wire/challenge.ts'
import { createReceipts } from '../../../src/doors/x402/wire/receipt.ts'
import { type Offer, requirementFor } from '../../../src/doors/x402/wire/requirements.ts'
import type { Permit } from '../../../src/doors/x402/wire/types.ts'
import { createChainClient } from '../../../src/platform/chain/client.ts'
import { devPayers } from '../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import type { Books } from '../../../src/platform/store/books.ts'
import { createPayments, type Payments } from '../../../src/server/payments.ts'
import { contractCode } from '../../support/chain/chain.ts'
import { createReceivingAccount, type ReceivingAccount } from '../../support/chain/receiving-account.ts'
import { type SettlementScene, startSettlementScene } from '../../support/chain/settlement.ts'
import {
  approve,
  cancelUpto,
  signPermit,
  signUpto,
  uptoWallet,
} from '../../support/chain/upto-authorization.ts'
import { freshWallet, type SignedPayment, signPayment } from '../../support/chain/wallet.ts'
import { type Opened, openServer } from '../../support/stores/ledger.ts'

/**
 * What a payment that pays for nothing costs the gateway when it is sent twenty times: calls to the node, each
 * call of a batch counted, and statements to the store. Only the door runs here, so nothing else asks the
 * node. The gas price is left out, which all simulations of three seconds share.
 */

const network = networks['base-sepolia']
const price = 100_000n
const repeats = 20
const log = createLog('silent')

const fixed: PricedOperation = {
  description: 'At a fixed price.',
  price: '0.10',
  settle: 'after',
  deadlineSeconds: 60,
  validitySeconds: 300,
}
const metered: PricedOperation = {
  ...fixed,
  settle: 'metered',
  meter: { per: 'tokens', units: 1, input: '0.000001', output: '0.000002', max: '0.10' },
}
const chat = endpoint(
  'chat',
  { ...noInput, method: 'POST', path: '/chat', body: z.looseObject({}), response: z.unknown() },
  () => json(200, {}),
)

let scene: SettlementScene
let signer: Signer
let opened: Opened
let payee: ReceivingAccount
let offer: Offer
let books: Books
let payments: Payments
/** The same gateway with the credit of an operator. */
let careful: Payments
let statements = 0
/** The time of the gateway, where a test stops it. */
let stoppedAt: number | undefined

beforeAll(async () => {
  scene = await startSettlementScene()
  signer = await scene.gasAccount()
  opened = await openServer()
  const queries = opened.one.queries.withPlugin({
    transformQuery({ node }) {
      statements += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
  books = { queries, clock: { now: () => stoppedAt ?? Date.now() } }
  payee = createReceivingAccount(scene.chain, freshWallet().address)
  const client = createChainClient({ network, rpcUrl: scene.node.url, timeoutMs: 2_000 })
  const watchClient = createChainClient({ network, rpcUrl: scene.chain.rpcUrl, timeoutMs: 2_000 })
  const payers = new PayerCodeCache(client)
  const { settler } = scene.start([signer], { client, watchClient, payers })
  await settler.checkReady()
  offer = { network, payTo: payee.address, upto: () => settler.uptoAddress() }
  const options = {
    books,
    client,
    offer,
    recipients: createRecipients({ books, offer, refused: [], longestValiditySeconds: () => 300 }),
    facilitator: createLocalFacilitator({ client, network, settler, payers }),
    challenges: new Challenges(offer, 'https://pay.example.com'),
    receipts: createReceipts({ network, paymentsBaseUrl: 'https://pay.example.com' }),
    paymentsBaseUrl: 'https://pay.example.com',
    refused: new RefusedPayments(createMemoryRates(), 1_000),
    exposure: {
      maxInFlight: 100,
      settleFirstAfter: 1_000,
      credit: { newPayerCalls: 100, newPayerAmount: 2n ** 62n, maxUnsettled: 2n ** 62n },
    },
    maxFailedRuns: 6,
    refundAccount: undefined,
    whyNotReady: () => undefined,
    settlementTimeoutMs: 1_000,
    maxReplyBytes: 1_000_000,
    isDryRun: false,
    log,
  }
  payments = createPayments(options)
  const credit = { newPayerCalls: 1, newPayerAmount: 1_000_000n, maxUnsettled: 5_000_000n }
  careful = createPayments({ ...options, exposure: { ...options.exposure, credit } })
})
afterAll(async () => {
  await scene.tidy()
  await opened.close()
  await scene.close()
})

const exactWallet = async () => {
  const wallet = freshWallet()
  await scene.chain.mint(wallet.address, price)
  return wallet
}
const signExact = (wallet: LocalAccount, change: Partial<SignedPayment['authorization']> = {}) =>
  signPayment(wallet, price, { to: payee.address, ...change })
const signMetered = (wallet: LocalAccount, change: Partial<SignedPayment['authorization']> = {}) =>
  signUpto(wallet, signer.address, price, { to: payee.address, ...change })

function callOf(signed: SignedPayment & { readonly permit?: Permit }): PaidCall {
  const isUpto = signed.authorization.facilitator !== undefined
  const operation = isUpto ? metered : fixed
  const requirement = requirementFor(operation, offer, isUpto ? 'upto' : 'exact')
  return {
    endpoint: chat,
    operation,
    payment: { version: 2, accepted: { version: 2, ...requirement }, identifier: undefined, ...signed },
    idempotencyKey: undefined,
    target: '/chat',
    client: '192.0.2.1',
    body: Buffer.from('{}'),
  }
}

/** Opens the door, and lets the run of an admitted call fail by the caller's making. */
async function send(call: PaidCall): Promise<string> {
  try {
    const outcome = await payments.door.open(call)
    if (outcome.kind === 'answered') return String(outcome.reply.status)
    await outcome.admission.release('callers_making')
    return 'run'
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return error.code
  }
}

/** Writes a payment into the books as one that the chain refused. */
async function fail(call: PaidCall): Promise<void> {
  const outcome = await payments.door.open(call)
  if (outcome.kind !== 'admitted' || !outcome.admission.payment)
    throw new Error('the payment was not claimed')
  const held = outcome.admission.payment
  await markServed(books, held, undefined, 1_000)
  await markFailed(books, held, 'invalid_transaction_state')
}

async function release(call: PaidCall): Promise<void> {
  if ((await send(call)) !== 'run') throw new Error('the payment was not claimed')
}

/** Another account uses the nonce, for a transfer to somebody else. */
async function useNonce(wallet: LocalAccount, { authorization: { nonce } }: SignedPayment): Promise<void> {
  await payee.submit(await signPayment(wallet, price, { nonce, to: devPayers[4].address }))
}

/** Moves the money of a wallet away. */
async function empty(wallet: LocalAccount): Promise<void> {
  await payee.submit(await signPayment(wallet, price, { to: devPayers[4].address }))
}

async function deployWallet(): Promise<Hex> {
  const code = await contractCode('ContractWallet')
  const owner = encodeAbiParameters([{ type: 'address' }], [freshWallet().address])
  const { client } = scene.chain
  const hash = await client.sendTransaction({ account: devPayers[6].address, data: concat([code, owner]) })
  const { contractAddress } = await client.waitForTransactionReceipt({ hash })
  if (!contractAddress) throw new Error('the wallet contract was not deployed')
  await scene.chain.mint(contractAddress, price)
  return contractAddress
}

const unsigned: Hex = `0x${'11'.repeat(64)}1b`

/** The calls to the node and the statements of one payment that is sent so often. */
async function costOf(call: PaidCall, isAtOnce = false) {
  const before = { rpc: scene.node.countAll(), statements }
  const outcomes: string[] = []
  if (isAtOnce) outcomes.push(...(await Promise.all(Array.from({ length: repeats }, () => send(call)))))
  else for (let sent = 0; sent < repeats; sent += 1) outcomes.push(await send(call))
  return {
    rpc: scene.node.countAll() - before.rpc,
    statements: statements - before.statements,
    outcomes: [...new Set(outcomes)],
  }
}

type Kind = readonly [title: string, arrange: () => Promise<PaidCall>]

const kinds: readonly Kind[] = [
  ['another amount', async () => callOf(await signExact(freshWallet(), { value: price + 1n }))],
  ['expired', async () => callOf(await signExact(freshWallet(), { validBefore: 1n }))],
  [
    'valid for too long',
    async () => callOf(await signExact(freshWallet(), { validBefore: 2n ** 256n - 1n })),
  ],
  [
    'a signature that is not the payer’s',
    async () => callOf({ ...(await signExact(freshWallet())), signature: unsigned }),
  ],
  [
    'the signature of a wallet that is not deployed',
    async () =>
      callOf({
        ...(await signExact(freshWallet())),
        signature: concat([unsigned, `0x${'6492'.repeat(16)}`]),
      }),
  ],
  [
    'a signature that a wallet contract refuses',
    async () =>
      callOf({ ...(await signExact(freshWallet(), { from: await deployWallet() })), signature: unsigned }),
  ],
  ['an empty wallet', async () => callOf(await signExact(freshWallet()))],
  [
    'a used nonce',
    async () => {
      const wallet = await exactWallet()
      const signed = await signExact(wallet)
      await useNonce(wallet, signed)
      return callOf(signed)
    },
  ],
  [
    'failed, and its nonce is used',
    async () => {
      const wallet = await exactWallet()
      const signed = await signExact(wallet, { validAfter: 0n })
      await fail(callOf(signed))
      await useNonce(wallet, signed)
      return callOf(signed)
    },
  ],
  [
    'failed, and its wallet is empty',
    async () => {
      const wallet = await exactWallet()
      const signed = await signExact(wallet)
      await fail(callOf(signed))
      await empty(wallet)
      return callOf(signed)
    },
  ],
  [
    'released, and its nonce is used',
    async () => {
      const wallet = await exactWallet()
      const signed = await signExact(wallet, { validAfter: 0n })
      await release(callOf(signed))
      await useNonce(wallet, signed)
      return callOf(signed)
    },
  ],
  [
    'released, and its wallet is empty',
    async () => {
      const wallet = await exactWallet()
      const signed = await signExact(wallet)
      await release(callOf(signed))
      await empty(wallet)
      return callOf(signed)
    },
  ],
  [
    'upto: a signature that is not the payer’s',
    async () => {
      const wallet = await uptoWallet(scene.chain, price)
      return callOf({ ...(await signMetered(wallet)), signature: unsigned })
    },
  ],
  [
    'upto: another account',
    async () => callOf(await signMetered(freshWallet(), { facilitator: devPayers[3].address })),
  ],
  ['upto: an empty wallet', async () => callOf(await signMetered(freshWallet()))],
  ['upto: no allowance', async () => callOf(await signMetered(await uptoWallet(scene.chain, price, 0n)))],
  [
    'upto: a permit that is not the payer’s',
    async () => {
      const wallet = await uptoWallet(scene.chain, price, 0n)
      const signed = await signMetered(wallet)
      const permit = await signPermit(scene.chain, wallet, signed)
      return callOf({ ...signed, permit: { ...permit, signature: unsigned } })
    },
  ],
  [
    'upto: a canceled nonce',
    async () => {
      const wallet = await uptoWallet(scene.chain, price)
      const signed = await signMetered(wallet)
      await cancelUpto(scene.chain, wallet, signed)
      return callOf(signed)
    },
  ],
  [
    'upto: failed, and its nonce is canceled',
    async () => {
      const wallet = await uptoWallet(scene.chain, price)
      const signed = await signMetered(wallet, { validAfter: 0n })
      await fail(callOf(signed))
      await cancelUpto(scene.chain, wallet, signed)
      return callOf(signed)
    },
  ],
  [
    'upto: released three times',
    async () => {
      const call = callOf(await signMetered(await uptoWallet(scene.chain, price)))
      for (let run = 0; run < 3; run += 1) await release(call)
      return call
    },
  ],
  [
    'upto: released, and its allowance is gone',
    async () => {
      const wallet = await uptoWallet(scene.chain, price)
      const signed = await signMetered(wallet)
      await release(callOf(signed))
      await approve(scene.chain, wallet, 0n)
      return callOf(signed)
    },
  ],
]

/** Payments that our books cannot hold, each another one. */
const foreign: readonly Kind[] = [
  ['to another recipient', async () => callOf(await signExact(freshWallet(), { to: freshWallet().address }))],
  ['for another network', async () => ofAnother(await signExact(freshWallet()), { network: 'eip155:1' })],
  [
    'for another token',
    async () => ofAnother(await signExact(freshWallet()), { asset: devPayers[5].address }),
  ],
]

function ofAnother(signed: SignedPayment, change: { network?: string; asset?: string }): PaidCall {
  const call = callOf(signed)
  const { payment } = call
  if (payment.accepted.version !== 2) throw new Error('the payment is not of x402 v2')
  return { ...call, payment: { ...payment, accepted: { ...payment.accepted, ...change } } }
}

const table: string[] = []
afterAll(() => {
  if (process.env.SHOW_COSTS) process.stdout.write(`${table.join('\n')}\n`)
})

test.each(foreign)(
  'twenty payments %s cost one statement at most, and no call to the node',
  async (_title, arrange) => {
    const calls = await Promise.all(Array.from({ length: repeats }, arrange))
    const before = { rpc: scene.node.countAll(), statements }
    stoppedAt = Date.now()
    for (const call of calls) expect(await send(call)).toBe('402')
    stoppedAt = undefined
    expect(scene.node.countAll()).toBe(before.rpc)
    expect(statements - before.statements).toBeLessThanOrEqual(1)
  },
)

test.each([
  ['of empty wallets', async () => callOf(await signExact(freshWallet()))],
  ['of another amount', async () => callOf(await signExact(freshWallet(), { value: price + 1n }))],
  ['that have expired', async () => callOf(await signExact(freshWallet(), { validBefore: 1n }))],
  [
    'with another signature',
    async () => callOf({ ...(await signExact(freshWallet())), signature: unsigned }),
  ],
] satisfies Kind[])('twenty payments %s are looked up in the books once each', async (_title, arrange) => {
  const calls = await Promise.all(Array.from({ length: repeats }, arrange))
  const before = statements
  for (const call of calls) expect(await send(call)).toBe('402')
  expect(statements - before).toBe(repeats)
})

describe('a payment that pays for nothing costs at most one call to the node each time, sent twenty times:', () => {
  test.each(kinds)('%s', async (title, arrange) => {
    const call = await arrange()
    const one = await costOf(call)
    table.push(`| ${title} | ${one.rpc} | ${one.statements} | ${one.outcomes.join(', ')} |`)
    expect(one.outcomes).toEqual(['402'])
    expect(one.rpc).toBeLessThanOrEqual(repeats)
  })

  test.each(kinds)('twenty copies at once: %s', async (title, arrange) => {
    const { rpc, statements: written } = await costOf(await arrange(), true)
    table.push(`| ${title}, at once | ${rpc} | ${written} | |`)
    expect(rpc).toBeLessThanOrEqual(repeats)
  })
})

describe('twenty payments of one payer at once cost less than one call to the node each:', () => {
  const sign = (make: () => Promise<SignedPayment>) =>
    Promise.all(Array.from({ length: repeats }, async () => callOf(await make())))

  test.each([
    ['exact', () => freshWallet(), signExact],
    ['upto', () => freshWallet(), signMetered],
  ] as const)('%s, of an empty wallet', async (_scheme, make, signOne) => {
    const wallet = make()
    const calls = await sign(() => signOne(wallet))
    const before = scene.node.countAll()
    const outcomes = await Promise.all(calls.map(send))
    expect(outcomes).toEqual(Array(repeats).fill('402'))
    expect(scene.node.countAll() - before).toBeLessThanOrEqual(repeats / 4)
  })

  test('upto, where all but one wait for the first, and are refused when that one has failed', async () => {
    const wallet = await uptoWallet(scene.chain, BigInt(repeats) * price)
    const calls = await sign(() => signMetered(wallet))
    const before = scene.node.countAll()
    const answered: number[] = []
    const opening = calls.map(async (call) => {
      const outcome = await careful.door.open(call)
      if (outcome.kind === 'answered') answered.push(outcome.reply.status)
      return outcome
    })
    const first = await Promise.any(
      opening.map(async (outcome) => {
        const opened = await outcome
        if (opened.kind !== 'admitted' || !opened.admission.payment) throw new Error('it was refused')
        return opened.admission.payment
      }),
    )
    // As another gateway would write it, so that the waiting calls are not woken.
    await markServed(books, first, undefined, 1_000)
    expect(answered).toEqual([])
    await markFailed(books, first, 'invalid_transaction_state')

    await Promise.all(opening)
    expect(answered).toEqual(Array(repeats - 1).fill(402))
    expect(scene.node.countAll() - before).toBeLessThanOrEqual(repeats / 4)
  })
})
