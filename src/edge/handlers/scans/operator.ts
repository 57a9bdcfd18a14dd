import { z } from 'zod'
import { unixSeconds } from '../../../core/clock.ts'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { json } from '../../../core/reply.ts'
import type { Books } from '../../../platform/store/books.ts'
import { findScans, type ScanChoice } from '../../../products/scan/scans/forget-scans.ts'
import type { ScanRecord } from '../../../products/scan/scans/scan-rows.ts'
import { instant, operatorOperation } from '../operator/fields.ts'
import { cursorOf, exactTime, showPage } from '../operator/page.ts'
import { deletedScansSchema, foundScansSchema } from './operator-replies.ts'
import { scanStatus } from './replies.ts'
import { siteName } from './site-name.ts'

/**
 * Deletes scans of the choice for some seconds.
 * @returns how many, and whether none is left.
 */
export type ForgetScans = (
  choice: ScanChoice,
) => Promise<{ readonly deleted: number; readonly isDone: boolean }>

/** Which scans are meant. An e-mail address is never a part of an address that is logged, so it stands in a body. */
const choice = {
  ids: z.array(z.uuid()).min(1).max(100).optional(),
  domain: siteName.optional(),
  email: z.email().max(254).optional(),
  since: instant.optional().describe('accepted at this time or later'),
  until: instant.optional().describe('accepted before this time'),
}

/** Scans of all owners for the operator: found and deleted. */
export const operatorScanRows = {
  findScans: {
    ...noInput,
    method: 'POST',
    path: '/operator/scans/find',
    operation: { ...operatorOperation('Scans of all owners, the newest first.'), isReadOnly: true },
    body: z.strictObject({
      ...choice,
      status: scanStatus.optional(),
      limit: z.int().min(1).max(500).default(50),
      cursor: cursorOf(z.tuple([exactTime, z.uuid()])),
    }),
    response: foundScansSchema,
  },
  deleteScans: {
    ...noInput,
    method: 'POST',
    path: '/operator/scans/delete',
    operation: operatorOperation('Deletes scans and all that was made of them.', 120),
    body: z
      .strictObject(choice)
      .refine(
        ({ ids, domain, email, until }) => ids ?? domain ?? email ?? until,
        'must say which scans: ids, domain, email or until',
      ),
    response: deletedScansSchema,
  },
} satisfies EndpointRows

export function operatorScanHandlers(
  books: Pick<Books, 'queries'>,
  forgetScans: ForgetScans,
): Handlers<typeof operatorScanRows> {
  return {
    async findScans({ body: { limit, cursor, ...wanted } }) {
      const { page, total } = await findScans(books, wanted, cursor, limit)
      const { shown: scans, nextCursor } = showPage(page, describeScan)
      return json(200, { scans, total, nextCursor } satisfies z.infer<typeof foundScansSchema>)
    },

    async deleteScans({ body }) {
      const outcome = await forgetScans(body)
      return json(200, outcome satisfies z.infer<typeof deletedScansSchema>)
    },
  }
}

function describeScan(row: ScanRecord) {
  const { id, domain, url, depth, status, owner, email } = row
  return {
    ...{ id, domain, url, depth, status, owner, email },
    createdAt: unixSeconds(row.createdAt),
    completedAt: row.completedAt && unixSeconds(row.completedAt),
  }
}
