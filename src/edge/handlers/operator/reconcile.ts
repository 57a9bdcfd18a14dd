import { z } from 'zod'
import { unixSeconds } from '../../../core/clock.ts'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { json } from '../../../core/reply.ts'
import { checksummed } from '../../../doors/ledger/address.ts'
import type { TransferTotal } from '../../../doors/ledger/reconciling/unmatched-transfers.ts'
import type { ComparedSums, Reconciliation } from '../../../doors/x402/recovery/reconcile.ts'
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
    // The gateway does the same by itself every 30 seconds, so a request of it changes nothing of its own.
    operation: {
      ...operatorOperation('Compares the books with the chain, transfer by transfer.', 300),
      isReadOnly: true,
    },
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
        ...compared(outcome),
        toBlock: Number(outcome.toBlock),
        finalizedBlock: Number(outcome.finalizedBlock),
        accounts: outcome.accounts.map(({ payTo, ...sums }) => ({
          payTo: checksummed(payTo),
          ...compared(sums),
        })),
        strangers: outcome.unmatched.map(({ transaction, logIndex, payer, payTo, amount, nonce, block }) => ({
          transaction,
          logIndex,
          payer: checksummed(payer),
          payTo: checksummed(payTo),
          ...sum(amount),
          nonce: nonce ?? null,
          block: Number(block.number),
        })),
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

function compared({ fromBlock, chain, books, pending, dismissed, difference, earlier }: ComparedSums) {
  return {
    fromBlock: Number(fromBlock),
    chain: total(chain),
    books: { payments: books.payments, ...sum(books.amount) },
    pending: total(pending),
    dismissed: total(dismissed),
    difference: sum(difference),
    earlier: total(earlier),
  }
}

function total({ transfers, amount }: TransferTotal) {
  return { transfers, ...sum(amount) }
}
