import { getAddress, type Hex } from 'viem'
import { z } from 'zod'

/**
 * The JSON of a payment header, by the version that it names. Everything of it is a stranger's word: a number that
 * is not quite one, or an address in a spelling of its own, would be another payment on the chain than in the books.
 */

/** Addresses come in any case; inside there is one spelling, or the same payment could look like two. */
export const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => getAddress(`0x${text.slice(2).toLowerCase()}`))
const bytes32 = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform((text): Hex => `0x${text.slice(2).toLowerCase()}`)
/** Long enough for an ERC-6492 envelope, short of what a header may carry anyway. */
const signature = z
  .string()
  .max(8_194)
  .regex(/^0x(?:[0-9a-fA-F]{2})+$/)
  .transform((text): Hex => `0x${text.slice(2).toLowerCase()}`)
const largestUint256 = 2n ** 256n - 1n
export const uint256 = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt)
  .refine((value) => value <= largestUint256)

/** EIP-3009's, of scheme `exact`. */
const authorization = z.object({
  from: address,
  to: address,
  value: uint256,
  validAfter: uint256,
  validBefore: uint256,
  nonce: bytes32,
})

/** Permit2's, of scheme `upto`: the witness says who gets the money, who may take it, and from when on. */
const permit2Authorization = z.object({
  from: address,
  permitted: z.object({ token: address, amount: uint256 }),
  spender: address,
  nonce: uint256,
  deadline: uint256,
  witness: z.object({ to: address, facilitator: address, validAfter: uint256 }),
})

export type Permit2Authorization = z.infer<typeof permit2Authorization>

/** As the extension payment-identifier has it. */
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
      // With both, one would be read and the other might be what the payer meant.
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
