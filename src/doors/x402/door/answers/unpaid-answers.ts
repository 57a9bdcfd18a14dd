import type { DoorOutcome } from '../../../../core/admission.ts'
import type { GatewayError } from '../../../../core/errors.ts'
import type { Challenges } from '../../wire/challenge.ts'
import { isForAnotherToken } from '../../wire/match.ts'
import type { Offer } from '../../wire/requirements.ts'
import { otherScheme, type Refusal } from '../../wire/types.ts'
import type { Declined } from '../first-look.ts'
import { tooManyFailures } from '../payment-errors.ts'
import type { Purchase } from '../purchase.ts'
import type { PaymentRecipients } from '../recipients.ts'
import type { KeptRefusals } from '../repeats/kept-refusals.ts'
import { type EarlyAnswer, nothingRecorded, type RecordedPayments } from './recorded.ts'

interface UnpaidAnswersOptions {
  readonly recorded: RecordedPayments
  readonly refusals: Pick<KeptRefusals, 'note'>
  readonly challenges: Challenges
  readonly recipients: Pick<PaymentRecipients, 'isKnown'>
  readonly offer: Offer
}

/**
 * Answers calls whose payment does not go through: with what it has bought before, if our books can have it, and
 * otherwise with the 402 that says why.
 */
export class UnpaidAnswers {
  readonly #options: UnpaidAnswersOptions

  constructor(options: UnpaidAnswersOptions) {
    this.#options = options
  }

  /** @throws GatewayError like `RecordedPayments.answer`, or why the payment cannot be checked. */
  async declined(purchase: Purchase, declined: Declined): Promise<DoorOutcome> {
    const { answer, isRecorded } = (await this.#mayBeRecorded(purchase))
      ? await this.#options.recorded.answer(purchase, refusalOf(declined))
      : nothingRecorded
    return answer ?? this.#unbought(purchase, declined, isRecorded)
  }

  /** The same before the body of the call is read. @throws GatewayError like `declined`. */
  async declinedEarly(purchase: Purchase, declined: Declined): Promise<EarlyAnswer> {
    const { answer, isRecorded } = (await this.#mayBeRecorded(purchase))
      ? await this.#options.recorded.answerEarly(purchase, refusalOf(declined))
      : nothingRecorded
    return answer ?? this.#unbought(purchase, declined, isRecorded)
  }

  /**
   * A payer who has to wait for another run still gets what an earlier one has bought.
   * @throws GatewayError `wait`, or TOO_MANY_FAILURES, when nothing was bought.
   */
  async bought(purchase: Purchase, wait: GatewayError | undefined): Promise<DoorOutcome> {
    const { answer } = await this.#options.recorded.answer(purchase, undefined)
    if (answer) return answer
    throw wait ?? tooManyFailures(0)
  }

  /**
   * The 402 for a verified payment that the books refused to claim.
   * @param askedAt when the chain was asked for it, in milliseconds of the clock.
   */
  unclaimed(purchase: Purchase, refusal: Refusal, askedAt: number): DoorOutcome {
    this.#options.refusals.note(purchase.payment, refusal, askedAt)
    return this.#refused(purchase, refusal)
  }

  /**
   * False for a payment that our books cannot hold, nor another one of its payer's by the same name: one for
   * another token, or to an account that we have never asked payments to. It is refused without a statement of
   * its own, because anybody can make any number of them.
   */
  async #mayBeRecorded({ payment, wanted }: Purchase): Promise<boolean> {
    const { offer, recipients } = this.#options
    if (isForAnotherToken(payment, offer.network)) return false
    return wanted.idempotencyKey !== null || recipients.isKnown(payment)
  }

  #unbought(purchase: Purchase, declined: Declined, isRecorded: boolean) {
    if (declined.kind === 'unchecked') throw declined.error
    return { ...this.#refused(purchase, declined.refusal), isRecorded }
  }

  #refused(purchase: Purchase, refusal: Refusal) {
    const reply = this.#options.challenges.refused(purchase, purchase.operation, refusal)
    return { kind: 'answered', reply, refusedFor: refusal.offered ? otherScheme : refusal.reason } as const
  }
}

function refusalOf(declined: Declined): Refusal | undefined {
  return declined.kind === 'refused' ? declined.refusal : undefined
}
