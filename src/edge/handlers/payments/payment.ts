import { z } from 'zod'
import { type EndpointRows, type HandlerHeaders, type Handlers, noInput } from '../../../core/endpoint.ts'
import { comeBack, GatewayError } from '../../../core/errors.ts'
import { json } from '../../../core/reply.ts'
import { signInHeader } from '../../../core/reserved-headers.ts'
import { type ListedPayment, type SignedPayment, showSigned } from '../../../doors/ledger/list.ts'
import { refundAmountOf } from '../../../doors/ledger/refunds.ts'
import { isPublic, type PayerProofs } from '../../../doors/x402/door/payer-proofs.ts'
import { readPayment } from '../../../doors/x402/wire/headers.ts'
import { caip2Of } from '../../../platform/chain/networks.ts'
import type { Books } from '../../../platform/store/books.ts'
import type { PaymentState } from '../../../platform/store/rows/payments.ts'
import { shownPaymentSchema } from './replies.ts'
import { describeFor, examplePaymentId, paymentId, type Sight } from './view.ts'

/**
 * GET /payments/{paymentId}: the state of a payment and what its payer should do, for everybody. A caller whose
 * connection broke learns here whether to wait or to repeat the request; without it, it might pay twice to be
 * safe. Everybody can compute the ids of payments from the transfers on the chain, so who bought what and when is
 * shown only to a caller that proves to be the payer, and to the operator. A wrong proof is none. The reply that was
 * bought is not shown to anyone.
 */
export const paymentRows = {
  getPayment: {
    ...noInput,
    method: 'GET',
    path: '/payments/{paymentId}',
    params: z.object({ paymentId: paymentId.describe('the value of an X-Payment-Id header') }),
    response: shownPaymentSchema,
    docs: {
      summary: 'Read the state of a payment',
      details: 'The id is in the X-Payment-Id header of the reply that was paid.',
      tag: 'payments',
      errors: ['PAYMENT_NOT_FOUND', 'BOOKS_UNAVAILABLE'],
      example: {
        params: { paymentId: examplePaymentId },
        reply: {
          paymentId: examplePaymentId,
          state: 'settled',
          meaning: 'The call was served and paid: there is nothing to do.',
        },
      },
    },
  },
} satisfies EndpointRows

export interface PaymentParts {
  readonly books: Pick<Books, 'queries'>
  /** The network in use: payments on another one are shown, and not served. */
  readonly chainId: number
  readonly proofs: PayerProofs
}

export function paymentHandlers(parts: PaymentParts): Handlers<typeof paymentRows> {
  const { books, chainId } = parts
  return {
    async getPayment({ params }, { headers }) {
      const row = await showSigned(books, params.paymentId).catch(unreadable)
      if (!row) throw new GatewayError('PAYMENT_NOT_FOUND', { field: 'paymentId' })
      const sight = await sightOf(row, headers, parts.proofs)
      const shown = { ...describeFor(sight, row), meaning: meaningOf(row, chainId) }
      return json(200, shown satisfies z.infer<typeof shownPaymentSchema>, { 'cache-control': 'no-store' })
    },
  }
}

/** A signature is a secret of its payer until its transfer is sent. From then on others may know it. */
async function sightOf(row: SignedPayment, headers: HandlerHeaders, proofs: PayerProofs): Promise<Sight> {
  if (headers.isOperator) return 'all'
  const read = readPayment(headers.proof)
  const payment = read.kind === 'payment' ? read.payment : undefined
  const name = headers.idempotencyKey ?? payment?.identifier
  if (await proofs.isProven(row, { name, signIn: headers.proof(signInHeader)?.[0] })) return 'all'
  if (!payment || !proofs.isSignedBy(payment, row)) return 'state'
  return isPublic(row) ? 'chain' : 'all'
}

function meaningOf(row: ListedPayment, network: number): string {
  const { state, chainId, amount, replyStatus, replyBytes } = row
  if (chainId !== network) return meaningElsewhere(chainId, network)
  if (refundAmountOf(row) < amount) return meaningsOfPartRefunded[state] ?? meanings[state]
  const wasStreamed = replyStatus !== null && replyBytes === null
  return (wasStreamed ? meaningsOfStreamed[state] : undefined) ?? meanings[state]
}

function meaningElsewhere(chainId: number, network: number): string {
  return `The payment was made on network ${caip2Of(chainId)}. This gateway takes payments on ${caip2Of(network)} only: it neither serves nor charges this one.`
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
    'The call was served and the money is about to be taken: repeat the same request with the same payment to get the reply, for some operations only with its Idempotency-Key or a sign-in.',
  settling:
    'The transfer may have been sent and its outcome is not known yet: wait, then repeat the same request with the same payment, for some operations with its Idempotency-Key or a sign-in; do not sign a new one.',
  paid: 'The money was taken and the call is not served to its end yet: unless its reply is still coming in, repeat the request with the same payment, and it is served without a second charge.',
  settled:
    'The call was served and paid: there is nothing to do; for 24 hours the same request, byte for byte, with the same payment gets the same reply again, for some operations only with its Idempotency-Key or a sign-in.',
  final:
    'The call was served and paid, and the payment is final: there is nothing to do; for 24 hours the same request, byte for byte, with the same payment gets the same reply again, for some operations only with its Idempotency-Key or a sign-in.',
  released:
    'The call came to nothing and no money was taken: repeat the request; the same payment may be sent again while it is valid.',
  failed:
    'The transfer failed and no money was taken: the same payment may be sent again while it is valid, once what hindered it is mended; otherwise sign a new one.',
  refunding: 'The money is on its way back to the payer: wait; there is nothing to do.',
  refunded: 'The money went back to the payer: there is nothing to do; a further call needs a new payment.',
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
    'The call was served and paid, and a part of the money is on its way back to the payer: wait; there is nothing to do.',
  refunded:
    'The call was served and paid, and a part of the money went back to the payer: there is nothing to do.',
}
