import type { Admission, RunFailure } from '../../../../core/admission.ts'
import { costOf, type Usage } from '../../../../core/catalog/metering.ts'
import { GatewayError } from '../../../../core/errors.ts'
import { parseUsdc } from '../../../../core/money.ts'
import type { Reply } from '../../../../core/reply.ts'
import { markServed, markSettled } from '../../../ledger/grouped-moves.ts'
import { type Held, release } from '../../../ledger/payments.ts'
import { isStreamed } from '../../../ledger/reply-columns.ts'
import { unsettled } from '../../wire/receipt.ts'
import type { Purchase } from '../purchase.ts'
import { type ChargeResult, discardUnsent, type Sale } from '../sale.ts'
import type { Delivered, Deliveries } from './deliveries.ts'
import type { RunningStreams } from './running-streams.ts'

/**
 * A run under a payment of scheme `upto`: the payer has signed a maximum, and the used amount is taken once
 * it is known. A reply that was collected waits for that and carries its receipt; a streamed reply is sent
 * before. While the call runs the maximum stays claimed, so that one balance does not pay for two calls.
 */
export class MeteredAdmission implements Admission {
  readonly owed = undefined
  readonly payment: Held
  readonly #sale: Sale
  /** In which the payer's funds were verified. */
  readonly #block: bigint
  readonly #deliveries: Deliveries
  readonly #streams: RunningStreams
  /** How long a worker that settles is presumed alive. */
  readonly #leaseMs: number
  /** The operation's deadline, by `performance.now()`. */
  readonly #deadline: number

  constructor(sale: Sale, block: bigint, deliveries: Deliveries, streams: RunningStreams, leaseMs: number) {
    this.payment = sale.held
    this.#sale = sale
    this.#block = block
    this.#deliveries = deliveries
    this.#streams = streams
    this.#leaseMs = leaseMs
    this.#deadline = performance.now() + sale.purchase.operation.deadlineSeconds * 1000
  }

  settle(reply: Reply): Promise<Reply> {
    return discardUnsent(
      reply,
      isStreamed(reply) ? this.#settleStreamed(reply) : this.#settleCollected(reply),
    )
  }

  release(failure?: RunFailure): Promise<Readonly<Record<string, string>>> {
    return this.#sale.release(failure)
  }

  async #settleCollected(reply: Reply): Promise<Reply> {
    const delivery = await reply.delivered
    const amount = amountDue(this.#sale.purchase, reply, delivery?.usage)
    if (amount === 0n) return this.#giveFree(reply)
    const result = await this.#charge(reply, amount)
    switch (result.kind) {
      case 'refused':
        return result.reply
      case 'taken':
        return this.#sale.withReceipt(reply, { ...result.transfer, amount })
    }
  }

  /** Nothing was used, so nothing is taken: the receipt says so and names no transaction. */
  async #giveFree(reply: Reply): Promise<Reply> {
    const { held, parts } = this.#sale
    await this.#sale.confirmMove(release(parts.books, held))
    const at = new Date(parts.books.clock.now())
    return this.#sale.withReceipt(reply, { transaction: '', at, amount: 0n })
  }

  async #settleStreamed(reply: Reply): Promise<Reply> {
    endTunnel(reply, this.#deadline)
    const cut = new AbortController()
    const unwatch = this.#watch(reply, cut)
    const sent = endedBy(cut.signal, unsettled(reply, this.#sale.held.id))
    return this.#deliveries.follow(sent, async (delivered) => {
      unwatch()
      await this.#concludeStream(reply, delivered)
    })
  }

  /** Ends the reply when its payer can no longer pay for it. */
  #watch({ tunnel }: Reply, stream: AbortController): () => void {
    const { authorization, permit } = this.#sale.purchase.payment
    return this.#streams.watch({
      id: this.#sale.held.id,
      payer: authorization.from,
      nonce: authorization.nonce,
      permit,
      amount: authorization.value,
      block: this.#block,
      cut() {
        tunnel?.destroy()
        stream.abort(new GatewayError('CALLER_LEFT'))
      },
    })
  }

  async #concludeStream(reply: Reply, { outcome, usage }: Delivered): Promise<void> {
    const { purchase, held, parts } = this.#sale
    const amount = amountDue(purchase, reply, usage)
    if (amount > 0n) {
      await this.#charge(reply, amount)
      return
    }
    parts.log.info({ payment: held.id, outcome }, 'nothing is due for a metered reply')
    await release(parts.books, held, outcome === 'left' ? 'caller_left' : undefined)
  }

  async #charge(reply: Reply, amount: bigint): Promise<ChargeResult> {
    const { held, parts } = this.#sale
    await this.#sale.requireMove(markServed(parts.books, held, reply, this.#leaseMs, amount))
    const result = await this.#sale.charge(amount)
    // The money has moved even without this mark; the recovery makes it later.
    if (result.kind === 'taken') {
      await this.#sale.confirmMove(markSettled(parts.books, held, result.transfer))
    }
    return result
  }
}

/**
 * The amount due, in atomic units: for the usage, and of a reply that failed at least what the operation
 * charges for that. Never more than was signed.
 */
function amountDue({ operation, payment }: Purchase, { status }: Reply, usage: Usage | undefined): bigint {
  const { meter, chargeFailed } = operation
  const { value } = payment.authorization
  const used = meter && usage ? costOf(meter, usage).amount : 0n
  const least = status < 400 || chargeFailed === undefined ? 0n : leastFor(chargeFailed, value)
  const due = used > least ? used : least
  return due > value ? value : due
}

function leastFor(chargeFailed: string, signed: bigint): bigint {
  return chargeFailed === 'price' ? signed : parseUsdc(chargeFailed)
}

/** The reply, whose stream ends with this signal, too. */
function endedBy(cut: AbortSignal, reply: Reply): Reply {
  const { stream } = reply
  return stream ? { ...reply, stream: (signal) => stream(AbortSignal.any([signal, cut])) } : reply
}

/**
 * Ends a tunnel at the operation's deadline. The signature is valid until the deadline and the settlement
 * after it, so what a longer connection uses could not be charged.
 */
function endTunnel({ tunnel, delivered }: Reply, deadline: number): void {
  if (!tunnel) return
  const timer = setTimeout(() => tunnel.destroy(), Math.max(0, deadline - performance.now()))
  void delivered?.finally(() => clearTimeout(timer))
}
