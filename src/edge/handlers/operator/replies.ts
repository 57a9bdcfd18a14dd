import { z } from 'zod'
import { meterUnits } from '../../../core/catalog/prices.ts'
import { keyStates } from '../../../doors/keys/key-state.ts'
import { paymentStates } from '../../../platform/store/schema.ts'
import { sumFields } from '../amounts.ts'
import { bookedSchema } from '../payments/replies.ts'

/**
 * The replies of the operator's endpoints. The endpoints promise them and the commands read them; they stand
 * apart from both, so that a command loads neither the store nor the chain's client.
 */

/** Of a list: null after the last page. */
const nextCursor = z.string().nullable()

export const paymentListSchema = z.strictObject({
  payments: z.array(bookedSchema),
  nextCursor,
})

export const refundSchema = z.strictObject({
  paymentId: z.string(),
  state: z.enum(['refunding', 'refunded']),
  transaction: z.string().nullable(),
  failure: z.string().nullable(),
})

const comparedFields = {
  fromBlock: z.int(),
  chain: z.strictObject({ transfers: z.int(), ...sumFields }),
  books: z.strictObject({ payments: z.int(), ...sumFields }),
  difference: z.strictObject(sumFields).describe('chain minus books'),
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
    .describe('every payment is on the chain, and unmatched transfers account for the whole difference'),
})

export const unmatchedTransfersSchema = z.strictObject({
  strangers: z.array(
    z.strictObject({
      transaction: z.string(),
      payer: z.string(),
      payTo: z.string(),
      ...sumFields,
      nonce: z.string().nullable().describe('of the authorization that moved it; null for a plain transfer'),
      block: z.int(),
      seenAt: z.int(),
    }),
  ),
  nextCursor,
})

const counted = { payments: z.int(), ...sumFields }

export const totalsSchema = z.strictObject({
  network: z.string(),
  asset: z.string(),
  operations: z.array(z.strictObject({ operation: z.string(), state: z.enum(paymentStates), ...counted })),
  taken: z.strictObject(counted).describe('all payments that came in, refunded or not'),
  refunded: z.strictObject(counted).describe('payments that were given back'),
  net: z.strictObject(sumFields).describe('taken without refunded'),
  strangers: z.strictObject({ transfers: z.int(), ...sumFields }).describe('unmatched transfers'),
})

export const reloadSchema = z.strictObject({
  changed: z.boolean().describe('false when the file says what the catalog in use says'),
})

export const doors = ['open', 'free', 'key', 'payment'] as const

/** Decimal USDC; a margin is negative where the cost is higher. */
const moneyFields = {
  ...sumFields,
  taken: z
    .string()
    .describe('the money taken by payments; calls with keys and free calls are not paid one by one'),
  cost: z.string().describe('what we paid upstreams for it, or have signed to pay'),
  margin: z.string().describe('the money taken by payment, or the amount for any other door, minus the cost'),
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
      taken: z.string().nullable().describe('the money its payment brought; null without one'),
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

export const rotatedSchema = z.strictObject({
  kid: z.string().describe('of the next signing key'),
  signsFrom: z.int().describe('until then the key is only published'),
})
