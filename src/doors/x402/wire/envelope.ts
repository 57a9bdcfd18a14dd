import { getAddress, type Hex } from 'viem'
import { z } from 'zod'

/**
 * Schemas for the JSON of a payment header, by the version that it names. The client wrote all of it: with a
 * number in an odd form, or an address in another spelling, the payment on the chain would differ from the
 * one in the ledger.
 */

/** Takes an address in any case and gives one spelling, or the same payment could look like two. */
export const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => getAddress(`0x${text.slice(2).toLowerCase()}`))
const bytes32 = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform((text): Hex => `0x${text.slice(2).toLowerCase()}`)
/** Long enough for an ERC-6492 signature, shorter than the limit of a header. */
const signature = z
  .string()
  .max(8_194)
  .regex(/^0x(?:[0-9a-fA-F]{2})+$/)
  .transform((text): Hex => `0x${text.slice(2).toLowerCase()}`)
const maxUint256 = 2n ** 256n - 1n
export const uint256 = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt)
  .refine((value) => value <= maxUint256)

/** The authorization of scheme `exact` (EIP-3009). */
const authorization = z.object({
  from: address,
  to: address,
  value: uint256,
  validAfter: uint256,
  validBefore: uint256,
  nonce: bytes32,
})

/**
 * The authorization of scheme `upto` (Permit2). The witness names payee, facilitator and start of validity.
 */
const permit2Authorization = z.object({
  from: address,
  permitted: z.object({ token: address, amount: uint256 }),
  spender: address,
  nonce: uint256,
  deadline: uint256,
  witness: z.object({ to: address, facilitator: address, validAfter: uint256 }),
})

/** The form that the extension `payment-identifier` defines. */
const identifier = z.string().regex(/^[A-Za-z0-9_-]{16,128}$/)

export const envelope = z.discriminatedUnion('x402Version', [
  z.object({
    x402Version: z.literal(1),
    scheme: z.string(),
    network: z.string(),
    payload: z.object({ signature, authorization }),
  }),
  z.object({
    x402Version: z.literal(2),
    accepted: z.object({
      scheme: z.string(),
      network: z.string(),
      amount: z.string(),
      asset: z.string(),
      payTo: z.string(),
      maxTimeoutSeconds: z.number(),
      extra: z.record(z.string(), z.unknown()).nullish(),
    }),
    payload: z
      .object({
        signature,
        authorization: authorization.optional(),
        permit2Authorization: permit2Authorization.optional(),
      })
      // With both, we could settle the one that the payer did not mean.
      .refine(
        (payload) => (payload.authorization === undefined) !== (payload.permit2Authorization === undefined),
      ),
    extensions: z
      .object({
        'payment-identifier': z.object({ info: z.object({ id: identifier.optional() }) }).optional(),
        eip2612GasSponsoring: z.unknown().optional(),
      })
      .nullish(),
  }),
])

export type V2Envelope = Extract<z.infer<typeof envelope>, { x402Version: 2 }>
