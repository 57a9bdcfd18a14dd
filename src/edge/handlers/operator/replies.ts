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
  ...sumFields,
  reason: z.string().nullable().describe('why, in the words of the operator'),
  transaction: z.string().nullable(),
  failure: z.string().nullable(),
})

export const reconciliationSchema = z.strictObject({
  fromBlock: z.int(),
  toBlock: z.int(),
  finalizedBlock: z.int(),
  chain: z.strictObject({ transfers: z.int(), ...sumFields }),
  books: z.strictObject({ payments: z.int(), ...sumFields }),
  pending: z
    .strictObject({ transfers: z.int(), ...sumFields })
    .describe('transfers of payments in the books that are about to be booked'),
  dismissed: z
    .strictObject({ transfers: z.int(), ...sumFields })
    .describe('transfers that the operator has dismissed'),
  difference: z.strictObject(sumFields).describe('chain minus books, pending and dismissed'),
  strangers: z.array(
    z.strictObject({
      transaction: z.string(),
      logIndex: z.int(),
      payer: z.string(),
      ...sumFields,
      nonce: z.string().nullable(),
      block: z.int(),
    }),
  ),
  earlier: z
    .strictObject({ transfers: z.int(), ...sumFields })
    .describe('unmatched transfers from before fromBlock'),
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
      outcome: z.enum(['adopted', 'known', 'left']).describe('known: it was a payment in the books before'),
      paymentId: z.string().nullable(),
      problem: z.string().nullable().describe('why it was left'),
    }),
  ),
})

const counted = { payments: z.int(), ...sumFields }

export const totalsSchema = z.strictObject({
  network: z.string(),
  asset: z.string(),
  operations: z.array(z.strictObject({ operation: z.string(), state: z.enum(paymentStates), ...counted })),
  taken: z.strictObject(counted).describe('all payments that came in, refunded or not'),
  refunded: z.strictObject(counted).describe('what was given back, of so many payments'),
  net: z.strictObject(sumFields).describe('taken without refunded'),
  strangers: z.strictObject({ transfers: z.int(), ...sumFields }).describe('unmatched transfers'),
  dismissed: z
    .strictObject({ transfers: z.int(), ...sumFields })
    .describe('unmatched transfers that the operator has dismissed'),
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
