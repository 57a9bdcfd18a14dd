import type { Address, LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { runEvery } from '../core/background.ts'
import type { Catalog } from '../core/catalog/catalog.ts'
import type { Log } from '../core/log.ts'
import { networkProbe, type Readiness, watchReadiness } from '../doors/x402/facilitators/readiness.ts'
import { Challenges } from '../doors/x402/wire/challenge.ts'
import { createReceiptSigner, type ReceiptSigner } from '../doors/x402/wire/offer-receipt.ts'
import { createReceipts } from '../doors/x402/wire/receipt.ts'
import type { Metrics } from '../edge/http/metrics.ts'
import { devPayTo } from '../platform/chain/dev-accounts.ts'
import type { Config, Settings } from '../platform/config/config.ts'
import type { PrivateKey } from '../platform/config/secrets.ts'
import type { Books } from '../platform/store/books.ts'
import { type Access, createAccess } from './access.ts'
import type { Closers } from './closers.ts'
import type { Foundation } from './foundation.ts'
import { createPayments, type Payments } from './payments.ts'
import { createQuotas, type Quotas } from './quotas.ts'
import type { Settlement } from './settlement.ts'

/** The three ways for a call to pass: quota, key and payment. */
export interface Doors {
  readonly access: Access
  readonly quotas: Quotas
  readonly payments: Payments
  readonly challenges: Challenges
  /** Signs offers and receipts; undefined without a key for it. */
  readonly signer: ReceiptSigner | undefined
  /** The account that pays refunds; undefined without one. */
  readonly refundAccount: Address | undefined
  readonly readiness: Readiness
}

interface DoorsOptions {
  readonly settings: Settings
  readonly foundation: Foundation
  readonly books: Books
  readonly settlement: Settlement
  readonly metrics: Pick<Metrics, 'countLimit'>
  readonly catalog: () => Catalog
  readonly closers: Closers
  readonly log: Log
}

const keyUsesIntervalMs = 60_000
const forgetIntervalMs = 3_600_000
const readinessIntervalMs = 2_000

export async function openDoors(options: DoorsOptions): Promise<Doors> {
  const { settings, books, catalog, closers, log } = options
  const { config, secrets } = settings
  const access = createAccess({ config, books, catalog, log })
  const { keys } = access
  closers.add(
    () => keys.close(),
    runEvery(() => keys.writeUses(), keyUsesIntervalMs, log),
  )

  const quotas = await createQuotas({
    store: config.store,
    redisUrl: secrets.redisUrl,
    queries: books.queries,
    clock: books.clock,
    countLimit: options.metrics.countLimit,
    log,
  })
  const forget = () => quotas.counters.forget(books.clock.now())
  closers.add(() => quotas.close(), runEvery(forget, forgetIntervalMs, log))

  const readiness = await openReadiness(options)
  return { access, quotas, readiness, ...openPaymentDoor(options, readiness) }
}

/** Watches whether payments can be taken: the chain answers, and the facilitator can settle. */
async function openReadiness({ foundation, settlement, closers, log }: DoorsOptions): Promise<Readiness> {
  const { client, network, devChain } = foundation
  const confirmNetwork = networkProbe(client, network)
  const probe = async () => {
    await confirmNetwork()
    await settlement.facilitator.checkReady()
  }
  const readiness = await watchReadiness(probe, readinessIntervalMs, log)
  closers.add(() => readiness.close())
  void devChain?.died.then((why) => {
    log.fatal({ why }, 'the local chain has ended; paid calls answer 503 until the gateway is started again')
    return readiness.check()
  })
  return readiness
}

function openPaymentDoor(
  { settings, foundation: { client, network }, books, settlement, closers, log }: DoorsOptions,
  readiness: Readiness,
): Pick<Doors, 'payments' | 'challenges' | 'signer' | 'refundAccount'> {
  const { facilitator, settlementTimeoutMs, offer, builderCode } = settlement
  const { config, secrets } = settings
  const { paymentsBaseUrl } = config
  const signer = receiptSigner(config, secrets.receiptKey)
  const challenges = new Challenges(offer, paymentsBaseUrl, {
    signer,
    clock: books.clock,
    ...(builderCode ? { declared: builderCode.declared } : {}),
  })
  const refunding = refundAccount(config, secrets.refundKey)
  const payments = createPayments({
    books,
    client,
    offer,
    facilitator,
    challenges,
    receipts: createReceipts({ network, paymentsBaseUrl, signer }),
    exposure: { maxInFlight: config.maxPaymentsInFlight, settleFirstAfter: config.settleFirstAfter },
    refundAccount: refunding,
    whyNotReady: readiness.whyNot,
    settlementTimeoutMs,
    maxReplyBytes: config.maxReplyStoreBytes,
    isDryRun: config.dryRun,
    log,
  })
  for (const { work, everyMs } of payments.chores) closers.add(runEvery(work, everyMs, log))
  return { payments, challenges, signer, refundAccount: refunding?.address }
}

/** On the local chain, the receiving test account also pays refunds and signs receipts. */
function refundAccount({ chain }: Config, refundKey: PrivateKey | undefined): LocalAccount | undefined {
  const key = refundKey ?? (chain.kind === 'local' ? devPayTo.privateKey : undefined)
  return key === undefined ? undefined : privateKeyToAccount(key)
}

function receiptSigner({ chain }: Config, receiptKey: PrivateKey | undefined): ReceiptSigner | undefined {
  const key = receiptKey ?? (chain.kind === 'local' ? devPayTo.privateKey : undefined)
  return key === undefined ? undefined : createReceiptSigner(key)
}
