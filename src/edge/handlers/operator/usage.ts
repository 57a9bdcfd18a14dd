import { z } from 'zod'
import { unixSeconds } from '../../../core/clock.ts'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { formatUsdc } from '../../../core/money.ts'
import { json } from '../../../core/reply.ts'
import { costTotals } from '../../../doors/ledger/costs.ts'
import {
  listMeterings,
  type MeteredCall,
  type MeteringTotal,
  meteringTotals,
} from '../../../doors/ledger/meterings.ts'
import type { Network } from '../../../platform/chain/networks.ts'
import type { Books } from '../../../platform/store/books.ts'
import { sum } from '../amounts.ts'
import { operatorOperation, period, word } from './fields.ts'
import { exactTime, pageQuery, showPage } from './page.ts'
import { callsSchema, doors, usageSchema } from './replies.ts'

/** The metered usage with its price and its cost to us: in sum, and call by call. */
export const usageRows = {
  /** By operation, door and unit. */
  getUsage: {
    ...noInput,
    method: 'GET',
    path: '/operator/usage',
    operation: operatorOperation('The metered usage in sum, with its amount and its cost.'),
    query: z.strictObject(period),
    response: usageSchema,
  },
  listUsage: {
    ...noInput,
    method: 'GET',
    path: '/operator/usage/calls',
    operation: operatorOperation(
      'The metered calls, the newest first, each with the money taken and its cost.',
    ),
    query: pageQuery(z.tuple([exactTime, word]), {
      operation: word.optional(),
      door: z.enum(doors).optional(),
      ...period,
    }),
    response: callsSchema,
  },
} satisfies EndpointRows

export function usageHandlers(
  books: Pick<Books, 'queries'>,
  { chainId }: Pick<Network, 'chainId'>,
): Handlers<typeof usageRows> {
  return {
    async getUsage({ query }) {
      const filter = { ...query, chainId }
      const [usage, costs] = await Promise.all([meteringTotals(books, filter), costTotals(books, filter)])
      const document: z.infer<typeof usageSchema> = {
        usage: usage.map((total) => ({
          operation: total.operation,
          door: total.door,
          unit: total.unit,
          calls: total.calls,
          input: total.input.toString(),
          output: total.output.toString(),
          estimates: total.estimates,
          ...moneyOf(total),
          taken: formatUsdc(total.taken),
          refunded: formatUsdc(total.refunded),
        })),
        costs: costs.map(({ upstream, operation, state, payments, amount }) => ({
          upstream,
          operation,
          state,
          payments,
          ...sum(amount),
        })),
      }
      return json(200, document)
    },

    async listUsage({ query: { cursor, limit, ...filter } }) {
      const page = await listMeterings(books, { ...filter, chainId }, cursor, limit)
      const { shown: calls, nextCursor } = showPage(page, describeCall)
      return json(200, { calls, nextCursor } satisfies z.infer<typeof callsSchema>)
    },
  }
}

function describeCall(row: MeteredCall) {
  return {
    callId: row.callId,
    operation: row.operation,
    door: row.door,
    subject: row.subject,
    paymentId: row.paymentId,
    unit: row.unit,
    input: row.input.toString(),
    output: row.output.toString(),
    isEstimate: row.isEstimate,
    outcome: row.outcome,
    ...moneyOf({ amount: row.amount, taken: row.taken, door: row.door, cost: row.cost ?? 0n }),
    taken: row.taken === null ? null : formatUsdc(row.taken),
    refunded: row.refunded === null ? null : formatUsdc(row.refunded),
    createdAt: unixSeconds(row.createdAt),
  }
}

/**
 * The amount is the usage at the catalog's price, which only a payment brings in. A payment of scheme `exact`
 * takes the maximum, whatever was used, so its own amount counts, without what was given back of it. A free call
 * brings nothing, so its cost is its loss. What a key was sold for cannot be divided among its calls, so they have no margin.
 */
function moneyOf({
  amount,
  taken,
  door,
  cost,
}: Pick<MeteringTotal, 'amount' | 'cost' | 'door'> & { readonly taken: bigint | null }) {
  const revenue = door === 'payment' ? (taken ?? 0n) : 0n
  return {
    ...sum(amount),
    cost: formatUsdc(cost),
    margin: door === 'key' ? null : formatUsdc(revenue - cost),
  }
}
