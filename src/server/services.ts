import { randomUUID } from 'node:crypto'
import type { PublicClient } from 'viem'
import { runEvery } from '../core/background.ts'
import { systemClock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import { noteMetering } from '../doors/ledger/meterings.ts'
import { ownEndpoints } from '../edge/handlers/table.ts'
import { createMetrics } from '../edge/http/metrics.ts'
import { registerBusinessMetrics } from '../edge/metrics/business-metrics.ts'
import { RequestPrices } from '../gateway/pricing/request-prices.ts'
import { createUsageRecorder } from '../gateway/usage-recorder.ts'
import type { DevChain } from '../platform/chain/local/dev-chain.ts'
import type { Network } from '../platform/chain/networks.ts'
import { loadCatalog } from '../platform/config/catalog-file.ts'
import type { Settings } from '../platform/config/config.ts'
import { type LiveCatalog, openLiveCatalog } from '../platform/config/live-catalog.ts'
import type { Queries } from '../platform/store/database.ts'
import type { AppParts } from './app.ts'
import { createAppParts } from './app-parts.ts'
import { Closers } from './closers.ts'
import { openDoors } from './doors.ts'
import { openFoundation } from './foundation.ts'
import { metricSources } from './metric-sources.ts'
import { openProducts } from './products/products.ts'
import { type GatewayReadiness, watchGateway } from './readiness.ts'
import { createSettlement, type Settlement } from './settlement.ts'
import { catalogFaults } from './start/catalog-checks.ts'
import { reportOtherNetworks } from './start/other-networks.ts'
import { createUpstreamProxy } from './upstreams.ts'

/** All parts of the gateway, built once from the configuration. */
export interface Services {
  readonly parts: AppParts
  /** The local chain; undefined with an RPC node. */
  readonly devChain: DevChain | undefined
  readonly client: PublicClient
  readonly network: Network
  /** The queries of the durable store. */
  readonly queries: Queries
  readonly catalog: LiveCatalog
  readonly settlement: Settlement
  readonly readiness: GatewayReadiness
  /** Resolves when all replies delivered so far are charged and recorded. */
  idle(): Promise<void>
  close(): Promise<void>
}

const version = '1.0.0'
const spendingIntervalMs = 10_000

/**
 * The composition root: builds every part from those above it. If one fails, the ones built before are
 * closed.
 */
export async function createServices(
  settings: Settings,
  log: Log,
  progress: (line: string) => void,
): Promise<Services> {
  const closers = new Closers()
  try {
    return await build(settings, closers, log, progress)
  } catch (error) {
    await closers.close()
    throw error
  }
}

async function build(
  settings: Settings,
  closers: Closers,
  log: Log,
  progress: (line: string) => void,
): Promise<Services> {
  const { config, secrets } = settings
  // A faulty catalog ends the start here, before the slow parts. It is read again below, once it can be
  // checked whole.
  await loadCatalog(config.catalogFile, ownEndpoints)

  const foundation = await openFoundation({ config, secrets, closers, log, progress })
  closers.add(() => log.outages.stop())
  const { database, devChain, client, network } = foundation
  const books = { queries: database.queries, clock: systemClock, gateway: randomUUID() }
  await reportOtherNetworks(books, network, log, progress)
  const metrics = createMetrics()
  const settlement = createSettlement({ settings, foundation, books, metrics, closers, log })
  const catalog = await openCatalog(settings, closers, log)
  const doors = await openDoors({
    settings,
    foundation,
    books,
    settlement,
    metrics,
    catalog: catalog.current,
    closers,
    log,
  })
  const readiness = watchGateway({
    catalog: catalog.current,
    whyNoPayments: doors.readiness.whyNot,
    store: database.ping,
    redis: doors.quotas.ping,
    closers,
    log,
  })
  const products = await openProducts({
    ...{ settings, version, foundation, books, closers, log },
    counters: doors.quotas.counters,
  })
  const usage = createUsageRecorder({ write: (row) => noteMetering(books, row), clock: books.clock, log })
  const { upstreams, spending, reader } = createUpstreamProxy({
    settings,
    catalog: catalog.current,
    books,
    client,
    network,
    countError: metrics.countUpstreamError,
    log,
  })
  if (spending) closers.add(runEvery(() => spending.sweep(), spendingIntervalMs, log))

  const idle = async () => {
    const { payments, quotas } = doors
    await Promise.all([payments.door.idle(), quotas.door.idle(), usage.idle(), spending?.idle()])
  }
  // Upstreams close first, then what their last replies have used is charged, then everything above closes.
  closers.add(
    () => reader.close(),
    () => usage.close(),
    idle,
    () => upstreams.close(),
  )

  const prices = new RequestPrices(log)
  closers.add(() => prices.close())
  registerBusinessMetrics(
    metrics.registry,
    metricSources({ foundation, books, catalog, settlement, log }),
    log,
  )
  const parts = createAppParts({
    config,
    version,
    foundation,
    books,
    metrics,
    settlement,
    catalog,
    doors,
    readiness,
    products,
    upstreams,
    prices,
    usage,
    log,
  })
  return {
    parts,
    settlement,
    readiness,
    devChain,
    client,
    network,
    queries: database.queries,
    catalog,
    idle,
    close: () => closers.close(),
  }
}

async function openCatalog(settings: Settings, closers: Closers, log: Log): Promise<LiveCatalog> {
  const catalog = await openLiveCatalog({
    file: settings.config.catalogFile,
    own: ownEndpoints,
    check: (read) => catalogFaults(read, settings),
    log,
  })
  closers.add(() => catalog.close())
  catalog.watch()
  return catalog
}
