import { z } from 'zod'
import { unixSeconds } from '../../../core/clock.ts'
import { type Endpoint, endpointWith, noParams, noQuery } from '../../../core/endpoint.ts'
import { json } from '../../../core/reply.ts'
import { checksummed } from '../../../doors/ledger/address.ts'
import type { Reconciliation } from '../../../doors/x402/recovery/reconcile.ts'
import { sum } from '../amounts.ts'
import { ofTheChain } from './chain-failure.ts'
import { instant, operatorOperation } from './fields.ts'
import { reconciliationSchema } from './replies.ts'

/** POST /operator/reconcile: lays the books beside the chain, from a time on or for the last day. */
export function reconcileEndpoint(reconciliation: Pick<Reconciliation, 'reconcile'>): Endpoint {
  return endpointWith({
    id: 'reconcile',
    method: 'POST',
    path: '/operator/reconcile',
    operation: operatorOperation('Compares the books with the chain, transfer by transfer.', 300),
    params: noParams,
    query: noQuery,
    body: z.strictObject({ since: instant.optional() }),
    response: reconciliationSchema,
    async handle({ body: { since } }) {
      const found = await ofTheChain(reconciliation.reconcile(since && unixSeconds(since)))
      const unmatched = found.strangers.reduce((total, { amount }) => total + amount, 0n)
      const report: z.infer<typeof reconciliationSchema> = {
        fromBlock: Number(found.fromBlock),
        toBlock: Number(found.toBlock),
        finalizedBlock: Number(found.finalizedBlock),
        chain: { transfers: found.chain.transfers, ...sum(found.chain.amount) },
        books: { payments: found.books.payments, ...sum(found.books.amount) },
        difference: sum(found.difference),
        strangers: found.strangers.map(({ transaction, payer, amount, nonce, blockNumber }) => ({
          transaction,
          payer: checksummed(payer),
          ...sum(amount),
          nonce,
          block: Number(blockNumber),
        })),
        missing: found.missing.map(({ id, transaction, amount }) => ({
          paymentId: id,
          transaction,
          ...sum(amount),
        })),
        // What is missing would make the difference smaller than the strangers do.
        closes: found.difference === unmatched,
      }
      return json(200, report)
    },
  })
}
