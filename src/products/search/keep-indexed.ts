import { setTimeout } from 'node:timers/promises'
import { runEvery } from '../../core/background.ts'
import type { Log } from '../../core/log.ts'
import type { Queries } from '../../platform/store/database.ts'
import { indexMissing, type MissingBatch } from './index-scan.ts'

const intervalMs = 3_600_000
/** Reading the words of a batch keeps the thread from calls for some 20 ms. No measurement kept. */
const batchSize = 20
const pauseMs = 30
const reportEvery = 5_000

/**
 * Makes scans searchable that are not: at the start, and every hour those whose newer scan was deleted. It goes in
 * small batches, so that calls are served in between, and begins where it is needed when it was interrupted.
 * @returns stops it, and resolves when the batch under way has ended.
 */
export function keepIndexed(queries: Queries, log: Log): () => Promise<void> {
  const stop = new AbortController()
  const end = runEvery(() => indexAll(queries, log, stop.signal), intervalMs, log)
  return async () => {
    stop.abort()
    await end()
  }
}

/** Makes every complete scan searchable that should be. */
export async function indexAll(queries: Queries, log: Log, signal: AbortSignal): Promise<void> {
  let added = 0
  let next: MissingBatch['next']
  do {
    const batch = await indexMissing(queries, batchSize, next)
    const before = added
    added += batch.added
    next = batch.next
    if (Math.floor(added / reportEvery) > Math.floor(before / reportEvery))
      log.info({ scans: added }, 'older scans are being made searchable')
    if (next) await setTimeout(pauseMs)
  } while (next && !signal.aborted)
  if (added > 0 && !signal.aborted) log.info({ scans: added }, 'older scans have been made searchable')
}
