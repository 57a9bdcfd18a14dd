import { type Hex, parseSignature, serializeCompactSignature, signatureToCompactSignature } from 'viem'
import { type SignedPayment, v1Header, v2Header } from '../support/chain/wallet.ts'

/** A header to send a payment in. */
export interface Envelope {
  readonly name: string
  readonly value: string
}

/** `plain`: with the signature as wallets commonly make it, which every facilitator can read. */
export type Looks = 'all' | 'plain'

/**
 * One payment in many looks: both versions, all three header names, hexadecimal digits in another case,
 * and each form of its signature. Whoever tells payments apart by their bytes takes them for different
 * ones, and runs the handler for each.
 */
export function envelopesOf(payment: SignedPayment, looks: Looks): readonly [Envelope, ...Envelope[]] {
  const { authorization, signature } = payment
  const compact = serializeCompactSignature(signatureToCompactSignature(parseSignature(signature)))
  const parity: Hex = `0x${signature.slice(2, 130)}${signature.endsWith('1b') ? '00' : '01'}`
  const shouted = {
    authorization: {
      ...authorization,
      from: shout(authorization.from),
      to: shout(authorization.to),
      nonce: shout(authorization.nonce),
    },
    signature: shout(signature),
  }
  const whispered = {
    authorization: { ...authorization, from: lower(authorization.from), to: lower(authorization.to) },
    signature,
  }
  const plain = [
    { name: 'PAYMENT-SIGNATURE', value: v2Header(payment) },
    { name: 'X-PAYMENT', value: v1Header(payment) },
    { name: 'X-Payment-Signature', value: v1Header(shouted) },
    { name: 'X-PAYMENT', value: v2Header(whispered) },
  ] as const
  if (looks === 'plain') return plain
  return [
    ...plain,
    { name: 'X-Payment-Signature', value: v2Header({ authorization, signature: compact }) },
    { name: 'PAYMENT-SIGNATURE', value: v1Header({ authorization, signature: parity }) },
    { name: 'X-PAYMENT', value: v1Header({ ...whispered, signature: compact }) },
  ]
}

function shout(text: Hex): Hex {
  return `0x${text.slice(2).toUpperCase()}`
}

function lower(text: Hex): Hex {
  return `0x${text.slice(2).toLowerCase()}`
}
