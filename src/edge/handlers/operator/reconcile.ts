import { z } from 'zod'
import { unixSeconds } from '../../../core/clock.ts'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { json } from '../../../core/reply.ts'
import { checksummed } from '../../../doors/ledger/address.ts'
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
      const unmatched = outcome.unmatched.reduce((total, { amount }) => total + amount, 0n)
      const report: z.infer<typeof reconciliationSchema> = {
        fromBlock: Number(outcome.fromBlock),
        toBlock: Number(outcome.toBlock),
        finalizedBlock: Number(outcome.finalizedBlock),
        chain: { transfers: outcome.chain.transfers, ...sum(outcome.chain.amount) },
        books: { payments: outcome.books.payments, ...sum(outcome.books.amount) },
        difference: sum(outcome.difference),
        accounts: outcome.accounts.map(({ payTo, fromBlock, chain, books, difference }) => ({
          payTo: checksummed(payTo),
          fromBlock: Number(fromBlock),
          chain: { transfers: chain.transfers, ...sum(chain.amount) },
          books: { payments: books.payments, ...sum(books.amount) },
          difference: sum(difference),
        })),
        strangers: outcome.unmatched.map(({ transaction, payer, payTo, amount, nonce, blockNumber }) => ({
          transaction,
          payer: checksummed(payer),
          payTo: checksummed(payTo),
          ...sum(amount),
          nonce,
          block: Number(blockNumber),
        })),
        missing: outcome.missing.map(({ id, transaction, amount }) => ({
          paymentId: id,
          transaction,
          ...sum(amount),
        })),
        // A payment that is missing on the chain makes the difference smaller than the unmatched transfers
        // alone.
        closes: outcome.difference === unmatched,
      }
      return json(200, report)
    },
  }
}
