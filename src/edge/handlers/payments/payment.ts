import { z } from 'zod'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { comeBack, GatewayError } from '../../../core/errors.ts'
import { json } from '../../../core/reply.ts'
import { type ListedPayment, showPayment } from '../../../doors/ledger/list.ts'
import { refundAmountOf } from '../../../doors/ledger/refunds.ts'
import type { Books } from '../../../platform/store/books.ts'
import type { PaymentState } from '../../../platform/store/schema.ts'
import { paymentSchema } from './replies.ts'
import { describePayment, paymentId } from './view.ts'

const response = paymentSchema.extend({ meaning: z.string() })

/**
 * GET /payments/{paymentId}: the state of a payment, for anyone who has its id. A caller whose connection
 * broke learns here whether to wait or to repeat the request; without it, it might pay twice to be safe. The
 * reply that was bought is not shown: the id stands in logs and receipts, and does not prove who paid.
 */
export const paymentRows = {
  getPayment: {
    ...noInput,
    method: 'GET',
    path: '/payments/{paymentId}',
    params: z.object({ paymentId }),
    response,
  },
} satisfies EndpointRows

/** @param chainId the network in use: payments on another one are shown, and not served. */
export function paymentHandlers(
  books: Pick<Books, 'queries'>,
  chainId: number,
): Handlers<typeof paymentRows> {
  return {
    async getPayment({ params }) {
      const row = await showPayment(books, params.paymentId).catch(unreadable)
      if (!row) throw new GatewayError('PAYMENT_NOT_FOUND', { field: 'paymentId' })
      const shown = { ...describePayment(row), meaning: meaningOf(row, chainId) }
      return json(200, shown satisfies z.infer<typeof response>, { 'cache-control': 'no-store' })
    },
  }
}

function meaningOf(row: ListedPayment, network: number): string {
  const { state, chainId, amount, replyStatus, replyBytes } = row
  if (chainId !== network) return meaningElsewhere(chainId, network)
  if (refundAmountOf(row) < amount) return meaningsOfPartRefunded[state] ?? meanings[state]
  const wasStreamed = replyStatus !== null && replyBytes === null
  return (wasStreamed ? meaningsOfStreamed[state] : undefined) ?? meanings[state]
}

function meaningElsewhere(chainId: number, network: number): string {
  return `The payment was made on network eip155:${chainId}. This gateway takes payments on eip155:${network} only: it neither serves nor charges this one.`
}

function unreadable(cause: unknown): never {
  throw comeBack('BOOKS_UNAVAILABLE', cause)
}

/**
 * What the payer should do now. While a payment may still be taken, no text asks the payer to sign a new one.
 */
const meanings: Record<PaymentState, string> = {
  claimed:
    'The call is being served and nothing is taken yet: wait for its reply; if that is lost, repeat the same request with the same payment.',
  served:
    'The call was served and the money is about to be taken: repeat the same request with the same payment to get the reply.',
  settling:
    'The transfer may have been sent and its outcome is not known yet: wait, then repeat the same request with the same payment; do not sign a new one.',
  paid: 'The money was taken and the call is not served to its end yet: unless its reply is still coming in, repeat the request with the same payment, and it is served without a second charge.',
  settled:
    'The call was served and paid: there is nothing to do; for 24 hours the same request, byte for byte, with the same payment gets the same reply again.',
  final:
    'The call was served and paid, and the payment is final: there is nothing to do; for 24 hours the same request, byte for byte, with the same payment gets the same reply again.',
  released:
    'The call came to nothing and no money was taken: repeat the request; the same payment may be sent again while it is valid.',
  failed:
    'The transfer failed and no money was taken: the same payment may be sent again while it is valid, once what hindered it is mended; otherwise sign a new one.',
  refunding: 'The money is on its way back to the payer: wait; there is nothing to do.',
  refunded:
    'The money went back to the payer in refundTransaction: there is nothing to do; a further call needs a new payment.',
}

/** The same where the reply was streamed: it is not stored, so it cannot be sent again. */
const meaningsOfStreamed: Partial<Record<PaymentState, string>> = {
  served:
    'The call was served and the money is about to be taken: there is nothing to do; its reply was streamed and is not given again.',
  failed:
    'The reply was delivered and the wallet could not pay for it: put the amount into the wallet and approve it for Permit2, and it is taken by itself while the authorization is valid; do not sign a new one for this call.',
  settled:
    'The call was served and paid: there is nothing to do; its reply was streamed and is not given again.',
  final:
    'The call was served and paid, and the payment is final: there is nothing to do; its reply was streamed and is not given again.',
}

/** The same where only a part of the money goes back. */
const meaningsOfPartRefunded: Partial<Record<PaymentState, string>> = {
  refunding:
    'The call was served and paid, and a part of the money, refundAmount, is on its way back to the payer: wait; there is nothing to do.',
  refunded:
    'The call was served and paid, and a part of the money, refundAmount, went back to the payer in refundTransaction: there is nothing to do.',
}
