import { createLog } from '../../../src/core/log.ts'
import { createMemoryCounters } from '../../../src/doors/quota/counters/memory.ts'
import { openEmbedded } from '../../../src/platform/store/database.ts'
import { cacheDir } from '../chain/chain.ts'

/**
 * A process that takes five units in the embedded store of the given folder, reserves 8000 for a running
 * call, writes both, takes three more without writing them, prints one line, and waits to be killed.
 */
const [, , dataDir = '', subject = '', period = ''] = process.argv
const { queries } = await openEmbedded(dataDir, cacheDir)
const counters = createMemoryCounters(queries, { log: createLog('silent'), flushMs: 3_600_000 })
const counter = { subject, operation: 'writeBlog', period, limit: 100, units: 1 }
for (let units = 0; units < 5; units += 1) await counters.take([counter])
await counters.take([{ ...counter, operation: 'chat.tokens', limit: 10_000, units: 8_000 }])
await counters.used(subject, [period])
for (let units = 0; units < 3; units += 1) await counters.take([counter])
process.stdout.write('taken\n')
setInterval(() => {}, 60_000)
