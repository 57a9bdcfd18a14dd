import type { Admission, RunFailure } from '../../../../core/admission.ts'
import type { Reply } from '../../../../core/reply.ts'
import { markServed, markSettled } from '../../../ledger/grouped-moves.ts'
import { type Held, markPaid } from '../../../ledger/payments.ts'
import { isStreamed } from '../../../ledger/reply-columns.ts'
import { handlerLeaseMs } from '../purchase.ts'
import { discardUnsent, type Sale } from '../sale.ts'
import type { Deliveries } from './deliveries.ts'
import { deliverPaid } from './paid-admission.ts'

/**
 * A run that is charged after the work: the reply is stored, then the money moves, then the reply is sent.
 */
export class AfterAdmission implements Admission {
  readonly owed = undefined
  readonly payment: Held
  readonly #sale: Sale
  readonly #deliveries: Deliveries
  /** How long a worker that settles is presumed alive. */
  readonly #leaseMs: number

  constructor(sale: Sale, deliveries: Deliveries, leaseMs: number) {
    this.payment = sale.held
    this.#sale = sale
    this.#deliveries = deliveries
    this.#leaseMs = leaseMs
  }

  settle(reply: Reply): Promise<Reply> {
    return discardUnsent(
      reply,
      isStreamed(reply) ? this.#chargeForStream(reply) : this.#chargeForReply(reply),
    )
  }

  release(failure?: RunFailure): Promise<Readonly<Record<string, string>>> {
    return this.#sale.release(failure)
  }

  async #chargeForReply(reply: Reply): Promise<Reply> {
    const { held, parts } = this.#sale
    await this.#sale.requireMove(markServed(parts.books, held, reply, this.#leaseMs))
    const result = await this.#sale.charge()
    switch (result.kind) {
      case 'refused':
        return result.reply
      case 'taken':
        // The money has moved, so the reply is sent even without this mark; the recovery makes it later.
        await this.#sale.confirmMove(markSettled(parts.books, held, result.transfer))
        return this.#sale.withReceipt(reply, result.transfer)
    }
  }

  /**
   * A stream cannot be stored first. The money moves once the stream has something to send. Until it is
   * delivered the reply is owed: a payer whose stream broke is served again.
   */
  async #chargeForStream(reply: Reply): Promise<Reply> {
    const { held, parts, purchase } = this.#sale
    await this.#sale.requireMove(markServed(parts.books, held, undefined, this.#leaseMs))
    const result = await this.#sale.charge()
    switch (result.kind) {
      case 'refused':
        return result.reply
      case 'taken':
        await this.#sale.requireMove(
          markPaid(parts.books, held, result.transfer, handlerLeaseMs(purchase.operation)),
        )
        return deliverPaid(this.#sale, result.transfer, this.#deliveries, reply)
    }
  }
}
