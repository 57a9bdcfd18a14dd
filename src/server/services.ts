import { getAddress, type LocalAccount, type PublicClient } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { runEvery } from '../core/background.ts'
import { systemClock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import { noteMetering } from '../doors/ledger/meterings.ts'
import { readFunds } from '../doors/x402/evidence/funds.ts'
import { networkProbe, watchReadiness } from '../doors/x402/facilitators/readiness.ts'
import { createSettlerMetrics } from '../doors/x402/settler/metrics.ts'
import { createBuilderCode } from '../doors/x402/wire/builder-code.ts'
import { Challenges } from '../doors/x402/wire/challenge.ts'
import { createReceiptSigner, type ReceiptSigner } from '../doors/x402/wire/offer-receipt.ts'
import { createReceipts } from '../doors/x402/wire/receipt.ts'
import { type PricingInput, pricingDocument, pricingOverview } from '../edge/discovery/pricing/document.ts'
import { pricingMarkdown } from '../edge/discovery/pricing/markdown.ts'
import { renderPricingPage } from '../edge/discovery/pricing/page.ts'
import { createEndpoints } from '../edge/handlers/endpoints.ts'
import { takeReport } from '../edge/handlers/scans/report-limit.ts'
import { checkHealth } from '../edge/handlers/service/check-health.ts'
import { ownEndpoints } from '../edge/handlers/table.ts'
import { createMetrics } from '../edge/http/metrics.ts'
import { createExplain } from '../gateway/explain/explain.ts'
import { createUseNotes } from '../gateway/use-notes.ts'
import { devPayTo } from '../platform/chain/dev-accounts.ts'
import type { DevChain } from '../platform/chain/local/dev-chain.ts'
import type { Network } from '../platform/chain/networks.ts'
import { loadCatalog } from '../platform/config/catalog-file.ts'
import type { Config } from '../platform/config/config.ts'
import { type LiveCatalog, openLiveCatalog } from '../platform/config/live-catalog.ts'
import type { Queries } from '../platform/store/database.ts'
import type { TextEngine } from '../products/text/engine.ts'
import { createLocalEngine } from '../products/text/local/local-engine.ts'
import { createAccess } from './access.ts'
import type { AppParts } from './app.ts'
import { catalogFaults } from './catalog-checks.ts'
import { createFacilitators } from './facilitators.ts'
import { openFoundation } from './foundation.ts'
import { createPayments } from './payments.ts'
import { createQuotas } from './quotas.ts'
import { createScanning } from './scanning.ts'
import { createUpstreamProxy } from './upstreams.ts'

/** Everything the gateway consists of, built once from the configuration and closed in reverse. */
export interface Services {
  readonly parts: AppParts
  /** The local chain, when there is one. */
  readonly devChain: DevChain | undefined
  readonly client: PublicClient
  readonly network: Network
  /** The durable store's queries: the books. */
  readonly queries: Queries
  /** What is sold, and the way to take a changed price list into use. */
  readonly catalog: LiveCatalog
  /** Resolves when everything that was delivered so far is charged and noted. */
  idle(): Promise<void>
  close(): Promise<void>
}

const version = '1.0.0'
const readinessIntervalMs = 2_000
const keyUsesIntervalMs = 60_000
const forgetIntervalMs = 3_600_000
const spendingIntervalMs = 10_000

export async function createServices(
  config: Config,
  log: Log,
  progress: (line: string) => void,
): Promise<Services> {
  const closers: (() => Promise<void> | void)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    return await build()
  } catch (error) {
    await close()
    throw error
  }

  async function build(): Promise<Services> {
    const clock = systemClock
    // A faulty one ends the start here, before the slow parts; it is taken into use once they are there.
    await loadCatalog(config.catalogFile, ownEndpoints)

    const foundation = await openFoundation({ config, closers, log, progress })
    const { database, devChain, client, network } = foundation
    const books = { queries: database.queries, clock }
    const metrics = createMetrics()
    const builderCode = config.builderCode === undefined ? undefined : createBuilderCode(config.builderCode)
    const { facilitator, settlementTimeoutMs, closeFacilitator } = createFacilitators({
      facilitators: config.facilitators,
      client,
      network,
      builderCode,
      metrics: createSettlerMetrics(metrics.registry),
      log,
    })
    closers.push(closeFacilitator)
    const offer = {
      network,
      payTo: getAddress(config.payTo ?? devPayTo.address),
      upto: facilitator.uptoAddress,
    }

    const catalog = await openLiveCatalog({
      file: config.catalogFile,
      own: ownEndpoints,
      check: (read) => catalogFaults(read, config, settlementTimeoutMs),
      log,
    })
    closers.push(catalog.close)
    catalog.watch()

    const { credentials, keys, oauth } = createAccess({ config, books, catalog: catalog.current, log })
    closers.push(keys.close, runEvery(keys.writeUses, keyUsesIntervalMs, log))
    const quotas = await createQuotas({ config, queries: database.queries, clock, log })
    closers.push(
      quotas.close,
      runEvery(() => quotas.counters.forget(clock.now()), forgetIntervalMs, log),
    )

    const text = await createTextEngine(config)
    const scanning = await createScanning({ config, version, database, clock, text, log })
    closers.push(scanning.close, runEvery(scanning.forget, forgetIntervalMs, log))

    const confirmNetwork = networkProbe(client, network)
    const probe = async () => {
      await confirmNetwork()
      await facilitator.checkReady()
    }
    const readiness = await watchReadiness(probe, readinessIntervalMs, log)
    closers.push(readiness.close)
    void devChain?.died.then((why) => {
      log.fatal(
        { why },
        'the local chain has ended; paid calls answer 503 until the gateway is started again',
      )
      return readiness.check()
    })

    const { paymentsBaseUrl } = config
    const signer = receiptSigner(config)
    const challenges = new Challenges(offer, paymentsBaseUrl, {
      signer,
      clock,
      ...(builderCode ? { declared: builderCode.declared } : {}),
    })
    const receipts = createReceipts({ network, paymentsBaseUrl, signer })
    const payments = createPayments({
      books,
      client,
      offer,
      facilitator,
      challenges,
      receipts,
      exposure: { maxInFlight: config.maxPaymentsInFlight, settleFirstAfter: config.settleFirstAfter },
      refundAccount: refundAccount(config),
      whyNotReady: readiness.whyNot,
      settlementTimeoutMs,
      maxReplyBytes: config.maxReplyStoreBytes,
      isDryRun: config.dryRun,
      log,
    })
    for (const { work, everyMs } of payments.chores) closers.push(runEvery(work, everyMs, log))

    const notes = createUseNotes({ write: (row) => noteMetering(books, row), clock, log })
    const { upstreams, spending } = createUpstreamProxy({
      config,
      catalog: catalog.current,
      books,
      client,
      network,
      log,
    })
    if (spending) closers.push(runEvery(spending.sweep, spendingIntervalMs, log))
    // What was delivered is charged and noted before the books are closed.
    const idle = async () =>
      void (await Promise.all([payments.door.idle(), quotas.door.idle(), notes.idle(), spending?.idle()]))
    closers.push(idle, upstreams.close)

    const offered = () => [...endpoints, ...upstreams.endpoints()]
    const pricing = (): PricingInput => ({
      catalog: catalog.current(),
      endpoints: offered(),
      network,
      payTo: offer.payTo,
      baseUrl: config.baseUrl,
      paymentsBaseUrl: config.paymentsBaseUrl,
    })
    const { refunds, reconciliation } = payments
    const endpoints = createEndpoints({
      text,
      clock,
      scanning: {
        ...scanning.endpoints,
        catalog: catalog.current,
        takeReport: (email) => takeReport(quotas.door, email),
      },
      signatureDirectory: scanning.directory,
      signer: { baseUrl: paymentsBaseUrl, address: signer?.address },
      keys: { books, keys, counters: quotas.counters, catalog: catalog.current },
      oauth,
      operator: {
        books,
        network,
        refunds,
        reconciliation,
        metrics: metrics.registry,
        catalog,
        signingKeys: oauth.signingKeys,
        keys,
        tiers: () => catalog.current().tiers,
        explain: createExplain({
          endpoints: () => endpoints,
          findRelay: upstreams.find,
          catalog: catalog.current,
          credentials,
          quotas: quotas.door,
          balanceOf: async (payer) => (await readFunds(client, network.usdc.address, payer)).balance,
          whyNotReady: readiness.whyNot,
          isDryRun: config.dryRun,
        }),
      },
      health: {
        version,
        now: () => clock.now(),
        catalog: catalog.current,
        endpoints: offered,
        baseUrl: config.baseUrl,
        paymentsBaseUrl: config.paymentsBaseUrl,
        network: network.name,
        isDryRun: config.dryRun,
        checks: () =>
          checkHealth({
            store: database.ping,
            chain: () => client.getBlockNumber({ cacheTime: 0 }),
            redis: quotas.ping,
            whyNotReady: readiness.whyNot,
          }),
      },
      pricing: {
        document: () => pricingDocument(pricing()),
        markdown: () => pricingMarkdown(pricing()),
        page: () => renderPricingPage(pricingOverview(pricing())),
      },
    })

    return {
      parts: {
        endpoints,
        findRelay: upstreams.find,
        catalog: catalog.current,
        credentials,
        challenges,
        payments: payments.door,
        quotas: quotas.door,
        trustProxy: config.trustProxy,
        whyNotReady: readiness.whyNot,
        countCall: metrics.countCall,
        note: notes.note,
        log,
      },
      devChain,
      client,
      network,
      queries: database.queries,
      catalog,
      idle,
      close,
    }
  }
}

/** On the local chain the operator's own test account pays refunds, and signs receipts. */
function refundAccount({ refundKey, chain }: Config): LocalAccount | undefined {
  const key = refundKey ?? (chain.kind === 'local' ? devPayTo.privateKey : undefined)
  return key === undefined ? undefined : privateKeyToAccount(key)
}

function receiptSigner({ receiptKey, chain }: Config): ReceiptSigner | undefined {
  const key = receiptKey ?? (chain.kind === 'local' ? devPayTo.privateKey : undefined)
  return key === undefined ? undefined : createReceiptSigner(key)
}

/** The client of a model takes longer to load than most gateways that have none take to open their books. */
async function createTextEngine({ text }: Config): Promise<TextEngine> {
  if (text.kind === 'local') return createLocalEngine()
  const { createOpenAiEngine } = await import('../products/text/model/openai-engine.ts')
  return createOpenAiEngine(text)
}
