import type { Books } from '../../../platform/store/books.ts'
import type { Queries } from '../../../platform/store/database.ts'
import { writeEvent } from '../../../platform/store/outbox.ts'

/** The numbers of the public scans that were made in a span of time. */
export type Summarize = (queries: Queries, from: Date, to: Date) => Promise<object>

const dayMs = 86_400_000
const weekMs = 7 * dayMs
/** Monday, 6:00 UTC: scans that began on Sunday have ended by then. */
const announcedAfterMs = 6 * 3_600_000

/**
 * Writes `analytics.weekly` for the last whole week, unless a gateway has done so. To be called every hour: a week
 * is announced once over all gateways, and also when all of them were down on Monday.
 * @returns whether this call announced it.
 */
export async function announceWeek({ queries, clock }: Books, summarize: Summarize): Promise<boolean> {
  const now = clock.now()
  const thisMonday = mondayBefore(now - announcedAfterMs)
  const [from, to] = [new Date(thisMonday - weekMs), new Date(thisMonday)]
  const week = dateOf(from)
  // Most calls end here, without a transaction.
  const told = await queries
    .selectFrom('weeklyEvents')
    .select('week')
    .where('week', '=', week)
    .executeTakeFirst()
  if (told) return false
  const numbers = await summarize(queries, from, to)
  return await queries.transaction().execute(async (transaction) => {
    const claimed = await transaction
      .insertInto('weeklyEvents')
      .values({ week, createdAt: new Date(now) })
      .onConflict((conflict) => conflict.column('week').doNothing())
      .executeTakeFirst()
    // Another gateway has announced it meanwhile.
    if (!claimed.numInsertedOrUpdatedRows) return false
    const data = { week: { from: week, to: dateOf(new Date(thisMonday - dayMs)) }, ...numbers }
    const at = new Date(now)
    await writeEvent(transaction, { type: 'analytics.weekly', at, owner: null, scanId: null, data })
    return true
  })
}

/** The beginning of the Monday at or before a time, in UTC. The Unix epoch was a Thursday. */
function mondayBefore(timeMs: number): number {
  return Math.floor((timeMs - 4 * dayMs) / weekMs) * weekMs + 4 * dayMs
}

function dateOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}
