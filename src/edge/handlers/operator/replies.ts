import { z } from 'zod'
import { meterUnits } from '../../../core/catalog/prices.ts'
import { keyStates } from '../../../doors/keys/key-state.ts'
import { auditOutcomes } from '../../../platform/store/rows/callers.ts'
import { paymentStates } from '../../../platform/store/rows/payments.ts'
import { listingOutcomes } from '../../../platform/store/rows/settlement.ts'
import { sumFields } from '../amounts.ts'
import { keyUsageSchema } from '../keys/replies.ts'
import { bookedSchema } from '../payments/replies.ts'

/**
 * The replies of the operator's endpoints. The endpoints promise them and the commands read them; they stand
 * apart from both, so that a command loads neither the store nor the chain's client.
 */

/** Of a list: null after the last page. */
const nextCursor = z.string().nullable()

/** How many transfers, and their sum. */
const transferSumSchema = z.strictObject({ transfers: z.int(), ...sumFields })

export const paymentListSchema = z.strictObject({
  payments: z.array(bookedSchema),
  nextCursor,
})

export const refundSchema = z.strictObject({
  paymentId: z.string(),
  state: z.enum(['refunding', 'refunded']),
  ...sumFields,
  reason: z.string().nullable().describe('why, in the words of the operator'),
  transaction: z.string().nullable(),
  failure: z.string().nullable(),
  alreadyRefunded: z.boolean().describe('the money was back before this request, which moved none'),
})

const comparedFields = {
  fromBlock: z.int(),
  chain: transferSumSchema,
  books: z.strictObject({ payments: z.int(), ...sumFields }),
  pending: transferSumSchema.describe('transfers of payments in the books that are about to be booked'),
  dismissed: transferSumSchema.describe('transfers that the operator has dismissed'),
  difference: z.strictObject(sumFields).describe('chain minus books, pending and dismissed'),
  earlier: transferSumSchema.describe('unmatched transfers from before fromBlock'),
}

export const reconciliationSchema = z.strictObject({
  ...comparedFields,
  toBlock: z.int(),
  finalizedBlock: z.int(),
  accounts: z
    .array(z.strictObject({ payTo: z.string(), ...comparedFields }))
    .describe('the present PAY_TO, then all former ones; the sums beside this list are of all of them'),
  strangers: z.array(
    z.strictObject({
      transaction: z.string(),
      logIndex: z.int(),
      payer: z.string(),
      payTo: z.string(),
      ...sumFields,
      nonce: z.string().nullable(),
      block: z.int(),
    }),
  ),
  missing: z.array(
    z.strictObject({ paymentId: z.string(), transaction: z.string().nullable(), ...sumFields }),
  ),
  closes: z
    .boolean()
    .describe('every transfer is explained, every payment is on the chain, and the difference is zero'),
})

const strangers = z.array(
  z.strictObject({
    transaction: z.string(),
    logIndex: z.int(),
    payer: z.string(),
    payTo: z.string(),
    ...sumFields,
    nonce: z.string().nullable().describe('of the authorization that moved it; null for a plain transfer'),
    block: z.int(),
    seenAt: z.int(),
    state: z.enum(['open', 'adopted', 'dismissed']),
    paymentId: z.string().nullable().describe('the payment that it became'),
    reason: z.string().nullable().describe('why the operator dismissed it'),
  }),
)

export const transfersSchema = z.strictObject({ strangers })
export const unmatchedTransfersSchema = z.strictObject({ strangers, nextCursor })

export const adoptionSchema = z.strictObject({
  transaction: z.string(),
  transfers: z.array(
    z.strictObject({
      logIndex: z.int(),
      payer: z.string(),
      ...sumFields,
      outcome: z
        .enum(['adopted', 'known', 'dismissed', 'left'])
        .describe('known: it was a payment in the books before; dismissed: the operator has dismissed it'),
      paymentId: z.string().nullable(),
      problem: z.string().nullable().describe('why it was left'),
      reason: z.string().nullable().describe('why the operator dismissed it'),
    }),
  ),
})

const counted = { payments: z.int(), ...sumFields }

const gasFields = { transactions: z.int(), amount: z.string(), amountWei: z.string() }

const totalsFields = {
  operations: z
    .array(z.strictObject({ operation: z.string(), state: z.enum(paymentStates), ...counted }))
    .describe(
      'payments with their whole amounts, also where all or a part of them went back: see `refunded`',
    ),
  taken: z.strictObject(counted).describe('all payments that came in, refunded or not'),
  refunded: z.strictObject(counted).describe('what was given back, of so many payments'),
  net: z.strictObject(sumFields).describe('taken without refunded'),
  strangers: transferSumSchema.describe('unmatched transfers that nothing explains yet'),
  dismissed: transferSumSchema.describe('unmatched transfers that the operator has dismissed'),
  gas: z
    .strictObject({
      ...gasFields,
      reverted: z
        .strictObject(gasFields)
        .describe('of it, what transactions cost that the chain reverted: nothing moved for it'),
    })
    .describe('what our accounts paid for transactions, in ETH'),
}

export const totalsSchema = z.strictObject({
  network: z.string(),
  asset: z.string(),
  since: z.int().nullable().describe('null: from the beginning'),
  until: z.int().nullable().describe('null: to the present'),
  ...totalsFields,
  periods: z
    .array(z.strictObject({ period: z.string().describe('2026-05-31, or 2026-05'), ...totalsFields }))
    .optional()
    .describe('with `by`: each day or month of UTC in which something happened, the first one first'),
})

export const reloadSchema = z.strictObject({
  changed: z.boolean().describe('false when the file says what the catalog in use says'),
})

export const doors = ['open', 'free', 'key', 'payment'] as const

/**
 * Decimal USDC. The amount is the usage at the price of the catalog, whether or not a caller pays it; a margin is
 * negative where the cost is higher.
 */
const moneyFields = {
  ...sumFields,
  taken: z
    .string()
    .describe(
      'the money taken by payments, without what was given back; calls with keys and free calls are not paid one by one',
    ),
  refunded: z.string().describe('what was given back of these payments'),
  cost: z.string().describe('what we paid upstreams for it, or have signed to pay'),
  margin: z
    .string()
    .nullable()
    .describe('the money taken by payments minus the cost; null for keys, which are not paid call by call'),
}

export const usageSchema = z.strictObject({
  usage: z.array(
    z.strictObject({
      operation: z.string(),
      door: z.enum(doors),
      unit: z.enum(meterUnits).nullable().describe('null for calls that only have a cost'),
      calls: z.int(),
      input: z.string(),
      output: z.string(),
      estimates: z.int().describe('the number of calls whose count is our estimate'),
      ...moneyFields,
    }),
  ),
  costs: z.array(
    z.strictObject({
      upstream: z.string(),
      operation: z.string(),
      state: z.enum(['signed', 'taken', 'unused']),
      payments: z.int(),
      ...sumFields,
    }),
  ),
})

export const callsSchema = z.strictObject({
  calls: z.array(
    z.strictObject({
      callId: z.string(),
      operation: z.string(),
      door: z.enum(doors),
      subject: z.string(),
      paymentId: z.string().nullable(),
      unit: z.enum(meterUnits).nullable(),
      input: z.string(),
      output: z.string(),
      isEstimate: z.boolean(),
      outcome: z.enum(['complete', 'left', 'broken']),
      ...moneyFields,
      taken: z
        .string()
        .nullable()
        .describe(
          'the money its payment brought, without what was given back; null without one, and where the payment was served again later',
        ),
      refunded: z.string().nullable().describe('what was given back of its payment'),
      createdAt: z.int(),
    }),
  ),
  nextCursor,
})

export const keySchema = z.strictObject({
  keyId: z.string(),
  state: z.enum(keyStates),
  tier: z.string(),
  owner: z.string(),
  label: z.string(),
  paymentId: z
    .string()
    .nullable()
    .describe('the payment that bought it; null for a key that the operator created'),
  network: z
    .string()
    .nullable()
    .describe(
      'CAIP-2: it is unknown to a gateway of another network; null for a key that is accepted on every network',
    ),
  createdAt: z.int(),
  expiresAt: z.int().nullable().describe('null: never'),
  revokedAt: z.int().nullable(),
  lastUsedAt: z.int().nullable().describe('to the minute or so'),
  previousUntil: z.int().nullable().describe('until when the secret before the last rotation is accepted'),
})

/** A key with its text, which is shown this once. */
export const shownKeySchema = keySchema.extend({ key: z.string() })

export const keyListSchema = z.strictObject({
  keys: z.array(keySchema),
  nextCursor,
})

export const shownUsageSchema = keySchema.extend(keyUsageSchema.pick({ rate: true, operations: true }).shape)

export const keysUsedSchema = z.strictObject({
  period: z.string().describe('a day of UTC, 2026-05-31, or a month, 2026-05'),
  keys: z.array(
    keySchema.extend({
      used: z.array(
        z.strictObject({
          operation: z.string(),
          unit: z.enum(['calls', ...meterUnits]),
          used: z.int(),
        }),
      ),
    }),
  ),
  nextCursor,
})

export const auditSchema = z.strictObject({
  actions: z.array(
    z.strictObject({
      at: z.int(),
      action: z.string().describe('operation id of the endpoint'),
      subject: z.string().nullable().describe('id of the key, payment or transfer that it is about'),
      outcome: z
        .enum(auditOutcomes)
        .describe('`begun`: it is under way, or the gateway died before its outcome was recorded'),
      status: z.int().nullable(),
      code: z.string().nullable().describe('the error of a refused or failed action'),
      details: z.record(z.string(), z.unknown()).describe('what was asked for, without secrets'),
      result: z.record(z.string(), z.unknown()).nullable().describe('what was replied, without secrets'),
      client: z.string().describe('the address it came from'),
      callId: z.string().describe('X-Request-Id, as in the log'),
    }),
  ),
  nextCursor,
})

export const listingStatusSchema = z.strictObject({
  listings: z.array(
    z.strictObject({
      operation: z.string(),
      transport: z.enum(['http', 'mcp']).describe('a tool of an MCP server is listed for itself'),
      facilitator: z.string().describe('who lists it, as the catalog names it'),
      everyDays: z.int(),
      nextDue: z
        .int()
        .nullable()
        .describe('from when on the next payment goes there; null: the next one does'),
      settledAt: z
        .int()
        .nullable()
        .describe('when it last settled a payment; it drops the operation 30 days later'),
      last: z
        .strictObject({
          paymentId: z.string(),
          at: z.int(),
          outcome: z
            .enum(listingOutcomes)
            .describe(
              '`unreachable`, `refused`: the payment was settled the usual way; `unknown`: the facilitator did not say',
            ),
          reason: z.string().nullable(),
          extensions: z
            .record(z.string(), z.record(z.string(), z.string()))
            .nullable()
            .describe('its header EXTENSION-RESPONSES; null where it sent none'),
        })
        .nullable()
        .describe('the last payment that was to go there'),
    }),
  ),
})

export const rotatedSchema = z.strictObject({
  kid: z.string().describe('of the next signing key'),
  signsFrom: z.int().describe('until then the key is only published'),
})
