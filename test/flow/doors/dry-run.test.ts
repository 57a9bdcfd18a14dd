import request from 'supertest'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tokenAbi } from '../../../src/doors/x402/evidence/token.ts'
import { freePort } from '../../../src/platform/chain/local/port.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import {
  freshWallet,
  type SignedPayment,
  signPayment,
  v1Header,
  v2Header,
} from '../../support/chain/wallet.ts'
import { operatorToken, startGateway, type TestGateway } from '../../support/gateways/gateway.ts'
import { openWorkplace, type Workplace } from '../../support/gateways/process.ts'
import { freshDatabase } from '../../support/stores/database.ts'

/** Dry-run mode (DRY_RUN=true): payments are checked, calls are served, and no money moves. */

const wallet = freshWallet()
const held = 100_000_000n
const usdc = networks['base-sepolia'].usdc.address
let workplace: Workplace
let chain: TestChain
let gateway: TestGateway

beforeAll(async () => {
  workplace = await openWorkplace()
  chain = await startTestChain()
  await chain.mint(wallet.address, held)
  gateway = await startGateway(chain.rpcUrl, { DRY_RUN: 'true' })
})
afterAll(async () => {
  await gateway.close()
  await chain.close()
  await workplace.close()
})

const analyze = (header: string) =>
  request(gateway.url)
    .post('/api/analyze')
    .set('payment-signature', header)
    .send({ businessName: 'Bright Smile Dental' })

/** Neither the ledger nor the chain has a payment. */
async function expectUntouched(...payments: SignedPayment[]): Promise<void> {
  const { queries } = gateway.services
  expect(await queries.selectFrom('payments').selectAll().execute()).toEqual([])
  expect(await queries.selectFrom('keys').selectAll().execute()).toEqual([])
  const read = { address: usdc, abi: tokenAbi } as const
  expect(
    await chain.client.readContract({ ...read, functionName: 'balanceOf', args: [wallet.address] }),
  ).toBe(held)
  for (const { authorization } of payments) {
    const args = [authorization.from, authorization.nonce] as const
    expect(await chain.client.readContract({ ...read, functionName: 'authorizationState', args })).toBe(false)
  }
}

describe('in dry-run mode a valid payment', () => {
  test('is served and not taken, however often it is sent, and each reply says so and has no receipt', async () => {
    const payment = await signPayment(wallet, 100_000n)
    for (const header of [v2Header(payment), v2Header(payment), v1Header(payment)]) {
      const reply = await analyze(header)
      expect([reply.status, reply.headers['x-dry-run']]).toEqual([
        200,
        'the payment was checked and not settled',
      ])
      expect(reply.body.success).toBe(true)
      for (const receipt of ['payment-response', 'x-payment-response', 'x-payment-id']) {
        expect(reply.headers).not.toHaveProperty(receipt)
      }
    }
    await expectUntouched(payment)
  })
})

describe('in dry-run mode a payment that would fail', () => {
  test.each<[string, () => Promise<SignedPayment>, string]>([
    [
      'of too little',
      () => signPayment(wallet, 99_999n),
      'invalid_exact_evm_payload_authorization_value_mismatch',
    ],
    ['of an empty wallet', () => signPayment(freshWallet(), 100_000n), 'insufficient_funds'],
    [
      'that another wallet signed',
      async () => {
        const { signature } = await signPayment(freshWallet(), 100_000n)
        return { ...(await signPayment(wallet, 100_000n)), signature }
      },
      'invalid_exact_evm_payload_signature',
    ],
  ])('%s gets a 402 with the reason', async (_which, sign, reason) => {
    const payment = await sign()
    const reply = await analyze(v2Header(payment, { amount: '100000' }))
    expect([reply.status, reply.body.code, reply.body.details.reason]).toEqual([
      402,
      'PAYMENT_INVALID',
      reason,
    ])
    expect(reply.headers['payment-required']).toBeDefined()
    expect(reply.headers).not.toHaveProperty('x-dry-run')
    await expectUntouched(payment)
  })

  test('is not verified if the call itself is faulty', async () => {
    const payment = await signPayment(wallet, 100_000n)
    const reply = await request(gateway.url)
      .post('/api/analyze')
      .set('payment-signature', v2Header(payment))
      .send({})
    expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_ERROR'])
  })
})

test('in dry-run mode a call without a payment gets a 402 with the price', async () => {
  const reply = await request(gateway.url).post('/api/analyze').send({ businessName: 'Bright Smile Dental' })
  expect([reply.status, reply.body.code, reply.body.details.price]).toEqual([402, 'PAYMENT_REQUIRED', '0.10'])
})

describe('in dry-run mode keys', () => {
  test('are neither sold nor renewed, because they would be free', async () => {
    const made = await request(gateway.url)
      .post('/operator/keys')
      .set('authorization', `Bearer ${operatorToken}`)
      .send({ tier: 'starter', days: 1 })
    const { queries } = gateway.services
    const keysNow = () => queries.selectFrom('keys').selectAll().execute()
    const before = await keysNow()
    for (const [path, body] of [
      ['/api/keys', { tier: 'starter' }],
      ['/api/keys/renew', { keyId: made.body.keyId }],
    ] as const) {
      const payment = await signPayment(wallet, 9_000_000n)
      const reply = await request(gateway.url)
        .post(path)
        .set('payment-signature', v2Header(payment))
        .set('idempotency-key', crypto.randomUUID())
        .send(body)
      expect([path, reply.status, reply.body.code]).toEqual([path, 403, 'DRY_RUN'])
      expect(reply.body.message).toContain('takes no money')
    }
    expect(before).toHaveLength(1)
    expect(await keysNow()).toEqual(before)
    await queries.deleteFrom('keys').execute()
    await expectUntouched()
  })
})

describe('dry-run mode is announced', () => {
  test.each(['/health', '/api/health'])('by GET %s', async (path) => {
    const { body } = await request(gateway.url).get(path)
    expect(body.dry_run).toBe(true)
  })

  test('by the log', () => {
    expect(gateway.logged.filter((line) => line.includes('runs in dry-run mode'))).toHaveLength(1)
  })

  test('by the first lines of npm start', async () => {
    const started = workplace.start('main', {
      settings: {
        PORT: String(await freePort()),
        RPC_URL: chain.rpcUrl,
        DATABASE_URL: await freshDatabase(),
        PAY_TO: wallet.address,
        SETTLER_KEY: generatePrivateKey(),
        DATA_DIR: `${workplace.folder}/data`,
        DRY_RUN: 'true',
        LOG_LEVEL: 'silent',
      },
    })
    await started.shows(/Dry run: payments are checked, and no money is taken\./)
    started.signal('SIGTERM')
    expect((await started.ended).code).toBe(0)
  })
})
