import type { Queries } from '../../../platform/store/database.ts'
import { type EventType, writeEvent } from '../../../platform/store/outbox.ts'
import type { ScanRow } from '../../../platform/store/rows/scans.ts'

/** A step of a scan that subscribers are told of. The scans themselves know nothing of webhooks. */
export type ScanStep =
  | { readonly to: 'started' | 'failed'; readonly scan: ToldScan }
  | { readonly to: 'completed'; readonly scan: ToldScan; readonly analysis: { readonly report: Scores } }

type ToldScan = Pick<ScanRow, 'id' | 'owner' | 'domain' | 'status' | 'depth' | 'errorCode' | 'errorMessage'>

interface Scores {
  readonly readinessScore: number
  readonly aeoScore: number
}

/**
 * Writes the events of a scan's step. A scan that was made with a key is told to that key's subscriptions only, as
 * the scan itself is shown to that key only.
 * @param queries the transaction of the step.
 */
export async function writeScanEvents(queries: Queries, at: Date, step: ScanStep): Promise<void> {
  const { id, owner } = step.scan
  for (const [type, data] of eventsOf(step)) {
    await writeEvent(queries, { type, at, owner, scanId: id, data })
  }
}

/** The data of scan.completed is the specification's (part 6), field by field. */
function eventsOf(step: ScanStep): readonly (readonly [EventType, object])[] {
  const { id, owner, domain, status, depth, errorCode, errorMessage } = step.scan
  const named = { scan_id: id, domain }
  switch (step.to) {
    case 'started':
      return [['scan.started', { ...named, status, scan_type: depth }]]
    case 'failed':
      return [['scan.failed', { ...named, status, error: { code: errorCode, message: errorMessage } }]]
    case 'completed': {
      const { readinessScore: readiness, aeoScore: aeo } = step.analysis.report
      return [
        ['scan.completed', { ...named, status, scores: { readiness, aeo } }],
        // No totals: to count all scans at the end of each would cost more than the scan's own writes.
        [
          'insights.updated',
          {
            scope: owner === null ? 'public' : 'key',
            cause: 'scan.completed',
            ...named,
            affects: ['analytics', 'search'],
          },
        ],
      ]
    }
  }
}
