import { sql } from 'kysely'
import type { PlaybookRow } from '../../../platform/store/schema.ts'
import type { PlaybookContent } from '../playbook/playbook-content.ts'
import { type Scans, toJson } from './scans.ts'

/**
 * Playbooks in the store. One is begun in the statement that completes its scan (`scans.ts`), so that
 * there is never a finished scan without one, and finished once.
 */
export type Playbook = Omit<PlaybookRow, 'content'> & { readonly content: PlaybookContent | null }

/** The playbook of a scan; undefined while the scan is not complete. Whoever asks may see the scan. */
export async function findPlaybook(
  { queries }: Pick<Scans, 'queries'>,
  scanId: string,
): Promise<Playbook | undefined> {
  return await queries
    .selectFrom('playbooks')
    .select(['id', 'scanId', 'status', 'createdAt', 'completedAt'])
    .select(sql<PlaybookContent | null>`content`.as('content'))
    .where('scanId', '=', scanId)
    .executeTakeFirst()
}

/** @returns false when it is complete already, or there is none. */
export async function completePlaybook(
  { queries, clock }: Pick<Scans, 'queries' | 'clock'>,
  scanId: string,
  content: PlaybookContent,
): Promise<boolean> {
  const moved = await queries
    .updateTable('playbooks')
    .set({ status: 'complete', content: toJson(content), completedAt: new Date(clock.now()) })
    .where('scanId', '=', scanId)
    .where('status', '=', 'generating')
    .returning('id')
    .executeTakeFirst()
  return moved !== undefined
}
