import { sql } from 'kysely'
import { toJson } from '../../../core/text/storable.ts'
import type { PlaybookRow } from '../../../platform/store/rows/scans.ts'
import type { PlaybookContent } from '../playbook/playbook-content.ts'
import type { Scans } from './scans.ts'

/**
 * A playbook in the store. The statement that completes its scan begins it (`complete` in `scans.ts`), so
 * every complete scan has one.
 */
export type Playbook = Omit<PlaybookRow, 'content'> & { readonly content: PlaybookContent | null }

/**
 * The playbook of a scan; undefined while the scan is not complete. The caller checks who may see the scan.
 */
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

/**
 * Stores the content of a playbook once.
 * @returns false when the playbook is complete already, or does not exist.
 */
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
