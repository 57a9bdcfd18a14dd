import { concat, encodeFunctionData, type Hex, size } from 'viem'
import { uptoProxyAbi, uptoProxyAddress } from '../../../platform/chain/permit2.ts'
import { parseWalletSignature } from '../evidence/signature.ts'
import { transferCall } from '../evidence/token.ts'
import type { Authorization, Payment, Permit } from '../wire/types.ts'
import type { ContractCall } from './sender.ts'

/**
 * The one call that moves a payment's money. Who signed for Permit2 is asked by another contract than who
 * signed for the token itself, and of the former a part may be taken; whatever is tried, sent or sent again
 * has to be the same call, or one would be judged and another carried out.
 */

/** A payment, and what is taken of it. */
export interface Taking extends Pick<Payment, 'authorization' | 'signature' | 'permit'> {
  /** Atomic units. Of an EIP-3009 authorization the token moves what was signed, whatever stands here. */
  readonly amount: bigint
}

/** @param asset the token that is moved. */
export function settlementCall(taking: Taking, asset: Hex): ContractCall {
  const { facilitator } = taking.authorization
  return facilitator
    ? { to: uptoProxyAddress, data: uptoCall(taking, facilitator, asset) }
    : { to: asset, data: transferCall(taking.authorization, taking.signature) }
}

function uptoCall({ authorization, signature, permit, amount }: Taking, facilitator: Hex, asset: Hex): Hex {
  const { from, to, validAfter } = authorization
  const permitted = permitOf(authorization, asset)
  const witness = { to, facilitator, validAfter }
  const args = [permitted, amount, from, witness, readable(signature)] as const
  const sponsored = permit && eip2612Of(permit)
  return sponsored
    ? encodeFunctionData({ abi: uptoProxyAbi, functionName: 'settleWithPermit', args: [sponsored, ...args] })
    : encodeFunctionData({ abi: uptoProxyAbi, functionName: 'settle', args })
}

function permitOf({ value, nonce, validBefore }: Authorization, asset: Hex) {
  return { permitted: { token: asset, amount: value }, nonce: BigInt(nonce), deadline: validBefore }
}

/** Undefined when the token cannot read its signature: then only an approval can help. */
function eip2612Of({ value, deadline, signature }: Permit) {
  const wallet = parseWalletSignature(signature)
  return wallet && { value, deadline, ...wallet }
}

/**
 * Permit2 takes 65 bytes or EIP-2098's 64, and hands the last of 65 to the curve as it is: there 0 and 1 mean
 * nobody. Whatever else a wallet contract signs with is its own affair.
 */
function readable(signature: Hex): Hex {
  const wallet = size(signature) === 65 ? parseWalletSignature(signature) : undefined
  return wallet ? concat([wallet.r, wallet.s, wallet.v === 27 ? '0x1b' : '0x1c']) : signature
}
