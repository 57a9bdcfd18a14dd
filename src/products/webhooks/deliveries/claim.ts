import { type RawBuilder, sql } from 'kysely'
import type { Books } from '../../../platform/store/books.ts'

/** A delivery that this gateway may send until its lease ends, with what it takes to send it. */
export interface Claimed {
  readonly id: string
  /** Numbers the claims of the delivery; a gateway with an older number cannot move it any more. */
  readonly claims: number
  readonly attempts: number
  readonly leaseUntil: Date
  readonly host: string
  readonly eventId: string
  readonly type: string
  readonly happenedAt: Date
  readonly data: unknown
  readonly subscription: {
    readonly id: string
    readonly url: string
    readonly secret: Uint8Array | null
    readonly isAnonymous: boolean
    readonly provenAt: Date | null
    readonly failingSince: Date | null
  }
}

interface ClaimedRow {
  id: string
  claims: number
  attempts: number
  dueAt: Date
  host: string
  eventId: string
  type: string
  happenedAt: Date
  data: unknown
  subscriptionId: string
  url: string
  secret: Uint8Array | null
  isAnonymous: boolean
  provenAt: Date | null
  failingSince: Date | null
}

export interface ClaimTerms {
  /** Of deliveries to one host. */
  readonly perHost: number
  /** Of all deliveries. */
  readonly max: number
  /** Hosts that have enough claimed deliveries. */
  readonly full: readonly string[]
  readonly leaseMs: number
}

/** More hosts than this have their turn in later claims. */
const window = 200

/**
 * Claims deliveries that are due, the oldest first and a few for each host, so that a host that is slow does not take
 * the places of all others. A claim is a lease: `due_at` becomes the end of it, and a gateway that dies loses nothing.
 * Gateways that claim at the same time get different deliveries.
 */
export async function claimDue({ queries, clock }: Books, terms: ClaimTerms): Promise<Claimed[]> {
  const now = new Date(clock.now())
  const { rows } = await sql<ClaimedRow>`
    with due as materialized (
      select id, host, due_at from webhook_deliveries
      where status = 'pending' and not is_held and due_at <= ${now}
        and host <> all(${sql.val([...terms.full])}::text[])
      order by due_at limit ${window} for no key update skip locked
    ), placed as (
      select id, due_at, row_number() over (partition by host order by due_at) as place from due
    ), picked as (
      select id from placed where place <= ${terms.perHost} order by due_at limit ${terms.max}
    )
    ${lease(now, terms.leaseMs)}`.execute(queries)
  return rows.map(toClaimed)
}

/**
 * Claims the oldest waiting delivery of each subscription whose deliveries go out one by one. The subscription is held
 * until the lease ends, or until the outcome says how to go on.
 */
export async function claimHeld(
  { queries, clock }: Books,
  { max, full, leaseMs }: Pick<ClaimTerms, 'max' | 'full' | 'leaseMs'>,
): Promise<Claimed[]> {
  const now = new Date(clock.now())
  const { rows } = await sql<ClaimedRow>`
    with ready as materialized (
      select id from webhook_subscriptions as subscription
      where status = 'active' and hold_until <= ${now}
        and host <> all(${sql.val([...full])}::text[])
        and exists (
          select 1 from webhook_deliveries
          where subscription_id = subscription.id and status = 'pending' and is_held and due_at <= ${now})
      order by hold_until limit ${max} for no key update skip locked
    ), picked as materialized (
      select oldest.id, ready.id as subscription_id from ready cross join lateral (
        select id from webhook_deliveries
        where subscription_id = ready.id and status = 'pending' and is_held and due_at <= ${now}
        order by created_at, id limit 1
      ) as oldest
    ), held as (
      update webhook_subscriptions set hold_until = ${new Date(now.getTime() + leaseMs)}
      from picked where webhook_subscriptions.id = picked.subscription_id
    )
    ${lease(now, leaseMs)}`.execute(queries)
  return rows.map(toClaimed)
}

/**
 * Leases the deliveries in `picked`. A subscription may have been paused while the events were spread: then its
 * delivery waits, too. A key may have been revoked or have expired: then its delivery is dropped, since its holder may
 * read nothing more.
 */
function lease(now: Date, leaseMs: number): RawBuilder<unknown> {
  const until = new Date(now.getTime() + leaseMs)
  const hasOwner = sql`(subscription.owner not like 'key:%' or key.id is not null)`
  const mayGet = sql`(subscription.status = 'active' and ${hasOwner})`
  return sql`
    , leased as (
      update webhook_deliveries as delivery set
        status = case when ${hasOwner} then delivery.status else 'dropped' end,
        ended_at = case when ${hasOwner} then delivery.ended_at else ${now}::timestamptz end,
        error = case when ${hasOwner} then delivery.error else ${keyHasEnded}::text end,
        due_at = case when ${mayGet} then ${until}::timestamptz else delivery.due_at end,
        is_leased = ${mayGet}, is_held = delivery.is_held or subscription.status <> 'active',
        claims = delivery.claims + 1
      from picked, webhook_subscriptions as subscription left join keys as key
        on key.id = substr(subscription.owner, 5) and key.revoked_at is null
          and (key.expires_at is null or key.expires_at > ${now})
      where delivery.id = picked.id and subscription.id = delivery.subscription_id
      returning delivery.id, delivery.claims, delivery.attempts, delivery.due_at, delivery.host, delivery.event_id,
        delivery.is_leased, subscription.id as subscription_id, subscription.url, subscription.secret,
        subscription.is_anonymous, subscription.proven_at, subscription.failing_since
    )
    select leased.*, outbox.type, outbox.created_at as happened_at, outbox.data
    from leased join outbox on outbox.id = leased.event_id
    where leased.is_leased
    order by outbox.created_at, outbox.id`
}

const keyHasEnded = 'The API key of this subscription was revoked or has expired.'

function toClaimed(row: ClaimedRow): Claimed {
  const { subscriptionId: id, url, secret, isAnonymous, provenAt, failingSince, dueAt, ...delivery } = row
  return {
    ...delivery,
    leaseUntil: dueAt,
    subscription: { id, url, secret, isAnonymous, provenAt, failingSince },
  }
}

/** Gives claimed deliveries back that were not sent: another gateway may send them at once. */
export async function giveBack({ queries, clock }: Books, claimed: readonly Claimed[]): Promise<void> {
  if (claimed.length === 0) return
  const rows = claimed.map(({ id, claims }) => sql`(${id}::uuid, ${claims}::integer)`)
  await sql`
    with given as (
      update webhook_deliveries as delivery set due_at = ${new Date(clock.now())}, is_leased = false
      from (values ${sql.join(rows)}) as back(id, claims)
      where delivery.id = back.id and delivery.claims = back.claims and delivery.status = 'pending'
        and delivery.is_leased
      returning delivery.subscription_id, delivery.is_held
    )
    update webhook_subscriptions set hold_until = ${new Date(clock.now())}
    where id in (select subscription_id from given where is_held)`.execute(queries)
}

/** Gives back what a process had claimed that died on the embedded store, which serves one process. */
export async function giveBackAll({ queries, clock }: Books): Promise<void> {
  const now = new Date(clock.now())
  await sql`
    with given as (
      update webhook_deliveries set due_at = ${now}, is_leased = false
      where status = 'pending' and is_leased returning subscription_id, is_held
    )
    update webhook_subscriptions set hold_until = ${now}
    where id in (select subscription_id from given where is_held)`.execute(queries)
}

export interface WorkToDo {
  readonly hasEvents: boolean
  /** When the next delivery of each kind may be claimed; null when none waits. */
  readonly dueAt: Date | null
  readonly heldDueAt: Date | null
}

/** Looks whether there is work, in one statement that reads three ends of indexes. */
export async function lookForWork({ queries }: Pick<Books, 'queries'>): Promise<WorkToDo> {
  const { rows } = await sql<WorkToDo>`
    select exists (select 1 from outbox where fanned_at is null) as "hasEvents",
      (select min(due_at) from webhook_deliveries where status = 'pending' and not is_held) as "dueAt",
      (select min(due_at) from webhook_deliveries where status = 'pending' and is_held) as "heldDueAt"`.execute(
    queries,
  )
  return rows[0] ?? { hasEvents: false, dueAt: null, heldDueAt: null }
}
