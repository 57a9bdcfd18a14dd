import { type Hex, parseSignature, serializeCompactSignature, signatureToCompactSignature } from 'viem'
import { type SignedPayment, v1Header, v2Header } from '../support/chain/wallet.ts'

/** A header to send a payment in. */
export interface Envelope {
  readonly name: string
  readonly value: string
}

/** `plain`: only signatures in the common form, which every facilitator can read. */
export type EnvelopeSet = 'all' | 'plain'

/**
 * Writes one payment in many forms: both versions, all three header names, hex digits in either case, and each form of
 * its signature. A gateway that compares payments by their bytes would take them for different ones and run the handler
 * for each.
 */
export function envelopesOf(
  payment: SignedPayment,
  envelopes: EnvelopeSet,
): readonly [Envelope, ...Envelope[]] {
  const { authorization, signature } = payment
  const compact = serializeCompactSignature(signatureToCompactSignature(parseSignature(signature)))
  const parity: Hex = `0x${signature.slice(2, 130)}${signature.endsWith('1b') ? '00' : '01'}`
  const upperCase = {
    authorization: {
      ...authorization,
      from: toUpperHex(authorization.from),
      to: toUpperHex(authorization.to),
      nonce: toUpperHex(authorization.nonce),
    },
    signature: toUpperHex(signature),
  }
  const lowerCase = {
    authorization: {
      ...authorization,
      from: toLowerHex(authorization.from),
      to: toLowerHex(authorization.to),
    },
    signature,
  }
  const plain = [
    { name: 'PAYMENT-SIGNATURE', value: v2Header(payment) },
    { name: 'X-PAYMENT', value: v1Header(payment) },
    { name: 'X-Payment-Signature', value: v1Header(upperCase) },
    { name: 'X-PAYMENT', value: v2Header(lowerCase) },
  ] as const
  if (envelopes === 'plain') return plain
  return [
    ...plain,
    { name: 'X-Payment-Signature', value: v2Header({ authorization, signature: compact }) },
    { name: 'PAYMENT-SIGNATURE', value: v1Header({ authorization, signature: parity }) },
    { name: 'X-PAYMENT', value: v1Header({ ...lowerCase, signature: compact }) },
  ]
}

function toUpperHex(text: Hex): Hex {
  return `0x${text.slice(2).toUpperCase()}`
}

function toLowerHex(text: Hex): Hex {
  return `0x${text.slice(2).toLowerCase()}`
}
