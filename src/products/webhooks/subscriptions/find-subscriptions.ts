import { sql } from 'kysely'
import type { Books } from '../../../platform/store/books.ts'
import { isBehind, microsecondTime, type Page, type Position, pageOf } from '../../../platform/store/page.ts'
import type { WebhookSubscriptionRow } from '../../../platform/store/rows/subscribers.ts'
import { type Subscription, selectSubscriptions } from './subscriptions.ts'

/**
 * Finds subscriptions. The holder of a key sees its own; another one looks as if it did not exist. The operator sees
 * all. Without a key there are none to see: many callers may have the same address.
 */

/** Whose subscriptions: those of one owner, or all. */
export type Whose = { readonly owner: string } | 'all'

/** @returns undefined when there is none, or it is not theirs. */
export async function findSubscription(
  { queries }: Pick<Books, 'queries'>,
  id: string,
  whose: Whose,
): Promise<Subscription | undefined> {
  const found = selectSubscriptions(queries).where('id', '=', id)
  return await (whose === 'all' ? found : found.where('owner', '=', whose.owner)).executeTakeFirst()
}

interface SubscriptionFilter {
  readonly owner?: string | undefined
  readonly status?: WebhookSubscriptionRow['status'] | undefined
}

/** A page of subscriptions, the newest first. */
export async function listSubscriptions(
  { queries }: Pick<Books, 'queries'>,
  { owner, status }: SubscriptionFilter,
  cursor: Position | undefined,
  limit: number,
): Promise<Page<Subscription, Position>> {
  let found = selectSubscriptions(queries).select(microsecondTime('createdAt').as('exactTime'))
  if (owner !== undefined) found = found.where('owner', '=', owner)
  if (status !== undefined) found = found.where('status', '=', status)
  if (cursor) {
    const [time, id] = cursor
    found = found.where(isBehind(['createdAt', 'id'], 'newest first', [time, id]))
  }
  const rows = await found
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return pageOf(rows, limit, ({ exactTime, id }): Position => [exactTime, id])
}

/** Deletes it with its deliveries. */
export async function removeSubscription({ queries }: Pick<Books, 'queries'>, id: string): Promise<void> {
  await queries.deleteFrom('webhookSubscriptions').where('id', '=', id).execute()
}

const dayMs = 86_400_000

/** Deletes subscriptions without a key that have expired, or that were disabled days ago. To be called now and then. */
export async function forgetSubscriptions({ queries, clock }: Books): Promise<void> {
  const now = clock.now()
  await sql`
    delete from webhook_subscriptions
    where expires_at is not null
      and (expires_at < ${new Date(now)} or (status = 'disabled' and updated_at < ${new Date(now - 7 * dayMs)}))`.execute(
    queries,
  )
}
