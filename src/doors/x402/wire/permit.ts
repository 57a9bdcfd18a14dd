import type { Hex } from 'viem'
import { z } from 'zod'
import { permit2Address } from '../../../platform/chain/permit2.ts'
import { address, uint256 } from './envelope.ts'
import { type Authorization, isSameHex, type Permit, type Refusal } from './types.ts'

/**
 * The EIP-2612 permit that may come with an `upto` payment, by the extension `eip2612GasSponsoring`: a wallet that
 * never approved Permit2 signs the approval, and we pay the gas of it. It is read with the same distrust as the
 * payment, because what is wrong with it would come out only after the call, when the money is to be taken.
 */
const said = z.object({
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

/** A client gives back what the 402 declared, whether it fills it in or not. */
const filledIn = z.object({ info: z.looseObject({ signature: z.unknown().optional() }) })

/**
 * @param extension what the payment says under `eip2612GasSponsoring`.
 * @param token what the payment is signed over.
 * @returns undefined when no permit came.
 */
export function readPermit(
  extension: unknown,
  authorization: Authorization,
  token: string,
): Permit | Refusal | undefined {
  const found = filledIn.safeParse(extension)
  if (!found.success || found.data.info.signature === undefined) return undefined
  const parsed = said.safeParse(found.data.info)
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join('.') ?? 'info'
    return {
      reason: 'invalid_eip2612_extension_format',
      message: `the ${field} of eip2612GasSponsoring is missing or malformed`,
    }
  }
  const { from, asset, spender, amount: value, nonce, deadline, signature } = parsed.data
  if (from !== authorization.from) {
    return { reason: 'eip2612_from_mismatch', message: 'the permit must be the payer’s' }
  }
  if (!isSameHex(asset, token)) {
    return { reason: 'eip2612_asset_mismatch', message: `the permit must be for ${token}` }
  }
  if (!isSameHex(spender, permit2Address)) {
    return {
      reason: 'eip2612_spender_not_permit2',
      message: `the permit’s spender must be ${permit2Address}`,
    }
  }
  if (value !== authorization.value) {
    return {
      reason: 'permit2_2612_amount_mismatch',
      message: 'the permit must be over the amount that the payment is signed over',
    }
  }
  return { value, nonce, deadline, signature }
}

/**
 * A permit as one text, the way the books keep it beside its payment: a gateway that dies before it settles finds
 * there what it needs to settle after its restart.
 */
export function writePermit({ value, nonce, deadline, signature }: Permit): string {
  return `${value}:${nonce}:${deadline}:${signature}`
}

/** @throws TypeError for what `writePermit` cannot have written. */
export function parsePermit(text: string): Permit {
  const { value, nonce, deadline, digits } = shape.exec(text)?.groups ?? {}
  if (value === undefined || nonce === undefined || deadline === undefined || digits === undefined) {
    throw new TypeError('the permit of a payment in the books cannot be read')
  }
  return { value: BigInt(value), nonce: BigInt(nonce), deadline: BigInt(deadline), signature: `0x${digits}` }
}

const shape = /^(?<value>\d+):(?<nonce>\d+):(?<deadline>\d+):0x(?<digits>[0-9a-f]+)$/
