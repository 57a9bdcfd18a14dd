import { randomBytes } from 'node:crypto'
import type { Hex } from 'viem'
import { z } from 'zod'
import type { PricedOperation } from '../../../src/core/catalog/priced-operation.ts'
import { endpoint, noInput } from '../../../src/core/endpoint.ts'
import { createLog } from '../../../src/core/log.ts'
import { createMemoryRates } from '../../../src/doors/quota/rates/memory.ts'
import type { PaidCall } from '../../../src/doors/x402/door/purchase.ts'
import { createRecipients } from '../../../src/doors/x402/door/recipients.ts'
import { RefusedPayments } from '../../../src/doors/x402/door/refused-payments.ts'
import { Challenges } from '../../../src/doors/x402/wire/challenge.ts'
import type { Facilitator, Settlement, Verdict } from '../../../src/doors/x402/wire/facilitator.ts'
import { createReceipts } from '../../../src/doors/x402/wire/receipt.ts'
import { requirementFor } from '../../../src/doors/x402/wire/requirements.ts'
import { createChainClient } from '../../../src/platform/chain/client.ts'
import { devPayTo, devSettler } from '../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import type { Books } from '../../../src/platform/store/books.ts'
import type { PaymentRow } from '../../../src/platform/store/rows/payments.ts'
import { createPayments, type Payments } from '../../../src/server/payments.ts'
import { freshWallet } from '../chain/wallet.ts'
import { openServer } from '../stores/ledger.ts'

/**
 * The payment door alone, with its own books and a facilitator that records every settlement and settles it.
 * For tests of when a payment settles and for how much, without a chain.
 */
export interface MeteredScene {
  readonly payments: Payments
  /** The same in dry-run mode: a payment is only checked. */
  readonly dryRun: Payments
  readonly books: Books
  /** The settled amounts. */
  readonly settled: bigint[]
  /** The results of the next settlements, instead of success. */
  readonly fates: (Settlement | Promise<Settlement>)[]
  /** The results of the next verifications, instead of success. */
  readonly verdicts: Verdict[]
  /** Who pays, as far as a look at the signature tells. */
  readonly payers: { kind: 'unknown' | 'contract' }
  /** A call of a new payer by this scheme. */
  call(scheme: 'exact' | 'upto', change?: Partial<PricedOperation>): PaidCall
  rowOf(call: PaidCall): Promise<PaymentRow>
  close(): Promise<void>
}

const network = networks['base-sepolia']
const offer = { network, payTo: devPayTo.address, upto: () => devSettler.address }

/** A millionth of a USDC for a unit of the request, two for one of the reply, and at most 0.10 USDC. */
const metered: PricedOperation = {
  description: 'a model',
  price: '0.10',
  settle: 'metered',
  deadlineSeconds: 30,
  validitySeconds: 300,
  meter: { per: 'tokens', units: 1, input: '0.000001', output: '0.000002', max: '0.10' },
  upstream: 'model',
}

const chat = endpoint(
  'chat',
  {
    ...noInput,
    method: 'POST',
    path: '/v1/chat/completions',
    body: z.looseObject({}),
    response: z.unknown(),
  },
  () => {
    throw new Error('this endpoint has no handler: the test makes its replies')
  },
)

/** @param settleFirstAfter after so many failed settlements a payer must pay before the work. */
export async function openMeteredScene(settleFirstAfter = 3): Promise<MeteredScene> {
  const opened = await openServer()
  const books: Books = { queries: opened.one.queries, clock: { now: () => Date.now() } }
  const settled: bigint[] = []
  const fates: MeteredScene['fates'] = []
  const verdicts: Verdict[] = []
  const payers: MeteredScene['payers'] = { kind: 'unknown' }
  const facilitator: Facilitator = {
    id: 'test',
    screen: async () => ({ kind: payers.kind }),
    uptoAddress: offer.upto,
    verify: async () => verdicts.shift() ?? { isValid: true, funds: { balance: 2n ** 62n, block: 0n } },
    async settle(_payment, { amount }) {
      settled.push(BigInt(amount))
      const block = { number: 1n, hash: bytes(32) }
      return fates.shift() ?? { outcome: 'settled', transaction: bytes(32), block }
    },
    checkReady: async () => {},
    maySettleFrom: () => true,
    settlers: () => [],
  }
  const paymentsBaseUrl = 'https://pay.example.com'
  const options = {
    books,
    // No server listens there: these tests use no chain.
    client: createChainClient({ network, rpcUrl: 'http://127.0.0.1:1', timeoutMs: 100 }),
    offer,
    recipients: createRecipients({ books, offer, refused: [], longestValiditySeconds: () => 300 }),
    facilitator,
    challenges: new Challenges(offer, paymentsBaseUrl),
    receipts: createReceipts({ network, paymentsBaseUrl }),
    paymentsBaseUrl,
    refused: new RefusedPayments(createMemoryRates(), 100),
    exposure: {
      maxInFlight: 100,
      settleFirstAfter,
      credit: { newPayerCalls: 100, newPayerAmount: 2n ** 62n, maxUnsettled: 2n ** 62n },
    },
    maxFailedRuns: 1_000,
    refundAccount: undefined,
    whyNotReady: () => undefined,
    settlementTimeoutMs: 1_000,
    maxReplyBytes: 1_000_000,
    log: createLog('silent'),
  }
  return {
    payments: createPayments({ ...options, isDryRun: false }),
    dryRun: createPayments({ ...options, isDryRun: true }),
    books,
    settled,
    fates,
    verdicts,
    payers,
    call(scheme, change = {}) {
      const operation = { ...metered, ...change }
      const requirement = requirementFor(operation, offer, scheme)
      const now = BigInt(Math.floor(Date.now() / 1000))
      return {
        endpoint: chat,
        operation,
        payment: {
          version: 2,
          accepted: { version: 2, ...requirement },
          authorization: {
            from: freshWallet().address,
            to: requirement.payTo,
            value: BigInt(requirement.amount),
            validAfter: 0n,
            validBefore: now + 300n,
            nonce: bytes(32),
            ...(scheme === 'upto' ? { facilitator: devSettler.address } : {}),
          },
          signature: bytes(65),
          identifier: undefined,
        },
        idempotencyKey: undefined,
        target: '/v1/chat/completions',
        body: randomBytes(16),
        client: '192.0.2.1',
      }
    },
    async rowOf({ payment }) {
      const { nonce } = payment.authorization
      return books.queries
        .selectFrom('payments')
        .selectAll()
        .where('nonce', '=', nonce)
        .executeTakeFirstOrThrow()
    },
    close: opened.close,
  }
}

function bytes(count: number): Hex {
  return `0x${randomBytes(count).toString('hex')}`
}
