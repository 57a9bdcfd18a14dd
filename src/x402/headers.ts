import { getAddress, type Hex } from 'viem'
import { z } from 'zod'
import type { Accepted, Authorization, Payment, Refusal } from './types.ts'

/**
 * The three headers a payment may come in: x402 v2's, the specification's and x402 v1's. Which
 * version it is stands in the payload, not in the header's name, so each header takes either.
 */
export const paymentHeaders = ['payment-signature', 'x-payment-signature', 'x-payment'] as const

export type ReadPayment =
  | { readonly kind: 'none' }
  | { readonly kind: 'payment'; readonly payment: Payment }
  | { readonly kind: 'unreadable'; readonly refusal: Refusal }
  /** Two payments in one request: taking either would be a guess with somebody's money. */
  | { readonly kind: 'conflict' }

/**
 * Reads the payment out of a request's headers; copies of one payment in several headers are one payment.
 * @param header gives the values of a header by its lower-case name.
 */
export function readPayment(header: (name: string) => readonly string[] | undefined): ReadPayment {
  const values = paymentHeaders.flatMap((name) => header(name) ?? [])
  if (values.length === 0) return { kind: 'none' }

  const payments: Payment[] = []
  for (const value of new Set(values)) {
    const decoded = decodePayment(value)
    if ('reason' in decoded) return { kind: 'unreadable', refusal: decoded }
    payments.push(decoded)
  }
  const [payment, ...others] = payments
  if (!payment) return { kind: 'none' }
  if (others.some((other) => !isSameAuthorization(other.authorization, payment.authorization)))
    return { kind: 'conflict' }
  // A copy in v1's envelope has no room for the purchase's name; two names are two purchases.
  const identifiers = new Set(payments.flatMap((copy) => copy.identifier ?? []))
  if (identifiers.size > 1) return { kind: 'conflict' }
  return { kind: 'payment', payment: { ...payment, identifier: [...identifiers][0] } }
}

/** Addresses come in any case; inside there is one spelling, or the same payment could look like two. */
const address = z
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
const uint256 = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt)
  .refine((value) => value <= largestUint256)

const exactPayload = z.object({
  signature,
  authorization: z.object({
    from: address,
    to: address,
    value: uint256,
    validAfter: uint256,
    validBefore: uint256,
    nonce: bytes32,
  }),
})

/** As the extension payment-identifier has it. */
const identifier = z.string().regex(/^[A-Za-z0-9_-]{16,128}$/)

const envelope = z.discriminatedUnion('x402Version', [
  z.object({
    x402Version: z.literal(1),
    scheme: z.string(),
    network: z.string(),
    payload: exactPayload,
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
    payload: exactPayload,
    extensions: z
      .object({
        'payment-identifier': z.object({ info: z.object({ id: identifier.optional() }) }).optional(),
      })
      .nullish(),
  }),
])

function decodePayment(value: string): Payment | Refusal {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(value)) return unreadable('the header is not base64')
  let content: unknown
  try {
    content = JSON.parse(Buffer.from(value, 'base64').toString('utf8'))
  } catch {
    return unreadable('the header does not hold base64-encoded JSON')
  }
  const parsed = envelope.safeParse(content)
  if (!parsed.success) return refuseEnvelope(content, parsed.error)
  const { payload, ...rest } = parsed.data
  const accepted: Accepted =
    rest.x402Version === 1
      ? { version: 1, scheme: rest.scheme, network: rest.network }
      : { version: 2, ...rest.accepted, extra: rest.accepted.extra ?? {} }
  return {
    version: rest.x402Version,
    identifier: rest.x402Version === 2 ? rest.extensions?.['payment-identifier']?.info.id : undefined,
    accepted,
    authorization: payload.authorization,
    signature: payload.signature,
  }
}

const versionOnly = z.object({ x402Version: z.unknown() })

function refuseEnvelope(content: unknown, error: z.ZodError): Refusal {
  const version = versionOnly.safeParse(content)
  if (version.success && version.data.x402Version !== 1 && version.data.x402Version !== 2) {
    return { reason: 'invalid_x402_version', message: 'x402Version must be 1 or 2' }
  }
  const [first] = error.issues
  const field = first && first.path.length > 0 ? first.path.join('.') : 'payload'
  return unreadable(`the payment's ${field} is missing or malformed`)
}

function unreadable(message: string): Refusal {
  return { reason: 'invalid_payload', message }
}

function isSameAuthorization(one: Authorization, other: Authorization): boolean {
  return (
    one.from === other.from &&
    one.to === other.to &&
    one.nonce === other.nonce &&
    one.value === other.value &&
    one.validAfter === other.validAfter &&
    one.validBefore === other.validBefore
  )
}
