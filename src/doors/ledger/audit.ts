import { storable, toJson } from '../../core/text/storable.ts'
import type { Books } from '../../platform/store/books.ts'
import { isBehind, microsecondTime, type Page, type Position, pageOf } from '../../platform/store/page.ts'
import type { AuditRow } from '../../platform/store/rows/callers.ts'
import type { Period } from './list.ts'

/**
 * What the operator did. A row is written before its action and completed after it, so that no action is
 * without a row, whatever dies in between. Rows are never deleted.
 */

/** Records that an action begins. */
export async function beginAudit(
  { queries, clock }: Books,
  begun: Pick<AuditRow, 'callId' | 'action' | 'subject' | 'details' | 'client'>,
): Promise<void> {
  await queries
    .insertInto('audit')
    .values({
      ...begun,
      subject: begun.subject && storable(begun.subject),
      details: toJson(begun.details),
      at: new Date(clock.now()),
      outcome: 'begun',
      status: null,
      code: null,
      result: null,
    })
    .execute()
}

/** Records how an action ended. */
export async function concludeAudit(
  { queries }: Pick<Books, 'queries'>,
  callId: string,
  { subject, result, ...end }: Pick<AuditRow, 'subject' | 'outcome' | 'status' | 'code' | 'result'>,
): Promise<void> {
  await queries
    .updateTable('audit')
    .set({ ...end, subject: subject && storable(subject), result: result && toJson(result) })
    .where('callId', '=', callId)
    .where('outcome', '=', 'begun')
    .execute()
}

export interface AuditFilter extends Period {
  readonly action?: string | undefined
  readonly outcome?: AuditRow['outcome'] | undefined
}

/** Lists one page of the actions of a period, the newest first. */
export async function listAudit(
  { queries }: Pick<Books, 'queries'>,
  { action, outcome, since, until }: AuditFilter,
  after: Position | undefined,
  limit: number,
): Promise<Page<AuditRow, Position>> {
  let query = queries
    .selectFrom('audit')
    .selectAll()
    .select(microsecondTime('at').as('position'))
    .orderBy('at', 'desc')
    .orderBy('callId', 'desc')
  if (action !== undefined) query = query.where('action', '=', action)
  if (outcome) query = query.where('outcome', '=', outcome)
  if (since) query = query.where('at', '>=', since)
  if (until) query = query.where('at', '<', until)
  if (after) query = query.where(isBehind(['at', 'callId'], 'newest first', after))
  const rows = await query.limit(limit + 1).execute()
  return pageOf(rows, limit, ({ position, callId }): Position => [position, callId])
}
