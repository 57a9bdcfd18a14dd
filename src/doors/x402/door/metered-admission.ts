import type { Admission } from '../../../core/admission.ts'
import { costOf, type Usage } from '../../../core/catalog/metering.ts'
import type { Log } from '../../../core/log.ts'
import type { Reply } from '../../../core/reply.ts'
import type { Books } from '../../../platform/store/books.ts'
import { markServed, markSettled } from '../../ledger/grouped-moves.ts'
import { type Held, release } from '../../ledger/payments.ts'
import { isStreamed } from '../../ledger/reply-columns.ts'
import { type Receipts, unsettled, withPaymentId } from '../wire/receipt.ts'
import type { Charge } from './charge.ts'
import type { Deliveries } from './deliveries.ts'
import { settlementUnknown } from './payment-errors.ts'
import type { Purchase } from './purchase.ts'

/**
 * Admissions under a payment of scheme `upto`: the payer has signed a maximum, and of it is taken what was used,
 * once that is known. A reply that was collected waits for it and bears its receipt; one that is streamed has gone
 * out by then. While the call runs the maximum stays claimed, so that one balance does not pay for two.
 */
export type OpenMetered = (purchase: Purchase, held: Held) => Admission

interface MeteredOptions {
  readonly books: Books
  readonly charge: Charge
  readonly deliveries: Deliveries
  readonly receipts: Receipts
  /** How long a worker that settles is presumed alive. */
  readonly leaseMs: number
  readonly log: Log
}

export function createMetered({
  books,
  charge,
  deliveries,
  receipts,
  leaseMs,
  log,
}: MeteredOptions): OpenMetered {
  /** @returns the amount that was taken and where, or the reply that tells why none was; undefined when nothing is due. */
  async function collect(purchase: Purchase, held: Held, reply: Reply, amount: bigint) {
    if (!(await charge.isMade(held, markServed(books, held, reply, leaseMs, amount))))
      throw settlementUnknown(held.id)
    const mined = await charge.take(purchase, held, amount)
    // Written or not, the money has moved; a lost mark is found by the recovery.
    if (!('status' in mined)) await charge.isMade(held, markSettled(books, held, mined))
    return mined
  }

  async function settleCollected(purchase: Purchase, held: Held, reply: Reply): Promise<Reply> {
    const delivery = await reply.delivered
    const amount = dueOf(purchase, delivery?.usage)
    if (amount === 0n) {
      await charge.isMade(held, release(books, held))
      const payer = purchase.payment.authorization.from
      const { endpoint } = purchase
      const settledAt = new Date(books.clock.now())
      const free = { success: true, transaction: '', payer, endpoint, settledAt, amount } as const
      return receipts.attach(withPaymentId(reply, held.id), free)
    }
    const mined = await collect(purchase, held, reply, amount)
    return 'status' in mined ? mined : charge.receipted(purchase, held, reply, { ...mined, amount })
  }

  function settleStreamed(purchase: Purchase, held: Held, reply: Reply): Reply {
    return deliveries.follow(unsettled(reply, held.id), async ({ outcome, usage }) => {
      const amount = dueOf(purchase, usage)
      if (amount > 0n) {
        await collect(purchase, held, reply, amount)
        return
      }
      log.info({ payment: held.id, outcome }, 'nothing is due for a metered reply')
      await release(books, held, outcome === 'left' ? 'caller_left' : undefined)
    })
  }

  return (purchase, held) => {
    const end = performance.now() + purchase.operation.deadlineSeconds * 1000
    return {
      owed: undefined,
      payment: held,
      async release(failure) {
        await release(books, held, failure)
        return {}
      },
      async settle(reply) {
        if (!isStreamed(reply)) return settleCollected(purchase, held, reply)
        endTunnel(reply, end)
        return settleStreamed(purchase, held, reply)
      },
    }
  }
}

/** What is due for it, in atomic units: never more than was signed. */
function dueOf({ operation: { meter }, payment }: Purchase, usage: Usage | undefined): bigint {
  if (!meter || !usage) return 0n
  const { amount } = costOf(meter, usage)
  const { value } = payment.authorization
  if (amount > value) return value
  return amount
}

/**
 * A connection has no end of its own, and what was signed is valid for the operation's deadline and the settlement
 * after it: what went on for longer could be used and not be charged.
 */
function endTunnel({ tunnel, delivered }: Reply, end: number): void {
  if (!tunnel) return
  const timer = setTimeout(() => tunnel.destroy(), Math.max(0, end - performance.now()))
  void delivered?.finally(() => clearTimeout(timer))
}
