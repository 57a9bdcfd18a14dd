import { GatewayError } from '../../../../core/errors.ts'
import type { PaymentRow } from '../../../../platform/store/rows/payments.ts'
import { refundAmountOf } from '../../../ledger/refunds.ts'
import { wasStreamed } from '../../../ledger/reply-columns.ts'
import type { SignInChallenge } from '../../evidence/sign-in.ts'
import { retryAfter } from '../payment-errors.ts'

/**
 * The refusals of a payment that was used already. What a payer should do next differs: to repeat the request, to
 * prove who it is, or to sign again. A text for all of them would make some payers pay twice and others repeat for
 * nothing, so each case has a sentence of its own.
 */

export type WhyReplayed =
  /** The payment belongs to another request. */
  | 'other request'
  /** It belongs to this request, or to any, and no reply of it is stored. */
  | 'no reply'
  /** It failed, and was sent under a name that this call lacks. */
  | 'other name'
  /** It carries another signature, or other terms, than the payment in the books. */
  | 'other signature'
  /** It was adopted from the chain, and what it would buy here is named by `problem`. */
  | 'adopted'

/** @param problem what keeps an adopted payment from paying for this request. */
export function replayed(row: PaymentRow, why: WhyReplayed, problem?: string): GatewayError {
  const details = {
    payment: shown(row),
    ...(problem === undefined ? {} : { problem }),
    ...(wasStreamed(row) ? { reply: 'was streamed: it is given once and not stored' } : {}),
  }
  return new GatewayError('PAYMENT_REPLAYED', details, { hint: hintFor(row, why) })
}

/**
 * Everybody may read the payment's signature, and nothing shows that this caller is its payer. The answer is the same
 * for every request, so that it does not tell a stranger which one was paid for.
 */
export function payerUnproven(row: PaymentRow, signIn: SignInChallenge): GatewayError {
  // Whoever asks gets nothing, so a proof would be asked for in vain.
  if (hasNoReply(row)) return replayed(row, 'no reply')
  const details = { payment: shown(row), problem: unproven, sign_in: signIn }
  const headers = isOpen(row) ? retryAfter : {}
  const hint = isGivenBack(row)
    ? `Its money went back to the payer, so a further call needs a new payment. To get a reply that is still stored, send that request ${withProof}`
    : `For the request that it pays for, do not pay again: to get the reply, send that request ${withProof} Any other request needs a new payment.`
  return new GatewayError('PAYMENT_REPLAYED', details, { hint, headers })
}

const unproven =
  'others may know the payment by now, so its reply is given only to a caller that proves to be its payer'
const withProof =
  'with the Idempotency-Key or payment-identifier of the purchase (16 characters or more), or with the header SIGN-IN-WITH-X, in which the wallet of the payer has signed details.sign_in.'

function hintFor(row: PaymentRow, why: WhyReplayed): string {
  switch (why) {
    case 'other signature':
      return 'What was sent is not what its payer signed: send the payment as it was signed and sent first.'
    case 'other name':
      return `Its transfer failed, so others may know it: send it with the Idempotency-Key or payment-identifier that it was first sent with. ${needsNewOtherwise}`
    case 'adopted':
      return 'See details.problem.'
    case 'no reply':
      if (isGivenBack(row)) return givenBack
      return wasStreamed(row)
        ? `The reply of its call was streamed, so it is given once. ${needsNew}`
        : `The reply of its call is not stored. ${needsNew}`
    case 'other request':
      return isGivenBack(row) ? givenBack : `${otherRequest[row.state]} This request needs a new payment.`
  }
}

const needsNewOtherwise = 'Without it, sign a new payment.'
const needsNew = 'A further call needs a new payment.'
const givenBack = `Its money went back to the payer, so it buys nothing any more. ${needsNew}`
const isBought =
  'It has paid for another request: if the reply of that one got lost, repeat exactly that one.'
const isRunning =
  'It is used for another request, whose outcome is still open: to get the reply of that one, repeat exactly that one.'

const otherRequest: Record<PaymentRow['state'], string> = {
  claimed: isRunning,
  served: isRunning,
  settling: isRunning,
  paid: 'It has paid for another request, which is owed: repeat exactly that one, and it is served without a second charge.',
  settled: isBought,
  final: isBought,
  refunding: isBought,
  refunded: isBought,
  failed:
    'Its transfer failed, and it stays bound to another request: repeat exactly that one once the wallet holds the amount.',
  released: 'It is bound to another request.',
}

function shown({ id, state, transaction }: PaymentRow) {
  return { id, state, transaction }
}

function isOpen({ state }: PaymentRow): boolean {
  return state === 'claimed' || state === 'served' || state === 'settling'
}

/** Whether the whole payment went back, or is on its way. */
function isGivenBack(row: PaymentRow): boolean {
  const { state, amount } = row
  return (state === 'refunding' || state === 'refunded') && refundAmountOf(row) >= amount
}

/** Whether the call was served and its reply is not stored: every request gets the same answer. */
export function hasNoReply(row: PaymentRow): boolean {
  const { state, replyBody } = row
  return wasStreamed(row) || (deliveredStates.some((one) => one === state) && replyBody === null)
}

const deliveredStates = ['settled', 'final', 'refunding', 'refunded'] as const
