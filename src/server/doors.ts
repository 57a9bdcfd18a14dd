import { runEvery } from '../core/background.ts'
import { type Catalog, longestValiditySeconds } from '../core/catalog/catalog.ts'
import type { Log } from '../core/log.ts'
import { acceptAccounts } from '../doors/x402/door/accounts.ts'
import { createRecipients, noteIntervalMs, type Recipients } from '../doors/x402/door/recipients.ts'
import { RefusedPayments } from '../doors/x402/door/refused-payments.ts'
import { networkProbe, type Readiness, watchReadiness } from '../doors/x402/facilitators/readiness.ts'
import { Challenges } from '../doors/x402/wire/challenge.ts'
import { serviceMetadata } from '../doors/x402/wire/discovery.ts'
import { createReceiptSigner, type ReceiptSigner } from '../doors/x402/wire/offer-receipt.ts'
import { createReceipts } from '../doors/x402/wire/receipt.ts'
import { oncePer } from '../edge/handlers/document.ts'
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
  readonly readiness: Readiness
  readonly refused: RefusedPayments
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
  const { settings, foundation, books, catalog, closers, log } = options
  const { config, secrets } = settings
  const access = createAccess({ config, books, chainId: foundation.network.chainId, catalog, log })
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

  // Before the first 402 and the first payment: which accounts are ours to send from, and which one is named.
  await options.settlement.sharedAccounts?.registry.renew()
  const readiness = await openReadiness(options)
  const recipients = await openRecipients(options)
  const refused = new RefusedPayments(quotas.rates, settings.config.maxRefusedPayments)
  return { access, quotas, readiness, refused, ...openPaymentDoor(options, recipients, readiness, refused) }
}

/** Notes our account before the first 402 names it: the other gateways must take payments to it by then. */
async function openRecipients({
  settings: { config },
  books,
  settlement: { offer },
  catalog,
  closers,
  log,
}: DoorsOptions): Promise<Recipients> {
  const recipients = createRecipients({
    books,
    offer,
    refused: config.refusedPayTo,
    longestValiditySeconds: () => longestValiditySeconds(catalog()),
  })
  // A dry run takes no payments, so no other gateway should take any to its account.
  if (config.dryRun) return recipients
  await recipients.note()
  closers.add(runEvery(() => recipients.note(), noteIntervalMs, log))
  return recipients
}

/** Watches whether payments can be taken: the chain answers, and the facilitator can settle. */
async function openReadiness({ foundation, settlement, closers, log }: DoorsOptions): Promise<Readiness> {
  const { watchClient, network, devChain } = foundation
  const confirmNetwork = networkProbe(watchClient, network)
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
  { settings, foundation: { client, network }, books, settlement, catalog, closers, log }: DoorsOptions,
  recipients: Recipients,
  readiness: Readiness,
  refused: RefusedPayments,
): Pick<Doors, 'payments' | 'challenges' | 'signer'> {
  const { facilitator, listing, settlementTimeoutMs, offer, builderCode, sharedAccounts } = settlement
  const registry = sharedAccounts?.registry
  const { config, secrets } = settings
  const { paymentsBaseUrl } = config
  const signer = receiptSigner(config, secrets.receiptKey)
  const challenges = new Challenges(offer, paymentsBaseUrl, {
    signer,
    clock: books.clock,
    service: oncePer(catalog, ({ provider }) => serviceMetadata(provider, `${config.baseUrl}/favicon.svg`)),
    ...(builderCode ? { declared: builderCode.declared } : {}),
  })
  const payments = createPayments({
    books,
    client,
    offer,
    recipients: registry ? acceptAccounts(recipients, registry) : recipients,
    leftToOthers: registry && (() => registry.leftToOthers()),
    facilitator,
    listing,
    challenges,
    paymentsBaseUrl,
    receipts: createReceipts({ network, paymentsBaseUrl, signer }),
    refused,
    exposure: {
      maxInFlight: config.maxPaymentsInFlight,
      settleFirstAfter: config.settleFirstAfter,
      credit: config.credit,
    },
    maxFailedRuns: config.maxFailedRuns,
    refundAccount: settlement.refundAccount,
    noteGas: (transaction, purpose) => settlement.gasBook.noteFound(transaction, purpose),
    whyNotReady: readiness.whyNot,
    settlementTimeoutMs,
    maxReplyBytes: config.maxReplyStoreBytes,
    isDryRun: config.dryRun,
    log,
  })
  for (const { work, everyMs } of payments.chores) closers.add(runEvery(work, everyMs, log))
  return { payments, challenges, signer }
}

/** On the local chain, the receiving test account also signs receipts. */
function receiptSigner({ chain }: Config, receiptKey: PrivateKey | undefined): ReceiptSigner | undefined {
  const key = receiptKey ?? (chain.kind === 'local' ? devPayTo.privateKey : undefined)
  return key === undefined ? undefined : createReceiptSigner(key)
}
