import type { Books } from '../../../platform/store/books.ts'
import type { WebhookDeliveryRow } from '../../../platform/store/rows/subscribers.ts'

/** A delivery as it is shown, with the name of its event. */
export interface ShownDelivery
  extends Omit<WebhookDeliveryRow, 'host' | 'isHeld' | 'claims' | 'sentByHandAt'> {
  readonly type: string
}

/** The last deliveries of a subscription, the newest first. */
export async function lastDeliveries(
  { queries }: Pick<Books, 'queries'>,
  subscriptionId: string,
  limit: number,
): Promise<ShownDelivery[]> {
  return await queries
    .selectFrom('webhookDeliveries')
    .innerJoin('outbox', 'outbox.id', 'webhookDeliveries.eventId')
    .select([
      'webhookDeliveries.id',
      'webhookDeliveries.subscriptionId',
      'webhookDeliveries.eventId',
      'webhookDeliveries.status',
      'webhookDeliveries.isLeased',
      'webhookDeliveries.dueAt',
      'webhookDeliveries.attempts',
      'webhookDeliveries.attemptedAt',
      'webhookDeliveries.answerStatus',
      'webhookDeliveries.answer',
      'webhookDeliveries.error',
      'webhookDeliveries.createdAt',
      'webhookDeliveries.endedAt',
      'outbox.type',
    ])
    .where('webhookDeliveries.subscriptionId', '=', subscriptionId)
    .orderBy('webhookDeliveries.createdAt', 'desc')
    .orderBy('webhookDeliveries.id', 'desc')
    .limit(limit)
    .execute()
}
