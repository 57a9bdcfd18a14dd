import { z } from 'zod'
import { unixSeconds } from '../../../core/clock.ts'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { faultyField } from '../../../core/errors.ts'
import { json } from '../../../core/reply.ts'
import { listAudit } from '../../../doors/ledger/audit.ts'
import type { Books } from '../../../platform/store/books.ts'
import { type AuditRow, auditOutcomes } from '../../../platform/store/rows/callers.ts'
import { operatorOperation, period, word } from './fields.ts'
import { exactTime, pageQuery, showPage } from './page.ts'
import { auditSchema } from './replies.ts'

/** GET /operator/audit: what the operator did, the newest first. `../audited.ts` records it. */
export const auditRows = {
  listAudit: {
    ...noInput,
    method: 'GET',
    path: '/operator/audit',
    operation: operatorOperation('What the operator changed, the newest first.'),
    query: pageQuery(z.tuple([exactTime, word]), {
      action: word.optional(),
      outcome: z.enum(auditOutcomes).optional(),
      ...period,
    }),
    response: auditSchema,
  },
} satisfies EndpointRows

/** @param known the actions that the trail can hold. */
export function auditHandlers(
  books: Pick<Books, 'queries'>,
  known: readonly string[],
): Handlers<typeof auditRows> {
  return {
    async listAudit({ query: { cursor, limit, ...filter } }) {
      const { action } = filter
      if (action !== undefined && !known.includes(action)) {
        throw faultyField('action', `must be one of ${known.join(', ')}`)
      }
      const page = await listAudit(books, filter, cursor, limit)
      const { shown: actions, nextCursor } = showPage(page, describeAction)
      return json(200, { actions, nextCursor } satisfies z.infer<typeof auditSchema>)
    },
  }
}

function describeAction(row: AuditRow) {
  return {
    at: unixSeconds(row.at),
    action: row.action,
    subject: row.subject,
    outcome: row.outcome,
    status: row.status,
    code: row.code,
    details: row.details,
    result: row.result,
    client: row.client,
    callId: row.callId,
  }
}
