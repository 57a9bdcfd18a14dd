import { toHex } from 'viem'
import { z } from 'zod'
import { paymentHeaders } from '../../../core/reserved-headers.ts'
import { uptoProxyAddress } from '../../../platform/chain/permit2.ts'
import { envelope, type Permit2Authorization } from './envelope.ts'
import { readPermit } from './permit.ts'
import { type Authorization, isSameHex, type Payment, type Refusal } from './types.ts'

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
  // One that says more than the others moves no other money: a permit only opens the way for it.
  const permit = payments.find((copy) => copy.permit)?.permit
  return { kind: 'payment', payment: { ...payment, permit, identifier: [...identifiers][0] } }
}

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
  if (parsed.data.x402Version === 1) {
    const { scheme, network, payload } = parsed.data
    return { version: 1, identifier: undefined, accepted: { version: 1, scheme, network }, ...payload }
  }
  const { accepted, payload, extensions } = parsed.data
  const { signature, permit2Authorization: permitted } = payload
  const authorization = payload.authorization ?? (permitted && authorizationOf(permitted, accepted.asset))
  if (!authorization) return unreadable('the payment’s payload holds no authorization')
  if ('reason' in authorization) return authorization
  const permit =
    permitted && readPermit(extensions?.eip2612GasSponsoring, authorization, permitted.permitted.token)
  if (permit && 'reason' in permit) return permit
  return {
    version: 2,
    identifier: extensions?.['payment-identifier']?.info.id,
    accepted: { version: 2, ...accepted, extra: accepted.extra ?? {} },
    authorization,
    signature,
    permit,
  }
}

/**
 * What a payer signed for Permit2, in the words that both schemes share. The token and the spender are no part of
 * them: who signed is found out over the token that we ask for and over the proxy, never over what stands here.
 */
function authorizationOf(
  { from, permitted, spender, nonce, deadline, witness }: Permit2Authorization,
  asset: string,
): Authorization | Refusal {
  if (!isSameHex(spender, uptoProxyAddress)) {
    return { reason: 'invalid_permit2_spender', message: `the spender must be ${uptoProxyAddress}` }
  }
  if (!isSameHex(permitted.token, asset)) {
    return { reason: 'permit2_token_mismatch', message: 'the token must be the accepted asset' }
  }
  return {
    from,
    to: witness.to,
    value: permitted.amount,
    validAfter: witness.validAfter,
    validBefore: deadline,
    nonce: toHex(nonce, { size: 32 }),
    facilitator: witness.facilitator,
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
    one.facilitator === other.facilitator &&
    one.value === other.value &&
    one.validAfter === other.validAfter &&
    one.validBefore === other.validBefore
  )
}
