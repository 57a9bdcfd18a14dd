import { z } from 'zod'
import { unixSeconds } from '../../../core/clock.ts'
import { type Endpoint, endpointWith, noBody, noParams } from '../../../core/endpoint.ts'
import { formatUsdc } from '../../../core/money.ts'
import { json } from '../../../core/reply.ts'
import { costTotals } from '../../../doors/ledger/costs.ts'
import {
  listMeterings,
  type MeteredCall,
  type MeteringTotal,
  meteringTotals,
} from '../../../doors/ledger/meterings.ts'
import type { Books } from '../../../platform/store/books.ts'
import { sum } from '../amounts.ts'
import { cursorOf, exactTime, instant, limit, operatorOperation, word, writeCursor } from './fields.ts'
import { callsSchema, doors, usageSchema } from './replies.ts'

/** What was used of what is metered, what that comes to, and what it cost us: in sum, and call by call. */
export function usageEndpoints(books: Pick<Books, 'queries'>): Endpoint[] {
  return [totalsOf(books), callsOf(books)]
}

/** GET /operator/usage: by operation, door and unit. */
function totalsOf(books: Pick<Books, 'queries'>): Endpoint {
  return endpointWith({
    id: 'getUsage',
    method: 'GET',
    path: '/operator/usage',
    operation: operatorOperation('What was metered in sum, what it comes to, and what it cost.'),
    params: noParams,
    query: z.strictObject({ since: instant.optional(), until: instant.optional() }),
    body: noBody,
    response: usageSchema,
    async handle({ query }) {
      const [usage, costs] = await Promise.all([meteringTotals(books, query), costTotals(books, query)])
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
  })
}

/** GET /operator/usage/calls: the newest first, the sale and the cost of each beside each other. */
function callsOf(books: Pick<Books, 'queries'>): Endpoint {
  return endpointWith({
    id: 'listUsage',
    method: 'GET',
    path: '/operator/usage/calls',
    operation: operatorOperation('The metered calls, the newest first, each with its sale and its cost.'),
    params: noParams,
    query: z.strictObject({
      operation: word.optional(),
      door: z.enum(doors).optional(),
      since: instant.optional(),
      until: instant.optional(),
      cursor: cursorOf(z.tuple([exactTime, word])),
      limit,
    }),
    body: noBody,
    response: callsSchema,
    async handle({ query: { cursor, limit, ...filter } }) {
      const { rows, next } = await listMeterings(books, filter, cursor, limit)
      const list = { calls: rows.map(describeCall), nextCursor: next ? writeCursor(next) : null }
      return json(200, list satisfies z.infer<typeof callsSchema>)
    },
  })
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
    createdAt: unixSeconds(row.createdAt),
  }
}

/** A wallet of scheme `exact` has paid the maximum, whatever it used; what keys and free callers pay is not known here. */
function moneyOf({
  amount,
  taken,
  door,
  cost,
}: Pick<MeteringTotal, 'amount' | 'cost' | 'door'> & { readonly taken: bigint | null }) {
  const margin = (door === 'payment' ? (taken ?? 0n) : amount) - cost
  return {
    ...sum(amount),
    cost: formatUsdc(cost),
    margin: margin < 0n ? `-${formatUsdc(-margin)}` : formatUsdc(margin),
  }
}
