import type { Clock } from '../../../../core/clock.ts'
import type { ReadPayerSignature } from '../../evidence/signature.ts'
import { type Facilitator, PaymentsUnavailable, type Screening } from '../../wire/facilitator.ts'
import type { Declined, FirstLook } from '../first-look.ts'
import type { Purchase } from '../purchase.ts'
import type { KeptRefusals } from '../repeats/kept-refusals.ts'

/** What is known of a payment before the chain is asked about it. */
type Screened = Declined | Exclude<Screening, { kind: 'refused' }>

/**
 * Refuses what can be refused without the chain: what does not fit, what was refused just before, a signature
 * for an account without code, and a wallet contract that has failed. At most the payer's code is looked up,
 * once a minute.
 */
export type ScreenPayment = (purchase: Purchase) => Promise<Screened>

interface ScreenOptions {
  readonly firstLook: FirstLook
  readonly refusals: Pick<KeptRefusals, 'note'>
  readonly readPayerSignature: ReadPayerSignature
  readonly facilitator: Pick<Facilitator, 'screen'>
  readonly clock: Clock
}

export function createScreen(options: ScreenOptions): ScreenPayment {
  const { firstLook, refusals, readPayerSignature, facilitator, clock } = options
  return async (purchase) => {
    const declined = firstLook(purchase)
    if (declined) return declined
    const { payment } = purchase
    if (readPayerSignature(payment) !== undefined) return { kind: 'plain' }
    if (!facilitator.screen) return { kind: 'unknown' }
    const askedAt = clock.now()
    try {
      const screened = await facilitator.screen(payment)
      if (screened.kind === 'refused') refusals.note(payment, screened.refusal, askedAt)
      return screened
    } catch (cause) {
      // The verification says what is missing.
      if (cause instanceof PaymentsUnavailable) return { kind: 'unknown' }
      throw cause
    }
  }
}
