import type { Hex } from 'viem'
import { z } from 'zod'
import { permit2Address } from '../../../platform/chain/permit2.ts'
import { address, uint256 } from './envelope.ts'
import { type Authorization, isSameHex, type Permit, type Refusal } from './types.ts'

/**
 * The EIP-2612 permit that may come with an `upto` payment, in the extension `eip2612GasSponsoring`. A wallet
 * that never approved Permit2 signs the approval, and we pay its gas. It is checked as strictly as the
 * payment: a fault would otherwise show only after the call is served, when the money is to be taken.
 */
const permitInfo = z.object({
  from: address,
  asset: address,
  spender: address,
  amount: uint256,
  nonce: uint256,
  deadline: uint256,
  signature: z
    .string()
    .regex(/^0x[0-9a-fA-F]{130}$/)
    .transform((text): Hex => `0x${text.slice(2).toLowerCase()}`),
})

/** A client repeats the extension that the 402 declared; one without a signature has added no permit. */
const signedInfo = z.object({ info: z.looseObject({ signature: z.unknown().optional() }) })

export type ReadPermit =
  | { readonly kind: 'none' }
  | { readonly kind: 'permit'; readonly permit: Permit }
  | { readonly kind: 'unreadable'; readonly refusal: Refusal }

/**
 * Reads the permit of a payment.
 * @param extension what the payment has under `eip2612GasSponsoring`.
 * @param token the token that the payment is signed for.
 */
export function readPermit(extension: unknown, authorization: Authorization, token: string): ReadPermit {
  const signed = signedInfo.safeParse(extension)
  if (!signed.success || signed.data.info.signature === undefined) return { kind: 'none' }
  const parsed = permitInfo.safeParse(signed.data.info)
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join('.') ?? 'info'
    return unreadable(
      'invalid_eip2612_extension_format',
      `the ${field} of eip2612GasSponsoring is missing or malformed`,
    )
  }
  const { from, asset, spender, amount: value, nonce, deadline, signature } = parsed.data
  if (from !== authorization.from) {
    return unreadable('eip2612_from_mismatch', 'the permit must be the payer’s')
  }
  if (!isSameHex(asset, token)) {
    return unreadable('eip2612_asset_mismatch', `the permit must be for ${token}`)
  }
  if (!isSameHex(spender, permit2Address)) {
    return unreadable('eip2612_spender_not_permit2', `the permit’s spender must be ${permit2Address}`)
  }
  if (value !== authorization.value) {
    return unreadable(
      'permit2_2612_amount_mismatch',
      'the permit must be for the amount that the payment is signed for',
    )
  }
  return { kind: 'permit', permit: { value, nonce, deadline, signature } }
}

function unreadable(reason: string, message: string): ReadPermit {
  return { kind: 'unreadable', refusal: { reason, message } }
}

/**
 * Writes a permit as one text, which the ledger keeps with its payment: a gateway that dies before it settles
 * needs the permit to settle after its restart.
 */
export function writePermit({ value, nonce, deadline, signature }: Permit): string {
  return `${value}:${nonce}:${deadline}:${signature}`
}

/**
 * Reads a permit from the ledger.
 * @throws TypeError for a text that `writePermit` cannot have written.
 */
export function parsePermit(text: string): Permit {
  const { value, nonce, deadline, digits } = permitText.exec(text)?.groups ?? {}
  if (value === undefined || nonce === undefined || deadline === undefined || digits === undefined) {
    throw new TypeError('the permit of a payment in the ledger cannot be read')
  }
  return { value: BigInt(value), nonce: BigInt(nonce), deadline: BigInt(deadline), signature: `0x${digits}` }
}

const permitText = /^(?<value>\d+):(?<nonce>\d+):(?<deadline>\d+):0x(?<digits>[0-9a-f]+)$/
