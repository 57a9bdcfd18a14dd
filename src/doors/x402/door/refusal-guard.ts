import { LRUCache } from 'lru-cache'
import type { ReadPayerSignature } from '../evidence/signature.ts'
import { otherScheme, type Payment, unusedReasons } from '../wire/types.ts'
import { tooManyRefused } from './payment-errors.ts'
import type { PaidCall } from './purchase.ts'
import type { RefusedPayments } from './refused-payments.ts'

type GuardedCall = Omit<PaidCall, 'body'>

interface GuardParts {
  readonly refused: RefusedPayments
  readonly readPayerSignature: ReadPayerSignature
  /** Whether a payment is what we ask for its call, as far as that can be seen without the chain. */
  readonly fits: (call: GuardedCall) => Promise<boolean>
  /** Whether the books know the payment. */
  readonly isRecorded: (call: Pick<GuardedCall, 'payment'>) => Promise<boolean>
}

const maxPayers = 20_000
const trustMs = 3_600_000

/**
 * Decides which addresses and payers have sent too many refused payments. An honest payer who calls from a full
 * address must still be served, and a caller must not use up the limit of another payer. So:
 *
 * - Every refusal counts for its client address.
 * - It counts for the payer too when the payer alone can have caused it: the payer's own key has signed what we
 *   asked for, it was refused for want of money or of an approval, and the signature was never sent to
 *   the chain. Everybody can send a signature that is public.
 * - A 402 that only asks for another scheme counts for the payer alone: an honest one needs it once.
 * - A payer who was admitted within the last hour may pay from an address that has reached its limit, with a
 *   payment of its own key that fits what we ask. Payments that the chain has published still fit for some
 *   minutes, so each of them has this exemption only as often as the limit says.
 * - A stored reply and a wait (409, 503) are no refusals.
 */
export class RefusalGuard {
  readonly #parts: GuardParts
  /** Payers who were admitted lately. */
  readonly #payers = new LRUCache<string, true>({ max: maxPayers, ttl: trustMs })
  /** Payments that the chain has refused and whose calls are not answered yet, by client address. */
  readonly #uncounted = new Map<string, Set<Payment>>()

  constructor(parts: GuardParts) {
    this.#parts = parts
  }

  /** @throws GatewayError TOO_MANY_REFUSED_PAYMENTS. */
  async require(call: GuardedCall): Promise<void> {
    const { refused } = this.#parts
    const { client } = call
    const [address] = await Promise.all([
      refused.fullAddress(client, this.#uncounted.get(client)?.size),
      refused.requirePayer(payerOf(call)),
    ])
    if (address && !(await this.#isExempt(call))) throw tooManyRefused('address', address)
  }

  /** The payer of this call may pay on from an address that has reached its limit. */
  trust(call: GuardedCall): void {
    this.#payers.set(payerOf(call), true)
  }

  /**
   * Notes that the chain has refused the payment of a call that is being answered. Payments that wait for their
   * verification see it at once: without it a burst that arrives together would be verified whole.
   */
  noteRefused({ client, payment }: Pick<GuardedCall, 'client' | 'payment'>): void {
    const payments = this.#uncounted.get(client) ?? new Set()
    this.#uncounted.set(client, payments.add(payment))
  }

  /** To be called when a call has its answer, and its refusal is counted if it is one. */
  forget({ client, payment }: Pick<GuardedCall, 'client' | 'payment'>): void {
    const payments = this.#uncounted.get(client)
    if (payments?.delete(payment) && payments.size === 0) this.#uncounted.delete(client)
  }

  /**
   * Counts a refusal.
   * @param known whether the books know the payment, because its signature may be public then; undefined when
   *   they were not asked.
   */
  async count(call: GuardedCall, reason: string, known?: boolean): Promise<void> {
    const { refused, readPayerSignature, isRecorded } = this.#parts
    const { client, payment } = call
    const payer = payerOf(call)
    if (reason !== otherScheme) {
      await refused.countAddress(client)
      if (this.#payers.has(payer)) {
        await refused.countAuthorization(client, payer, payment.authorization.nonce)
      }
    }
    const mayBeOwn =
      (reason === otherScheme || unusedReasons.has(reason)) && readPayerSignature(payment) !== undefined
    if (mayBeOwn && !(known ?? (await isRecorded(call)))) await refused.countPayer(payer)
  }

  async #isExempt(call: GuardedCall): Promise<boolean> {
    const { refused, fits, readPayerSignature } = this.#parts
    const { client, payment } = call
    const payer = payerOf(call)
    return (
      this.#payers.has(payer) &&
      readPayerSignature(payment) !== undefined &&
      (await fits(call)) &&
      !(await refused.isFullOf(client, payer, payment.authorization.nonce))
    )
  }
}

function payerOf({ payment }: Pick<PaidCall, 'payment'>): string {
  return payment.authorization.from.toLowerCase()
}
