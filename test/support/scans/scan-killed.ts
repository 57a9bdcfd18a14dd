import { createLog } from '../../../src/core/log.ts'
import { openEmbedded, openPostgres } from '../../../src/platform/store/database.ts'
import { openJobs } from '../../../src/platform/store/jobs/jobs.ts'
import { createScans } from '../../../src/products/scan/scans/scans.ts'
import { createScanWorker } from '../../../src/products/scan/worker/worker.ts'
import { cacheDir } from '../chain/chain.ts'
import { playbook } from './scans.ts'

/**
 * A process that accepts a scan of doomed.example in the given store (an address of PostgreSQL or a
 * folder), begins it, says its id in one line, and waits to be killed.
 */
const [, , store = ''] = process.argv
const log = createLog('silent')
const database = await (store.startsWith('postgres:')
  ? openPostgres(store, log)
  : openEmbedded(store, cacheDir))
const scans = createScans({ queries: database.queries, clock: { now: () => Date.now() } })
const begun = Promise.withResolvers<void>()
const worker = createScanWorker({
  scans,
  jobs: openJobs(database, log),
  log,
  capture() {
    begun.resolve()
    return new Promise(() => {})
  },
  analyze: () => Promise.reject(new Error('nothing is ever captured')),
  afterwards: async () => {},
  makePlaybook: playbook,
  atOnce: 1,
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
