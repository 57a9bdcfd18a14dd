import { createBackgroundWork } from '../../../core/background.ts'
import type { Delivery } from '../../../core/catalog/metering.ts'
import type { Log } from '../../../core/log.ts'
import type { Reply } from '../../../core/reply.ts'

/**
 * Replies that are on their way while their payment is still open. What is left to do about the money is done when
 * they have been delivered, with no call to wait for it: a gateway that closed before would leave it undone.
 */
export interface Deliveries {
  /**
   * @param conclude what is left to do; what it throws is logged.
   * @returns the reply to send.
   */
  follow(reply: Reply, conclude: (delivered: Delivered) => Promise<void>): Reply
  /** Resolves when no reply is on its way or waits for its payment. */
  idle(): Promise<void>
}

export interface Delivered extends Delivery {
  /** Whether any of it was asked for: a caller who had left before got nothing. */
  readonly hasBegun: boolean
}

export function createDeliveries(log: Log): Deliveries {
  const underWay = createBackgroundWork()
  return {
    follow(reply, conclude) {
      const { stream, delivered = Promise.resolve(given) } = reply
      let hasBegun = stream === undefined
      const work = delivered
        .then((delivery) => conclude({ ...delivery, hasBegun }))
        .catch((error: unknown) =>
          log.error({ err: error }, 'the payment of a reply that was delivered could not be concluded'),
        )
      underWay.add(work)
      if (!stream) return reply
      return {
        ...reply,
        stream(signal) {
          hasBegun ||= !signal.aborted
          return stream(signal)
        },
      }
    },
    idle: underWay.idle,
  }
}

/** Of a reply that nobody follows on its way. */
const given: Delivery = { outcome: 'complete', usage: undefined }
