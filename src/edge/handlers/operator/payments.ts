import { z } from 'zod'
import { type Endpoint, endpointWith, noBody, noParams, noQuery } from '../../../core/endpoint.ts'
import { GatewayError } from '../../../core/errors.ts'
import { json } from '../../../core/reply.ts'
import { listPayments, showPayment } from '../../../doors/ledger/list.ts'
import type { Refunds } from '../../../doors/x402/recovery/refund.ts'
import type { Books } from '../../../platform/store/books.ts'
import { paymentStates } from '../../../platform/store/schema.ts'
import { bookedSchema } from '../payments/replies.ts'
import { describeBooked, paymentId } from '../payments/view.ts'
import { ofTheChain } from './chain-failure.ts'
import { cursorOf, exactTime, instant, limit, operatorOperation, word, writeCursor } from './fields.ts'
import { listSchema, refundSchema } from './replies.ts'

/** The payments in the books, one by one: found, looked at, and given back. */
export function operatorPaymentEndpoints(
  books: Pick<Books, 'queries'>,
  refunds: Pick<Refunds, 'refund'>,
): Endpoint[] {
  return [listEndpoint(books), showEndpoint(books), refundEndpoint(books, refunds)]
}

/** GET /operator/payments, the newest first. */
function listEndpoint(books: Pick<Books, 'queries'>): Endpoint {
  return endpointWith({
    id: 'listPayments',
    method: 'GET',
    path: '/operator/payments',
    operation: operatorOperation('The payments in the books, the newest first.'),
    params: noParams,
    query: z.strictObject({
      state: z.enum(paymentStates).optional(),
      operation: word.optional(),
      payer: payer.optional(),
      since: instant.optional(),
      until: instant.optional(),
      cursor: cursorOf(z.tuple([exactTime, paymentId])),
      limit,
    }),
    body: noBody,
    response: listSchema,
    async handle({ query: { cursor, limit, ...filter } }) {
      const { rows, next } = await listPayments(books, filter, 'newest first', cursor, limit)
      const list = { payments: rows.map(describeBooked), nextCursor: next ? writeCursor(next) : null }
      return json(200, list satisfies z.infer<typeof listSchema>)
    },
  })
}

const payer = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be a 0x address of 40 hex digits')
  .transform((address) => address.toLowerCase())

/** GET /operator/payments/{paymentId}: everything but the signature and the reply itself. */
function showEndpoint(books: Pick<Books, 'queries'>): Endpoint {
  return endpointWith({
    id: 'showPayment',
    method: 'GET',
    path: '/operator/payments/{paymentId}',
    operation: operatorOperation('One payment, with everything the books say of it.'),
    params: z.object({ paymentId }),
    query: noQuery,
    body: noBody,
    response: bookedSchema,
    async handle({ params }) {
      return json(200, describeBooked(await find(books, params.paymentId)))
    },
  })
}

/** POST /operator/payments/{paymentId}/refund: 200 when the money is back, 202 when it is on its way. */
function refundEndpoint(books: Pick<Books, 'queries'>, refunds: Pick<Refunds, 'refund'>): Endpoint {
  return endpointWith({
    id: 'refundPayment',
    method: 'POST',
    path: '/operator/payments/{paymentId}/refund',
    operation: operatorOperation('Gives the money of a payment back to its payer, once.', 180),
    params: z.object({ paymentId }),
    query: noQuery,
    body: noBody,
    response: refundSchema,
    async handle({ params }) {
      const { id } = await find(books, params.paymentId)
      const { state, transaction, failure } = await ofTheChain(refunds.refund(id))
      const answer: z.infer<typeof refundSchema> = { paymentId: id, state, transaction, failure }
      return json(state === 'refunded' ? 200 : 202, answer)
    },
  })
}

async function find(books: Pick<Books, 'queries'>, id: string) {
  const row = await showPayment(books, id)
  if (!row) throw new GatewayError('PAYMENT_NOT_FOUND', { field: 'paymentId' })
  return row
}
