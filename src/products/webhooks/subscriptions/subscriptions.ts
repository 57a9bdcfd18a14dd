import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Books } from '../../../platform/store/books.ts'
import type { Queries } from '../../../platform/store/database.ts'
import type { WebhookSubscriptionRow } from '../../../platform/store/rows/subscribers.ts'
import type { SecretBox } from './secrets.ts'
import type { NewSubscription } from './subscription-request.ts'

/** A subscription as it is shown: without its secret. */
export type Subscription = Omit<WebhookSubscriptionRow, 'secret'> & { readonly hasSecret: boolean }

/** Who subscribes: the holder of a key, or a client without one. */
export interface Subscriber {
  /** `key:<id>`, `oidc:<subject>` or `client:<address>`. */
  readonly owner: string
  readonly isAnonymous: boolean
}

export interface SubscriptionLimits {
  /** Of the holder of a key. */
  readonly perKey: number
  /** Of a client without a key. */
  readonly perClient: number
}

/** Subscriptions that clients without a key may have at one website together. */
export const maxAnonymousPerSite = 5
/** An address says little about who calls, so a subscription without a key has to be renewed. */
export const anonymousDays = 30
const dayMs = 86_400_000

/**
 * Subscribes, or renews. The holder of a key has one subscription for each address: another request for it replaces
 * events, secret and metadata, and wakes a subscription that was disabled. Several people may share the address of a
 * client without a key, and none may change the subscription of another: there only the same request again renews, and
 * any other one is another subscription.
 * @returns the limit that is reached, if one is.
 */
export async function subscribe(
  books: Books,
  box: SecretBox,
  { owner, isAnonymous }: Subscriber,
  asked: NewSubscription,
  limits: SubscriptionLimits,
): Promise<Subscription | { readonly limit: 'owner' | 'site'; readonly max: number }> {
  const { url, host, site, secret, metadata } = asked
  const events = [...asked.events]
  const variant = isAnonymous ? await box.mark(JSON.stringify([events, secret ?? null, metadata])) : ''
  const now = new Date(books.clock.now())
  const expiresAt = isAnonymous ? new Date(now.getTime() + anonymousDays * dayMs) : null
  return await books.queries.transaction().execute(async (queries) => {
    // Two requests at once cannot both take the last place.
    await lock(queries, `webhooks of ${isAnonymous ? '' : owner}`)
    const known = await queries
      .selectFrom('webhookSubscriptions')
      .select(['id', 'status'])
      .where('owner', '=', owner)
      .where('url', '=', url)
      .where('variant', '=', variant)
      .executeTakeFirst()
    const id = known?.id ?? randomUUID()
    // A disabled one takes no place at its website, so it has to find one again.
    const isThere = known !== undefined && known.status !== 'disabled'
    const reached = isThere
      ? undefined
      : await limitReached(queries, { owner, isAnonymous }, id, site, limits)
    if (reached) return reached
    const sealed = secret === undefined ? null : await box.seal(secret, id)
    const change = { events, secret: sealed, metadata: JSON.stringify(metadata), expiresAt, updatedAt: now }
    await queries
      .insertInto('webhookSubscriptions')
      .values({
        ...change,
        ...{ id, owner, isAnonymous, url, variant, host, site },
        status: 'active',
        holdUntil: now,
        createdAt: now,
      })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(change))
      .execute()
    await activate(queries, id, now)
    return await selectSubscriptions(queries).where('id', '=', id).executeTakeFirstOrThrow()
  })
}

async function limitReached(
  queries: Queries,
  { owner, isAnonymous }: Subscriber,
  id: string,
  site: string,
  { perKey, perClient }: SubscriptionLimits,
) {
  const max = isAnonymous ? perClient : perKey
  const { rows } = await sql<{ own: number; atSite: number }>`
    select (select count(*)::integer from webhook_subscriptions where owner = ${owner} and id <> ${id}::uuid) as own,
      (select count(*)::integer from webhook_subscriptions
        where site = ${site} and is_anonymous and status <> 'disabled') as at_site`.execute(queries)
  const { own = 0, atSite = 0 } = rows[0] ?? {}
  if (own >= max) return { limit: 'owner' as const, max }
  if (isAnonymous && atSite >= maxAnonymousPerSite)
    return { limit: 'site' as const, max: maxAnonymousPerSite }
  return undefined
}

/** Lets a subscription go on: after a pause as before, after it was disabled with a receiver that is unproven again. */
export async function activate(queries: Queries, id: string, now: Date): Promise<void> {
  await sql`
    with woken as (
      update webhook_subscriptions set status = 'active', disabled_reason = null, updated_at = ${now},
        proven_at = case status when 'disabled' then null else proven_at end,
        failing_since = case status when 'disabled' then null else failing_since end,
        hold_until = case status when 'disabled' then ${now} else hold_until end
      where id = ${id}::uuid
      returning id, is_anonymous or proven_at is null as goes_alone
    )
    update webhook_deliveries set is_held = woken.goes_alone
    from woken where subscription_id = woken.id and webhook_deliveries.status = 'pending'`.execute(queries)
}

/** Stops deliveries until `activate`. Those that are due meanwhile wait; events that happen meanwhile are not kept. */
export async function pause(queries: Queries, id: string, now: Date): Promise<void> {
  await sql`
    with stopped as (
      update webhook_subscriptions set status = 'paused', updated_at = ${now}
      where id = ${id}::uuid and status = 'active' returning id
    )
    update webhook_deliveries set is_held = true
    from stopped where subscription_id = stopped.id and webhook_deliveries.status = 'pending'`.execute(
    queries,
  )
}

export function selectSubscriptions(queries: Queries) {
  return queries
    .selectFrom('webhookSubscriptions')
    .select([
      'id',
      'owner',
      'isAnonymous',
      'url',
      'variant',
      'host',
      'site',
      'events',
      'metadata',
      'status',
      'disabledReason',
      'provenAt',
      'failingSince',
      'holdUntil',
      'expiresAt',
      'createdAt',
      'updatedAt',
    ])
    .select(sql<boolean>`secret is not null`.as('hasSecret'))
}

/** Waits for its turn, until the end of the transaction. */
async function lock(queries: Queries, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(queries)
}
