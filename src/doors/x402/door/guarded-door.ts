import { LRUCache } from 'lru-cache'
import type { DoorOutcome } from '../../../core/admission.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { ReadPayerSignature } from '../evidence/signature.ts'
import { otherScheme, unusedReasons } from '../wire/types.ts'
import type { PaymentDoor } from './payment.ts'
import { tooManyRefused } from './payment-errors.ts'
import type { PaidCall } from './purchase.ts'
import type { RefusedPayments } from './refused-payments.ts'

/**
 * Puts a limit on refused payments before a payment door. The limit of an address must not keep an honest payer
 * out who calls from it, and nobody may use up the limit of another payer. So:
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
export function guardDoor(door: PaymentDoor, parts: GuardParts): PaymentDoor {
  return new GuardedDoor(door, parts)
}

interface GuardParts {
  readonly refused: RefusedPayments
  readonly readPayerSignature: ReadPayerSignature
  /** Whether a payment is what we ask for its call, as far as that can be seen without the chain. */
  readonly fits: (call: Omit<PaidCall, 'body'>) => Promise<boolean>
  /** Whether the books know the payment. */
  readonly isRecorded: (call: Pick<PaidCall, 'payment'>) => Promise<boolean>
}

const maxPayers = 20_000
const trustMs = 3_600_000

class GuardedDoor implements PaymentDoor {
  readonly #door: PaymentDoor
  readonly #parts: GuardParts
  /** Payers who were admitted lately. */
  readonly #payers = new LRUCache<string, true>({ max: maxPayers, ttl: trustMs })

  constructor(door: PaymentDoor, parts: GuardParts) {
    this.#door = door
    this.#parts = parts
  }

  async open(call: PaidCall, verified?: Parameters<PaymentDoor['open']>[1]): Promise<DoorOutcome> {
    if (!verified) await this.#require(call)
    const outcome = await this.#counting(call, () => this.#door.open(call, verified))
    if (outcome.kind === 'admitted') this.#payers.set(payerOf(call), true)
    return outcome
  }

  async verifyEarly(call: Omit<PaidCall, 'body'>): ReturnType<PaymentDoor['verifyEarly']> {
    await this.#require(call)
    return this.#counting(call, () => this.#door.verifyEarly(call))
  }

  idle(): Promise<void> {
    return this.#door.idle()
  }

  /** @throws GatewayError TOO_MANY_REFUSED_PAYMENTS. */
  async #require(call: Omit<PaidCall, 'body'>): Promise<void> {
    const { refused } = this.#parts
    const [address] = await Promise.all([
      refused.fullAddress(call.client),
      refused.requirePayer(payerOf(call)),
    ])
    if (address && !(await this.#isExempt(call))) throw tooManyRefused('address', address)
  }

  async #isExempt(call: Omit<PaidCall, 'body'>): Promise<boolean> {
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

  async #counting<Outcome extends { readonly kind: string; readonly refusedFor?: string | undefined }>(
    call: Omit<PaidCall, 'body'>,
    work: () => Promise<Outcome>,
  ): Promise<Outcome> {
    try {
      const outcome = await work()
      if (outcome.refusedFor !== undefined) await this.#count(call, outcome.refusedFor)
      return outcome
    } catch (error) {
      if (error instanceof GatewayError && error.code === 'PAYMENT_REPLAYED') {
        await this.#count(call, error.code)
      }
      throw error
    }
  }

  async #count(call: Omit<PaidCall, 'body'>, reason: string): Promise<void> {
    const { refused, readPayerSignature, isRecorded } = this.#parts
    const { client, payment } = call
    const payer = payerOf(call)
    if (reason !== otherScheme) {
      await refused.countAddress(client)
      if (this.#payers.has(payer)) {
        await refused.countAuthorization(client, payer, payment.authorization.nonce)
      }
    }
    const mayBeOwn = reason === otherScheme || unusedReasons.has(reason)
    const isOwn = mayBeOwn && readPayerSignature(payment) !== undefined && !(await isRecorded(call))
    if (isOwn) await refused.countPayer(payer)
  }
}

function payerOf({ payment }: Pick<PaidCall, 'payment'>): string {
  return payment.authorization.from.toLowerCase()
}
