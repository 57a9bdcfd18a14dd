import { z } from 'zod'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { GatewayError } from '../../../core/errors.ts'
import { json } from '../../../core/reply.ts'
import { listPayments, showPayment } from '../../../doors/ledger/list.ts'
import type { Refunds } from '../../../doors/x402/recovery/refund.ts'
import type { Books } from '../../../platform/store/books.ts'
import { paymentStates } from '../../../platform/store/schema.ts'
import { bookedSchema } from '../payments/replies.ts'
import { describeBooked, paymentId } from '../payments/view.ts'
import { orChainUnavailable } from './chain-unavailable.ts'
import { operatorOperation, period, word } from './fields.ts'
import { exactTime, pageQuery, showPage } from './page.ts'
import { paymentListSchema, refundSchema } from './replies.ts'

/** The payments in the books: listed, shown one by one, and refunded. */

const payer = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be a 0x address of 40 hex digits')
  .transform((address) => address.toLowerCase())

export const operatorPaymentRows = {
  listPayments: {
    ...noInput,
    method: 'GET',
    path: '/operator/payments',
    operation: operatorOperation('The payments in the books, the newest first.'),
    query: pageQuery(z.tuple([exactTime, paymentId]), {
      state: z.enum(paymentStates).optional(),
      operation: word.optional(),
      payer: payer.optional(),
      ...period,
    }),
    response: paymentListSchema,
  },
  /** Everything but the signature and the stored reply. */
  showPayment: {
    ...noInput,
    method: 'GET',
    path: '/operator/payments/{paymentId}',
    operation: operatorOperation('One payment, with everything in the books about it.'),
    params: z.object({ paymentId }),
    response: bookedSchema,
  },
  /** 200 when the money is back, 202 while it is on its way. */
  refundPayment: {
    ...noInput,
    method: 'POST',
    path: '/operator/payments/{paymentId}/refund',
    operation: operatorOperation('Gives the money of a payment back to its payer, once.', 180),
    params: z.object({ paymentId }),
    response: refundSchema,
  },
} satisfies EndpointRows

export function operatorPaymentHandlers(
  books: Pick<Books, 'queries'>,
  refunds: Pick<Refunds, 'refund'>,
): Handlers<typeof operatorPaymentRows> {
  return {
    async listPayments({ query: { cursor, limit, ...filter } }) {
      const page = await listPayments(books, filter, 'newest first', cursor, limit)
      const { shown: payments, nextCursor } = showPage(page, describeBooked)
      return json(200, { payments, nextCursor } satisfies z.infer<typeof paymentListSchema>)
    },

    async showPayment({ params }) {
      return json(200, describeBooked(await findPayment(books, params.paymentId)))
    },

    async refundPayment({ params }) {
      const { id } = await findPayment(books, params.paymentId)
      const { state, transaction, failure } = await orChainUnavailable(refunds.refund(id))
      const refund: z.infer<typeof refundSchema> = { paymentId: id, state, transaction, failure }
      return json(state === 'refunded' ? 200 : 202, refund)
    },
  }
}

async function findPayment(books: Pick<Books, 'queries'>, id: string) {
  const row = await showPayment(books, id)
  if (!row) throw new GatewayError('PAYMENT_NOT_FOUND', { field: 'paymentId' })
  return row
}
