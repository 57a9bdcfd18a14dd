import { z } from 'zod'
import { unixSeconds } from '../../../core/clock.ts'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { json } from '../../../core/reply.ts'
import { checksummed } from '../../../doors/ledger/address.ts'
import {
  listUnmatchedTransfers,
  transferState,
  transferStates,
} from '../../../doors/ledger/reconciling/unmatched-transfers.ts'
import type { Currency } from '../../../doors/ledger/totals.ts'
import type { Adoptions } from '../../../doors/x402/recovery/adopt.ts'
import type { Books } from '../../../platform/store/books.ts'
import type { UnmatchedTransferRow } from '../../../platform/store/rows/settlement.ts'
import { sum } from '../amounts.ts'
import { orChainUnavailable } from './chain-unavailable.ts'
import { address, hash32, operatorOperation, reason, word } from './fields.ts'
import { pageQuery, showPage } from './page.ts'
import { showRefund } from './payments.ts'
import { adoptionSchema, refundSchema, transfersSchema, unmatchedTransfersSchema } from './replies.ts'

/** Unmatched transfers: listed, and resolved by adopting, refunding or dismissing them. */

const params = z.object({ transaction: hash32 })
/** Which transfers of the transaction are meant. Adopting takes all open ones when left out; the others need one. */
const choice = { payer: address.optional(), logIndex: z.int32().min(0).optional() }

export const strangerRows = {
  /** The newest block first. */
  listStrangers: {
    ...noInput,
    method: 'GET',
    path: '/operator/strangers',
    operation: operatorOperation('Unmatched transfers: those that came in and belong to no payment.'),
    query: pageQuery(z.tuple([z.string().regex(/^\d{1,18}$/), z.int32(), word]), {
      state: z.enum([...transferStates, 'all']).optional(),
      transaction: hash32.optional(),
      /** With a transaction that the books do not have: looks for it on the chain, or says why it is left out. */
      find: z.literal('true').optional(),
    }),
    response: unmatchedTransfersSchema,
  },
  adoptTransfers: {
    ...noInput,
    method: 'POST',
    path: '/operator/strangers/{transaction}/adopt',
    operation: operatorOperation('Writes unmatched transfers into the books as payments.', 300),
    params,
    body: z.strictObject(choice),
    response: adoptionSchema,
  },
  /** 200 when the money is back, 202 while it is on its way. */
  refundTransfer: {
    ...noInput,
    method: 'POST',
    path: '/operator/strangers/{transaction}/refund',
    operation: operatorOperation('Gives the money of an unmatched transfer back to its sender, once.', 300),
    params,
    body: z.strictObject({ ...choice, reason: reason.optional() }),
    response: refundSchema,
  },
  dismissTransfers: {
    ...noInput,
    method: 'POST',
    path: '/operator/strangers/{transaction}/dismiss',
    operation: operatorOperation('Records why an unmatched transfer needs no payment.', 300),
    params,
    body: z.strictObject({ ...choice, reason }),
    response: transfersSchema,
  },
} satisfies EndpointRows

export function strangerHandlers(
  books: Pick<Books, 'queries'>,
  currency: Currency,
  adoptions: Adoptions,
): Handlers<typeof strangerRows> {
  return {
    async listStrangers({ query: { cursor, limit, transaction, state, find } }) {
      if (find && transaction !== undefined) await orChainUnavailable(adoptions.find(transaction))
      // A transaction that is named is shown whatever became of its transfers.
      const wanted = state ?? (transaction === undefined ? 'open' : 'all')
      const filter = { ...currency, transaction, ...(wanted === 'all' ? {} : { state: wanted }) }
      const page = await listUnmatchedTransfers(books, filter, cursor, limit)
      const { shown: strangers, nextCursor } = showPage(page, describeTransfer)
      return json(200, { strangers, nextCursor } satisfies z.infer<typeof unmatchedTransfersSchema>)
    },

    async adoptTransfers({ params: { transaction }, body }) {
      const adopted = await orChainUnavailable(adoptions.adopt(transaction, body))
      const reply: z.infer<typeof adoptionSchema> = {
        transaction,
        transfers: adopted.map(({ transfer, outcome, paymentId, problem }) => ({
          logIndex: transfer.logIndex,
          payer: checksummed(transfer.payer),
          ...sum(transfer.amount),
          outcome,
          paymentId,
          problem,
          reason: outcome === 'dismissed' ? transfer.dismissal : null,
        })),
      }
      return json(200, reply)
    },

    async refundTransfer({ params: { transaction }, body: { reason: why, ...chosen } }) {
      const { id, ...refund } = await orChainUnavailable(adoptions.refund(transaction, chosen, why))
      return showRefund(id, refund)
    },

    async dismissTransfers({ params: { transaction }, body: { reason: why, ...chosen } }) {
      const dismissed = await orChainUnavailable(adoptions.dismiss(transaction, chosen, why))
      const reply = { strangers: dismissed.map(describeTransfer) }
      return json(200, reply satisfies z.infer<typeof transfersSchema>)
    },
  }
}

function describeTransfer(row: UnmatchedTransferRow) {
  return {
    transaction: row.transaction,
    logIndex: row.logIndex,
    payer: checksummed(row.payer),
    payTo: checksummed(row.payTo),
    ...sum(row.amount),
    nonce: row.nonce,
    block: Number(row.blockNumber),
    seenAt: unixSeconds(row.seenAt),
    state: transferState(row),
    paymentId: row.paymentId,
    reason: row.dismissal,
  }
}
