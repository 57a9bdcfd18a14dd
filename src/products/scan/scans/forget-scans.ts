import { type Expression, type SqlBool, sql } from 'kysely'
import type { Books } from '../../../platform/store/books.ts'
import type { Queries } from '../../../platform/store/database.ts'
import { forgetJobs } from '../../../platform/store/jobs/forget-jobs.ts'
import { isBehind, microsecondTime, type Page, type Position, pageOf } from '../../../platform/store/page.ts'
import type { ScanStatus } from '../../../platform/store/rows/scans.ts'
import { recordColumns, type ScanRecord } from './scan-rows.ts'

/**
 * Finds and deletes scans for the operator, of all owners. A deleted scan leaves nothing behind: its events and its
 * playbook, its jobs, and all rows of other parts that refer to it go with it in one transaction. A worker that runs it
 * finds no row to move, so it cannot bring the scan back.
 */
export interface ScanChoice {
  readonly ids?: readonly string[] | undefined
  /** Exactly this domain, as scans have it. */
  readonly domain?: string | undefined
  /** In any case. */
  readonly email?: string | undefined
  readonly status?: ScanStatus | undefined
  /** Accepted at this time or later. */
  readonly since?: Date | undefined
  /** Accepted before this time. */
  readonly until?: Date | undefined
}

/** Lists scans, newest first, without their analyses. */
export async function findScans(
  { queries }: Pick<Books, 'queries'>,
  choice: ScanChoice,
  after: Position | undefined,
  limit: number,
): Promise<{ readonly page: Page<ScanRecord, Position>; readonly total: number }> {
  const matches = sql<SqlBool>`${matching(choice)}`
  let rows = queries
    .selectFrom('scans')
    .select(recordColumns)
    .select(microsecondTime('createdAt').as('exactTime'))
    .where(matches)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
  if (after) rows = rows.where(isBehind(['createdAt', 'id'], 'newest first', after))
  const [found, counted] = await Promise.all([
    rows.execute(),
    sql<{ total: number }>`select count(*)::integer as total from scans where ${matches}`.execute(queries),
  ])
  const page = pageOf(found, limit, ({ exactTime, id }): Position => [exactTime, id])
  return { page, total: counted.rows[0]?.total ?? 0 }
}

/** So many are deleted in one transaction: it holds up other calls for milliseconds only, also in the embedded store. */
const batch = 250

/**
 * Deletes a batch of the scans that match, the oldest first.
 * @param also deletes or rebuilds what other parts have made of these scans, in the same transaction.
 * @returns the ids of the deleted scans; fewer than a batch when no further scan matches.
 */
export async function deleteScans(
  { queries }: Pick<Books, 'queries'>,
  choice: ScanChoice,
  also: (queries: Queries, ids: readonly string[]) => Promise<void>,
): Promise<{ readonly ids: readonly string[]; readonly isLast: boolean }> {
  const ids = await queries.transaction().execute(async (transaction) => {
    await holdDeletions(transaction)
    const { rows } = await sql<{ id: string }>`
      delete from scans where id = any(array(
        select id from scans where ${matching(choice)} order by created_at, id limit ${batch} for update))
      returning id`.execute(transaction)
    const deleted = rows.map(({ id }) => id)
    if (deleted.length === 0) return deleted
    await transaction.deleteFrom('scanEvents').where('scanId', 'in', deleted).execute()
    await transaction.deleteFrom('playbooks').where('scanId', 'in', deleted).execute()
    await forgetJobs(transaction, [scanQueueName, reportQueueName], deleted)
    await also(transaction, deleted)
    return deleted
  })
  return { ids, isLast: ids.length < batch }
}

/**
 * Keeps all others from deleting scans until the transaction ends. Who builds listings from the scans that are left needs
 * it: two deletions at a time would wait for each other's scans, and a scan could be gone before its listing is made.
 */
export async function holdDeletions(transaction: Queries): Promise<void> {
  await sql`select pg_advisory_xact_lock(${deletionLock})`.execute(transaction)
}

/**
 * Keeps scans from being deleted until the transaction ends; others may do the same at the same time. Who moves a scan
 * with all that follows from it needs it: both sides lock the site's listing, its search document and the counts of days,
 * in different orders, and each would wait for the other.
 */
export async function holdOffDeletions(transaction: Queries): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${deletionLock})`.execute(transaction)
}

/** Any number that no other lock of the store has. */
const deletionLock = 7_402_201

/** The queues whose work is `{ id }` of a scan: the scans, and the reports of those that have ended. */
export const scanQueueName = 'scans'
export const reportQueueName = 'scan-afterwards'

function matching({ ids, domain, email, status, since, until }: ScanChoice): Expression<SqlBool> {
  const conditions = [
    ...(ids ? [sql<SqlBool>`id = any(${[...ids]}::uuid[])`] : []),
    ...(domain === undefined ? [] : [sql<SqlBool>`domain = ${domain}`]),
    ...(email === undefined ? [] : [sql<SqlBool>`lower(email) = ${email.toLowerCase()}`]),
    ...(status === undefined ? [] : [sql<SqlBool>`status = ${status}`]),
    ...(since ? [sql<SqlBool>`created_at >= ${since}`] : []),
    ...(until ? [sql<SqlBool>`created_at < ${until}`] : []),
  ]
  return conditions.length > 0 ? sql`${sql.join(conditions, sql` and `)}` : sql`true`
}

/**
 * Removes e-mail addresses from scans that ended before `before`, with the hashes by which a repeated request is
 * recognized: a repeat would be compared with the address. Runs in batches.
 * @returns how many scans had one.
 */
export async function forgetAddresses({ queries }: Pick<Books, 'queries'>, before: Date): Promise<number> {
  let count = 0
  for (;;) {
    const { rows } = await sql`
      update scans set email = null, scope = null, idempotency_key = null
      where id = any(array(
        select id from scans where email is not null and completed_at < ${before}
        order by completed_at limit ${batch} for update skip locked))
      returning id`.execute(queries)
    count += rows.length
    if (rows.length < batch) return count
  }
}
