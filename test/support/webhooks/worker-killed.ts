import { createLog } from '../../../src/core/log.ts'
import { createFetcher } from '../../../src/platform/net/fetch.ts'
import { parsePrivateTargets } from '../../../src/platform/net/target.ts'
import { openEmbedded, openPostgres } from '../../../src/platform/store/database.ts'
import { DeliveryWorker } from '../../../src/products/webhooks/deliveries/worker.ts'
import { box } from './box.ts'

/** A process that sends what is due in the given store (a PostgreSQL address or a folder) until it is killed. */
const [, , store = '', targets = '', leaseMs = '60000', cacheDir = store] = process.argv
const log = createLog('silent')
const isServer = store.startsWith('postgres:')
const database = await (isServer ? openPostgres(store, log) : openEmbedded(store, cacheDir))
const fetcher = createFetcher({
  userAgent: 'tests',
  allowed: parsePrivateTargets(targets),
  maxPerHost: 1_000,
})
new DeliveryWorker({
  books: { queries: database.queries, clock: { now: () => Date.now() } },
  loadFetcher: async () => fetcher,
  secrets: box,
  isAlone: !isServer,
  pace: { pollMs: 100, leaseMs: Number(leaseMs) },
  log,
}).startLater(0)
process.stdout.write('started\n')
setInterval(() => {}, 60_000)
