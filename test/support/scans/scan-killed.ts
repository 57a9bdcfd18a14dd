import { createLog } from '../../../src/core/log.ts'
import { openEmbedded, openPostgres } from '../../../src/platform/store/database.ts'
import { Jobs } from '../../../src/platform/store/jobs/jobs.ts'
import { createScans } from '../../../src/products/scan/scans/scans.ts'
import { ScanWorker } from '../../../src/products/scan/worker/worker.ts'
import { cacheDir } from '../chain/chain.ts'
import { playbook } from './scans.ts'

/**
 * A process that accepts a scan of doomed.example in the given store (a PostgreSQL address or a folder),
 * begins it, prints its id on one line, and waits until the test kills it.
 */
const [, , store = ''] = process.argv
const log = createLog('silent')
const database = await (store.startsWith('postgres:')
  ? openPostgres(store, log)
  : openEmbedded(store, cacheDir))
const scans = createScans({ queries: database.queries, clock: { now: () => Date.now() } })
const begun = Promise.withResolvers<void>()
const worker = new ScanWorker({
  scans,
  jobs: new Jobs(database, log),
  log,
  capture() {
    begun.resolve()
    return new Promise(() => {})
  },
  analyze: () => Promise.reject(new Error('nothing is ever captured')),
  sendReport: async () => {},
  giveBack: async () => {},
  makePlaybook: async () => playbook(),
  concurrency: 1,
  retryDelaySeconds: 0,
})
await worker.start()
const created = await worker.submit({
  url: 'https://doomed.example/',
  domain: 'doomed.example',
  hasScheme: true,
  depth: 'light',
  priority: 0,
})
await begun.promise
process.stdout.write(`${created === 'conflict' ? created : created.id}\n`)
setInterval(() => {}, 60_000)
