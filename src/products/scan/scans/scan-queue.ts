import type { Scans } from './scans.ts'

/** The scans that are not done, of all gateways. */
export interface ScanQueue {
  readonly waiting: number
  readonly running: number
  /** When the scan was accepted that has waited longest; null when none waits. */
  readonly oldestWaiting: Date | null
}

/** Two queries, because each has an index of its own. */
export async function readScanQueue({ queries }: Pick<Scans, 'queries'>): Promise<ScanQueue> {
  const [waiting, running] = await Promise.all([
    queries
      .selectFrom('scans')
      .select(({ fn }) => [fn.countAll<bigint>().as('scans'), fn.min('createdAt').as('oldest')])
      .where('status', '=', 'pending')
      .executeTakeFirstOrThrow(),
    queries
      .selectFrom('scans')
      .select(({ fn }) => fn.countAll<bigint>().as('scans'))
      .where('status', 'in', ['fetching', 'analyzing'])
      .executeTakeFirstOrThrow(),
  ])
  return { waiting: Number(waiting.scans), running: Number(running.scans), oldestWaiting: waiting.oldest }
}
