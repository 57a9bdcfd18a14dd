import { toHex } from 'viem'
import { z } from 'zod'
import { paymentHeaders } from '../../../core/reserved-headers.ts'
import { isBeyondShape } from '../../../core/text/json-shape.ts'
import { uptoProxyAddress } from '../../../platform/chain/permit2.ts'
import { envelope, type V2Envelope } from './envelope.ts'
import { type ReadPermit, readPermit } from './permit.ts'
import { type Authorization, isSameHex, type Payment, type Refusal } from './types.ts'

export type ReadPayment =
  | { readonly kind: 'none' }
  | { readonly kind: 'payment'; readonly payment: Payment }
  | Unreadable
  /**
   * Two payments in one request. Taking either of them could take money that the payer did not mean to spend.
   */
  | { readonly kind: 'conflict' }

interface Unreadable {
  readonly kind: 'unreadable'
  readonly refusal: Refusal
}

type DecodedPayment = { readonly kind: 'payment'; readonly payment: Payment } | Unreadable

/**
 * Reads the payment from a request's headers. Copies of one payment in several headers are one payment.
 * @param header returns the values of a header by its lower-case name.
 */
export function readPayment(
  header: (name: (typeof paymentHeaders)[number]) => readonly string[] | undefined,
): ReadPayment {
  const sent = paymentHeaders.flatMap((name) => header(name) ?? [])
  if (sent.length === 0) return { kind: 'none' }
  const values = new Set(sent)
  if (values.size > maxCopies) return malformed(`the request has more than ${maxCopies} payment headers`)
  const payments: Payment[] = []
  for (const value of values) {
    const decoded = decodePayment(value)
    switch (decoded.kind) {
      case 'unreadable':
        return decoded
      case 'payment':
        payments.push(decoded.payment)
    }
  }
  return mergeCopies(payments)
}

/** Room for every header in both versions. Each copy is decoded, and a header can hold hundreds of short lines. */
const maxCopies = 6

function mergeCopies(payments: readonly Payment[]): ReadPayment {
  const [payment, ...others] = payments
  if (!payment) return { kind: 'none' }
  if (others.some((other) => !isSameAuthorization(other.authorization, payment.authorization))) {
    return { kind: 'conflict' }
  }
  // A copy in v1's envelope has no room for the payment identifier. Two identifiers are two purchases.
  const identifiers = new Set(payments.flatMap((copy) => copy.identifier ?? []))
  if (identifiers.size > 1) return { kind: 'conflict' }
  // A permit moves no money by itself, so the copy that has one adds it.
  const permit = payments.find((copy) => copy.permit)?.permit
  return { kind: 'payment', payment: { ...payment, permit, identifier: [...identifiers][0] } }
}

function decodePayment(value: string): DecodedPayment {
  if (value.length > maxHeaderLength) {
    return malformed(`the header has more than ${maxHeaderLength} characters`)
  }
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(value)) return malformed('the header is not base64')
  const bytes = Buffer.from(value, 'base64')
  if (isBeyondShape(bytes, { depth: maxDepth, values: Number.POSITIVE_INFINITY }))
    return malformed(`the payment is nested deeper than ${maxDepth} levels`)
  let content: unknown
  try {
    content = JSON.parse(bytes.toString('utf8'))
  } catch {
    return malformed('the header does not hold base64-encoded JSON')
  }
  const parsed = envelope.safeParse(content)
  if (!parsed.success) return explainEnvelope(content, parsed.error)
  const { data } = parsed
  switch (data.x402Version) {
    case 1: {
      const { scheme, network, payload } = data
      const accepted = { version: 1, scheme, network } as const
      return { kind: 'payment', payment: { version: 1, identifier: undefined, accepted, ...payload } }
    }
    case 2:
      return decodeV2(data)
  }
}

/** As much as Node takes for all headers of a request, unless it is told to take more. */
const maxHeaderLength = 16_384
/** The payload itself has four levels; JSON schemas that clients repeat from a 402 have up to fifteen. */
const maxDepth = 32

function decodeV2({ accepted, payload, extensions }: V2Envelope): DecodedPayment {
  const signed = readAuthorization(payload, accepted.asset)
  if (signed.kind === 'unreadable') return signed
  const { authorization } = signed
  const token = payload.permit2Authorization?.permitted.token
  const permit: ReadPermit = token
    ? readPermit(extensions?.eip2612GasSponsoring, authorization, token)
    : { kind: 'none' }
  if (permit.kind === 'unreadable') return permit
  const payment: Payment = {
    version: 2,
    identifier: extensions?.['payment-identifier']?.info.id,
    accepted: { version: 2, ...accepted, extra: accepted.extra ?? {} },
    authorization,
    signature: payload.signature,
    permit: permit.kind === 'permit' ? permit.permit : undefined,
  }
  return { kind: 'payment', payment }
}

/**
 * Reads what the payer signed, for the token or for Permit2, in the fields that both schemes share. Token and
 * spender are not among them: the signer is recovered over our own token and proxy, never over what the
 * payload says.
 */
function readAuthorization(
  { authorization, permit2Authorization }: V2Envelope['payload'],
  asset: string,
): { readonly kind: 'authorization'; readonly authorization: Authorization } | Unreadable {
  if (authorization) return { kind: 'authorization', authorization }
  if (!permit2Authorization) return malformed('the payment’s payload holds no authorization')
  const { from, permitted, spender, nonce, deadline, witness } = permit2Authorization
  if (!isSameHex(spender, uptoProxyAddress)) {
    return unreadable('invalid_permit2_spender', `the spender must be ${uptoProxyAddress}`)
  }
  if (!isSameHex(permitted.token, asset)) {
    return unreadable('permit2_token_mismatch', 'the token must be the accepted asset')
  }
  return {
    kind: 'authorization',
    authorization: {
      from,
      to: witness.to,
      value: permitted.amount,
      validAfter: witness.validAfter,
      validBefore: deadline,
      nonce: toHex(nonce, { size: 32 }),
      facilitator: witness.facilitator,
    },
  }
}

const versionOnly = z.object({ x402Version: z.unknown() })

function explainEnvelope(content: unknown, error: z.ZodError): Unreadable {
  const version = versionOnly.safeParse(content)
  if (version.success && version.data.x402Version !== 1 && version.data.x402Version !== 2) {
    return unreadable('invalid_x402_version', 'x402Version must be 1 or 2')
  }
  const [first] = error.issues
  const field = first && first.path.length > 0 ? first.path.join('.') : 'payload'
  return malformed(`the payment's ${field} is missing or malformed`)
}

function malformed(message: string): Unreadable {
  return unreadable('invalid_payload', message)
}

function unreadable(reason: string, message: string): Unreadable {
  return { kind: 'unreadable', refusal: { reason, message } }
}

function isSameAuthorization(one: Authorization, other: Authorization): boolean {
  return (
    one.from === other.from &&
    one.to === other.to &&
    one.nonce === other.nonce &&
    one.facilitator === other.facilitator &&
    one.value === other.value &&
    one.validAfter === other.validAfter &&
    one.validBefore === other.validBefore
  )
}
