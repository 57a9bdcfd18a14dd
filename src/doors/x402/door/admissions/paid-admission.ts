import type { Admission } from '../../../../core/admission.ts'
import type { Reply } from '../../../../core/reply.ts'
import { type Held, markSold, release } from '../../../ledger/payments.ts'
import { isStreamed } from '../../../ledger/reply-columns.ts'
import { discardUnsent, type Sale, type SettledTransfer } from '../sale.ts'
import { seal } from '../seal.ts'
import type { Delivered, Deliveries } from './deliveries.ts'

/**
 * A run whose money is here already: it was charged first, or an earlier run of the payment served nothing.
 */
export class PaidAdmission implements Admission {
  readonly owed: string
  readonly payment: Held
  readonly #sale: Sale
  readonly #transfer: SettledTransfer
  readonly #deliveries: Deliveries

  constructor(sale: Sale, transfer: SettledTransfer, deliveries: Deliveries) {
    this.owed = sale.held.id
    this.payment = sale.held
    this.#sale = sale
    this.#transfer = transfer
    this.#deliveries = deliveries
  }

  settle(reply: Reply): Promise<Reply> {
    return discardUnsent(reply, deliverPaid(this.#sale, this.#transfer, this.#deliveries, reply))
  }

  /** The payment stays `paid`. A caller who leaves an owed run is not counted: its work goes on. */
  release(): Promise<Readonly<Record<string, string>>> {
    return this.#sale.release()
  }
}

/**
 * Delivers a reply whose money is here. A repeated payment gets the stored reply; if it was not stored, it
 * gets another run.
 */
export async function deliverPaid(
  sale: Sale,
  transfer: SettledTransfer,
  deliveries: Deliveries,
  reply: Reply,
): Promise<Reply> {
  const { secretName } = sale.purchase
  const stored = secretName === undefined ? reply : seal(reply, secretName, sale.held.id)
  const sent = sale.withReceipt(reply, transfer)
  if (isStreamed(reply) && !reply.tunnel) {
    return deliveries.follow(sent, (delivered) => concludeStream(sale, stored, delivered))
  }
  // A tunnel has no end to wait for: the payment bought the connection.
  await sale.requireMove(markSold(sale.parts.books, sale.held, stored))
  return sent
}

async function concludeStream(sale: Sale, reply: Reply, { outcome, hasBegun }: Delivered): Promise<void> {
  const { books, log } = sale.parts
  if (hasBegun && outcome !== 'broken') {
    await markSold(books, sale.held, reply)
    return
  }
  log.warn({ payment: sale.held.id, outcome }, 'a paid reply did not reach its payer; the call is owed')
  await release(books, sale.held)
}
