import { createBackgroundWork } from '../../../../core/background.ts'
import type { Delivery } from '../../../../core/catalog/metering.ts'
import type { Log } from '../../../../core/log.ts'
import type { Reply } from '../../../../core/reply.ts'

export interface Delivered extends Delivery {
  /** Whether the delivery began: a caller who had left before got nothing. */
  readonly hasBegun: boolean
}

/**
 * Replies that are being delivered while their payment is open. The rest of the payment is done after the
 * delivery, in the background. A gateway waits for it before it closes; otherwise that work would be lost.
 */
export class Deliveries {
  readonly #log: Log
  readonly #background = createBackgroundWork()

  constructor(log: Log) {
    this.#log = log
  }

  /**
   * Follows the delivery of a reply, then calls `conclude`, whose errors are logged.
   * @returns the reply to send.
   */
  follow(reply: Reply, conclude: (delivered: Delivered) => Promise<void>): Reply {
    const { stream, delivered = Promise.resolve(complete) } = reply
    let hasBegun = stream === undefined
    const work = delivered
      .then((delivery) => conclude({ ...delivery, hasBegun }))
      .catch((error: unknown) =>
        this.#log.error({ err: error }, 'the payment of a delivered reply could not be concluded'),
      )
    this.#background.add(work)
    if (!stream) return reply
    return {
      ...reply,
      stream(signal) {
        hasBegun ||= !signal.aborted
        return stream(signal)
      },
    }
  }

  /** Resolves when no followed reply is being delivered or concluded. */
  idle(): Promise<void> {
    return this.#background.idle()
  }
}

/** For a reply without a report of its delivery. */
const complete: Delivery = { outcome: 'complete', usage: undefined }
