import type { Endpoint } from '../core/endpoint.ts'
import type { Log } from '../core/log.ts'
import { readFunds } from '../doors/x402/evidence/funds.ts'
import { iconUrl } from '../edge/discovery/documents/agent-cards.ts'
import { renderHomePage } from '../edge/discovery/home.ts'
import {
  type PricingInput,
  playMoney,
  pricingDocument,
  pricingOverview,
} from '../edge/discovery/pricing/document.ts'
import { pricingMarkdown } from '../edge/discovery/pricing/markdown.ts'
import { renderPricingPage } from '../edge/discovery/pricing/page.ts'
import { namesOf } from '../edge/handlers/ask/sites.ts'
import { createEndpoints } from '../edge/handlers/endpoints.ts'
import type { OperatorParts } from '../edge/handlers/operator/operator.ts'
import { takeReport } from '../edge/handlers/scans/report-limit.ts'
import { checkHealth } from '../edge/handlers/service/check-health.ts'
import type { HealthSources } from '../edge/handlers/service/health.ts'
import type { OfferSources } from '../edge/handlers/service/offer.ts'
import type { PricingForms } from '../edge/handlers/service/pricing.ts'
import type { Metrics } from '../edge/http/metrics.ts'
import { paidTools } from '../edge/mcp/tools.ts'
import { createWaitingBodies } from '../gateway/bodies/waiting-bodies.ts'
import { createExplain } from '../gateway/explain/explain.ts'
import type { RequestPrices } from '../gateway/pricing/request-prices.ts'
import type { UsageRecorder } from '../gateway/usage-recorder.ts'
import type { Config } from '../platform/config/config.ts'
import type { LiveCatalog } from '../platform/config/live-catalog.ts'
import type { Books } from '../platform/store/books.ts'
import type { Upstreams } from '../proxy/upstreams.ts'
import type { AppParts } from './app.ts'
import type { Doors } from './doors.ts'
import type { Foundation } from './foundation.ts'
import type { Products } from './products/products.ts'
import type { GatewayReadiness } from './readiness.ts'
import type { Settlement } from './settlement.ts'
import { atPaymentsHost, openDocuments } from './site.ts'

interface AppPartsOptions {
  readonly config: Config
  readonly version: string
  readonly foundation: Foundation
  readonly books: Books
  readonly metrics: Metrics
  readonly settlement: Settlement
  readonly catalog: LiveCatalog
  readonly doors: Doors
  readonly readiness: GatewayReadiness
  readonly products: Products
  readonly upstreams: Upstreams
  readonly prices: RequestPrices
  readonly usage: UsageRecorder
  readonly log: Log
}

/** Binds our own endpoints to their services, and collects what the chain in `app.ts` needs. */
export function createAppParts(options: AppPartsOptions): AppParts {
  const { config, foundation, books, metrics, catalog, doors, products, upstreams, usage, log } = options
  const { access, quotas, payments, challenges, signer, readiness } = doors
  const { text, readSite, scanning, webhooks } = products
  const documents = openDocuments({
    pricing: () => pricingInput(options, () => endpoints),
    catalog: catalog.current,
    version: options.version,
    offer: options.settlement.offer,
    oauth: access.oauth.documents,
    webhooks: config.webhooks,
    hasSigner: signer !== undefined,
    now: () => books.clock.now(),
  })
  const endpoints: readonly Endpoint[] = createEndpoints({
    text,
    readSite,
    clock: books.clock,
    scanning: {
      ...scanning.endpoints,
      catalog: catalog.current,
      takeReport: (email) => takeReport(quotas.door, email),
    },
    signatureDirectory: scanning.directory,
    webhooks: { ...webhooks.endpoints, catalog: catalog.current },
    payments: { books, chainId: foundation.network.chainId, proofs: payments.proofs },
    signer: { baseUrl: config.paymentsBaseUrl, address: signer?.address },
    keys: {
      books,
      keys: access.keys,
      chainId: foundation.network.chainId,
      counters: quotas.counters,
      catalog: catalog.current,
    },
    oauth: access.oauth,
    operator: operatorParts(options, () => endpoints),
    home: {
      ...offerSources(options, () => endpoints),
      network: foundation.network.name,
      playMoney: playMoney({ network: foundation.network, chain: chainOf(config) }),
      markdown: () => documents.texts.getHomeMarkdown()?.body ?? '',
      links: documents.links,
      find: documents.find,
      page(document) {
        const { provider } = catalog.current()
        const icon = iconUrl({ catalog: catalog.current(), baseUrl: config.baseUrl })
        const overview = pricingOverview(pricingInput(options, () => endpoints))
        return renderHomePage(overview, { provider, icon }, document)
      },
    },
    health: healthSources(options, () => endpoints),
    ready: { whyNotReady: options.readiness.whyNot },
    pricing: pricingForms(options, () => endpoints),
    documents,
    ask: {
      passages: documents.passages,
      baseUrl: config.baseUrl,
      names: () => namesOf([config.baseUrl, config.paymentsBaseUrl], catalog.current().provider.name),
    },
  })
  return {
    endpoints: atPaymentsHost(endpoints, config),
    findUpstreamRoute: upstreams.find,
    catalog: catalog.current,
    baseUrl: config.baseUrl,
    credentials: access.credentials,
    challenges,
    payments: payments.door,
    refused: doors.refused,
    bodies: createWaitingBodies(config.maxWaitingBodyBytes, log),
    prices: options.prices,
    recall: payments.recall,
    quotas: quotas.door,
    mcp: {
      baseUrl: config.baseUrl,
      paymentsBaseUrl: config.paymentsBaseUrl,
      trustForwardedHost: config.trustForwardedHost,
      version: options.version,
    },
    trustProxy: config.trustProxy,
    trustForwardedHost: config.trustForwardedHost,
    whyNotReady: readiness.whyNot,
    countCall: metrics.countCall,
    countDoor: metrics.countDoor,
    recordUsage: usage.record,
    log,
  }
}

/** Read on each request: the endpoints that describe all endpoints are among them. */
type OwnEndpoints = () => AppParts['endpoints']

function operatorParts(options: AppPartsOptions, endpoints: OwnEndpoints): OperatorParts {
  const { config, foundation, books, metrics, catalog, doors, products, upstreams, log } = options
  const { client, network } = foundation
  const { access, quotas, payments, readiness } = doors
  return {
    books,
    log,
    network,
    refunds: payments.refunds,
    adoptions: payments.adoptions,
    reconciliation: payments.reconciliation,
    metrics: metrics.registry,
    catalog,
    signingKeys: access.oauth.signingKeys,
    keys: access.keys,
    tiers: () => catalog.current().tiers,
    counters: quotas.counters,
    currentCatalog: catalog.current,
    tools: new Set(paidTools.map(({ operation }) => operation)),
    forgetScans: products.scanning.forgetting.forgetScans,
    webhooks: products.webhooks.endpoints,
    explain: createExplain({
      endpoints,
      findUpstreamRoute: upstreams.find,
      catalog: catalog.current,
      credentials: access.credentials,
      quotas: quotas.door,
      balanceOf: async (payer) => (await readFunds(client, network.usdc.address, payer)).balance,
      whyNotReady: readiness.whyNot,
      isDryRun: config.dryRun,
    }),
  }
}

function healthSources(options: AppPartsOptions, endpoints: OwnEndpoints): HealthSources {
  const { config, version, foundation, books, settlement, catalog, doors } = options
  const { database, watchClient, network } = foundation
  const { quotas, readiness } = doors
  return {
    ...offerSources(options, endpoints),
    version,
    now: () => books.clock.now(),
    network: network.name,
    isDryRun: config.dryRun,
    checks: () =>
      checkHealth({
        store: database.ping,
        chain: () => watchClient.getBlockNumber({ cacheTime: 0 }),
        redis: quotas.ping,
        whyNotReady: readiness.whyNot,
        gasAccounts: () => settlement.facilitator.settlers().flatMap(({ accounts }) => accounts),
        catalogFaultySince: () => catalog.state().faultySince,
      }),
  }
}

function offerSources(
  { config, catalog, upstreams }: AppPartsOptions,
  endpoints: OwnEndpoints,
): OfferSources {
  return {
    catalog: catalog.current,
    endpoints: () => [...endpoints(), ...upstreams.endpoints()],
    baseUrl: config.baseUrl,
    paymentsBaseUrl: config.paymentsBaseUrl,
  }
}

function chainOf({ chain }: AppPartsOptions['config']): PricingInput['chain'] {
  return chain.kind === 'local' ? 'local' : 'public'
}

function pricingInput(options: AppPartsOptions, endpoints: OwnEndpoints): PricingInput {
  const { config, foundation, settlement, catalog, upstreams } = options
  return {
    catalog: catalog.current(),
    endpoints: [...endpoints(), ...upstreams.endpoints()],
    network: foundation.network,
    chain: chainOf(config),
    payTo: settlement.offer.payTo,
    baseUrl: config.baseUrl,
    paymentsBaseUrl: config.paymentsBaseUrl,
  }
}

function pricingForms(options: AppPartsOptions, endpoints: OwnEndpoints): PricingForms {
  const input = () => pricingInput(options, endpoints)
  return {
    catalog: options.catalog.current,
    document: () => pricingDocument(input()),
    markdown: () => pricingMarkdown(input()),
    page: () => renderPricingPage(pricingOverview(input())),
  }
}
