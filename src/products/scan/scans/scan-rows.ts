import { sql } from 'kysely'
import type { Queries } from '../../../platform/store/database.ts'
import type { ScanRow } from '../../../platform/store/rows/scans.ts'
import type { Analysis } from '../findings/results.ts'

export type Scan = Omit<ScanRow, 'analysis'> & { readonly analysis: Analysis | null }

/** A scan without its analysis, which is by far the largest column. */
export type ScanRecord = Omit<ScanRow, 'analysis'>

export const recordColumns = [
  'id',
  'owner',
  'domain',
  'url',
  'hasScheme',
  'email',
  'depth',
  'priority',
  'scope',
  'idempotencyKey',
  'isQueued',
  'status',
  'progress',
  'attempt',
  'events',
  'createdAt',
  'movedAt',
  'startedAt',
  'completedAt',
  'errorCode',
  'errorMessage',
] as const satisfies readonly (keyof ScanRow)[]

export const withAnalysis = sql<Analysis | null>`analysis`.as('analysis')
export const withoutAnalysis = sql<Analysis | null>`null`.as('analysis')

export function selectScans(queries: Queries) {
  return queries.selectFrom('scans').select(recordColumns)
}
