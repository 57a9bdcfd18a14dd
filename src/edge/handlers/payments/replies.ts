import { z } from 'zod'
import { paymentStates } from '../../../platform/store/rows/payments.ts'
import { sumFields } from '../amounts.ts'

/**
 * The form in which a payment is shown. Times are whole Unix seconds; addresses are spelled as wallets show
 * them (EIP-55). It stands apart from `view.ts`, so that a command that reads it does not load viem.
 */

/** For every caller who has the id: it can be computed from what the chain shows. */
const knownFields = { paymentId: z.string().describe('0x and 64 hex digits'), state: z.enum(paymentStates) }

/** What the chain shows of a payment, or will show. */
const chainFields = {
  ...sumFields,
  scheme: z.enum(['exact', 'upto']),
  authorized: z
    .string()
    .describe('the maximum that may be taken; `amount` is what was taken, or is about to be'),
  authorizedAtomic: z.string(),
  asset: z.string(),
  network: z.string().describe('CAIP-2'),
  payer: z.string(),
  payTo: z.string(),
  transaction: z.string().nullable(),
  block: z.int().nullable(),
  refundTransaction: z.string().nullable(),
  refundAmount: z
    .string()
    .nullable()
    .describe('what was given back, or is on its way back; null without a refund'),
  refundAmountAtomic: z.string().nullable(),
  settledAt: z.int().nullable(),
}

/** What only the payer and the operator know. */
const privateFields = { operation: z.string(), createdAt: z.int(), updatedAt: z.int() }

/** What the payer may know of a payment. */
export const paymentSchema = z.strictObject({ ...knownFields, ...privateFields, ...chainFields })

/** The same for a caller that may prove to be the payer. */
export const shownPaymentSchema = z
  .strictObject({
    ...z.strictObject(chainFields).partial().shape,
    ...z.strictObject(privateFields).partial().shape,
  })
  .extend({ ...knownFields, meaning: z.string().describe('what the payer should do') })
  .describe(
    'State and meaning are for everybody. All but operation, createdAt and updatedAt need the payment header too. These three need a proof that the chain does not show: the Idempotency-Key of the purchase, or a sign-in.',
  )

/** For the operator. */
export const bookedSchema = paymentSchema.extend({
  blockHash: z.string().nullable(),
  nonce: z.string(),
  validAfter: z.string().describe('Unix seconds as signed, up to 256 bits'),
  validBefore: z.string(),
  x402Version: z.int(),
  requestHash: z.string(),
  idempotencyKey: z.string().nullable(),
  settles: z
    .enum(['after', 'before', 'metered'])
    .describe('when the money moves: after the work, before it, or at its end by what was used'),
  attempt: z.int(),
  tries: z.int(),
  leaseUntil: z.int(),
  failure: z.string().nullable(),
  refundFrom: z.string().nullable(),
  refundReason: z.string().nullable(),
  facilitator: z.string().nullable().describe('of scheme upto: the only account that may settle it'),
  reply: z
    .strictObject({
      status: z.int(),
      bytes: z.int().nullable().describe('null: it was streamed, and is not stored'),
    })
    .nullable(),
})
