import { z } from 'zod'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { GatewayError } from '../../../core/errors.ts'
import { isUsdc, parseUsdc } from '../../../core/money.ts'
import { json, type Reply } from '../../../core/reply.ts'
import { listPayments, showPayment } from '../../../doors/ledger/list.ts'
import type { Refund, Refunds } from '../../../doors/x402/recovery/refund.ts'
import { type Network, networks } from '../../../platform/chain/networks.ts'
import type { Books } from '../../../platform/store/books.ts'
import { paymentStates } from '../../../platform/store/rows/payments.ts'
import { sum } from '../amounts.ts'
import { bookedSchema } from '../payments/replies.ts'
import { describeBooked, paymentId } from '../payments/view.ts'
import { orChainUnavailable } from './chain-unavailable.ts'
import { address, operatorOperation, period, reason, word } from './fields.ts'
import { exactTime, pageQuery, showPage } from './page.ts'
import { paymentListSchema, refundSchema } from './replies.ts'

/** The payments in the books: listed, shown one by one, and refunded. */

/** Above zero, like a payment. */
const amount = z
  .string()
  .refine(isUsdc, 'must be an amount of USDC like 0.05')
  .transform(parseUsdc)
  .refine((atomic) => atomic > 0n, 'must be more than zero')

export const operatorPaymentRows = {
  listPayments: {
    ...noInput,
    method: 'GET',
    path: '/operator/payments',
    operation: operatorOperation('The payments in the books, the newest first.'),
    query: pageQuery(z.tuple([exactTime, paymentId]), {
      state: z.enum(paymentStates).optional(),
      operation: word.optional(),
      payer: address.optional(),
      network: z.enum(['base', 'base-sepolia', 'all']).optional().describe('by default the network in use'),
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
    /** The whole payment without an amount. */
    body: z.strictObject({
      amount: amount.optional(),
      reason: reason.optional(),
      beforeFinal: z
        .boolean()
        .optional()
        .describe('refunds a payment that the chain may still drop: the money may then be lost'),
    }),
    response: refundSchema,
  },
} satisfies EndpointRows

export function operatorPaymentHandlers(
  books: Pick<Books, 'queries'>,
  refunds: Pick<Refunds, 'refund'>,
  inUse: Pick<Network, 'name'>,
): Handlers<typeof operatorPaymentRows> {
  return {
    async listPayments({ query: { cursor, limit, network = inUse.name, ...filter } }) {
      const chainId = network === 'all' ? undefined : networks[network].chainId
      const page = await listPayments(books, { ...filter, chainId }, 'newest first', cursor, limit)
      const { shown: payments, nextCursor } = showPage(page, describeBooked)
      return json(200, { payments, nextCursor } satisfies z.infer<typeof paymentListSchema>)
    },

    async showPayment({ params }) {
      return json(200, describeBooked(await findPayment(books, params.paymentId)))
    },

    async refundPayment({ params, body }) {
      const { id } = await findPayment(books, params.paymentId)
      return showRefund(id, await orChainUnavailable(refunds.refund(id, body)))
    },
  }
}

/** 200 when the money is back, 202 while it is on its way. */
export function showRefund(paymentId: string, refund: Refund): Reply {
  const { state, amount: atomic, reason: why, transaction, failure, alreadyRefunded } = refund
  const shown: z.infer<typeof refundSchema> = {
    paymentId,
    state,
    ...sum(atomic),
    reason: why,
    transaction,
    failure,
    alreadyRefunded,
  }
  return json(state === 'refunded' ? 200 : 202, shown)
}

async function findPayment(books: Pick<Books, 'queries'>, id: string) {
  const row = await showPayment(books, id)
  if (!row) throw new GatewayError('PAYMENT_NOT_FOUND', { field: 'paymentId' })
  return row
}
