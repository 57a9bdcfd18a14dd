import { randomUUID } from 'node:crypto'
import type { Books } from '../../../src/platform/store/books.ts'
import { type OutboxEvent, writeEvent } from '../../../src/platform/store/outbox.ts'
import type { WebhookDeliveryRow } from '../../../src/platform/store/rows/subscribers.ts'
import { type Subscription, subscribe } from '../../../src/products/webhooks/subscriptions/subscriptions.ts'
import { box, secret } from './box.ts'

/** Subscriptions and events of the tests, in a store. */

interface Wanted {
  readonly owner?: string
  readonly isAnonymous?: boolean
  readonly url?: string
  readonly events?: readonly OutboxEvent['type'][]
  /** Its receiver has accepted a delivery before, so its deliveries do not wait for each other. */
  readonly isProven?: boolean
}

/** Subscribes a receiver. */
export async function subscribed(books: Books, wanted: Wanted = {}): Promise<Subscription> {
  const { owner = `oidc:${randomUUID()}`, isAnonymous = false, isProven = true } = wanted
  const { url = `https://${randomUUID()}.example.com/`, events = ['scan.completed'] } = wanted
  const { host, hostname, port } = new URL(url)
  const asked = {
    ...{ url, events, secret, metadata: {} },
    host: port === '' ? `${host}:443` : host,
    site: hostname,
  }
  const limits = { perKey: 10_000, perClient: 10_000 }
  const made = await subscribe(books, box, { owner, isAnonymous }, asked, limits)
  if ('limit' in made) throw new Error('the tests reached the limit of subscriptions')
  if (isProven) {
    const provenAt = new Date(books.clock.now())
    await books.queries
      .updateTable('webhookSubscriptions')
      .set({ provenAt })
      .where('id', '=', made.id)
      .execute()
  }
  return made
}

/** Writes an event that every subscription may see, unless an owner is named. */
export async function happened(
  books: Books,
  type: OutboxEvent['type'] = 'scan.completed',
  owner: string | null = null,
): Promise<string> {
  const at = new Date(books.clock.now())
  return await writeEvent(books.queries, { type, at, owner, scanId: null, data: { scan_id: randomUUID() } })
}

/** The deliveries of a subscription, the oldest event first. */
export async function deliveriesOf(
  { queries }: Pick<Books, 'queries'>,
  { id }: Pick<Subscription, 'id'>,
): Promise<WebhookDeliveryRow[]> {
  return await queries
    .selectFrom('webhookDeliveries')
    .innerJoin('outbox', 'outbox.id', 'eventId')
    .selectAll('webhookDeliveries')
    .where('subscriptionId', '=', id)
    .orderBy('outbox.createdAt')
    .orderBy('outbox.id')
    .execute()
}
