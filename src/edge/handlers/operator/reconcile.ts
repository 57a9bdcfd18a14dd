import { z } from 'zod'
import { unixSeconds } from '../../../core/clock.ts'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { json } from '../../../core/reply.ts'
import { checksummed } from '../../../doors/ledger/address.ts'
import type { TransferTotal } from '../../../doors/ledger/unmatched-transfers.ts'
import type { Reconciliation } from '../../../doors/x402/recovery/reconcile.ts'
import { sum } from '../amounts.ts'
import { orChainUnavailable } from './chain-unavailable.ts'
import { instant, operatorOperation } from './fields.ts'
import { reconciliationSchema } from './replies.ts'

/** POST /operator/reconcile: compares the books with the chain, from a time on or for the last day. */
export const reconcileRows = {
  reconcile: {
    ...noInput,
    method: 'POST',
    path: '/operator/reconcile',
    operation: operatorOperation('Compares the books with the chain, transfer by transfer.', 300),
    body: z.strictObject({ since: instant.optional() }),
    response: reconciliationSchema,
  },
} satisfies EndpointRows

export function reconcileHandlers(
  reconciliation: Pick<Reconciliation, 'reconcile'>,
): Handlers<typeof reconcileRows> {
  return {
    async reconcile({ body: { since } }) {
      const outcome = await orChainUnavailable(reconciliation.reconcile(since && unixSeconds(since)))
      const report: z.infer<typeof reconciliationSchema> = {
        fromBlock: Number(outcome.fromBlock),
        toBlock: Number(outcome.toBlock),
        finalizedBlock: Number(outcome.finalizedBlock),
        chain: total(outcome.chain),
        books: { payments: outcome.books.payments, ...sum(outcome.books.amount) },
        pending: total(outcome.pending),
        dismissed: total(outcome.dismissed),
        difference: sum(outcome.difference),
        strangers: outcome.unmatched.map(({ transaction, logIndex, payer, amount, nonce, block }) => ({
          transaction,
          logIndex,
          payer: checksummed(payer),
          ...sum(amount),
          nonce: nonce ?? null,
          block: Number(block.number),
        })),
        earlier: total(outcome.earlier),
        missing: outcome.missing.map(({ id, transaction, amount }) => ({
          paymentId: id,
          transaction,
          ...sum(amount),
        })),
        closes: outcome.closes,
      }
      return json(200, report)
    },
  }
}

function total({ transfers, amount }: TransferTotal) {
  return { transfers, ...sum(amount) }
}
