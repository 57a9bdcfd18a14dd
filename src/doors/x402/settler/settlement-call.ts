import { concat, encodeFunctionData, type Hex, size } from 'viem'
import { uptoProxyAbi, uptoProxyAddress } from '../../../platform/chain/permit2.ts'
import { parseWalletSignature } from '../evidence/signature.ts'
import { transferCall } from '../evidence/token.ts'
import type { Authorization, Payment, Permit } from '../wire/types.ts'
import type { ContractCall } from './sender.ts'

/** A payment, and the amount to take. */
export interface SettlementRequest extends Pick<Payment, 'authorization' | 'signature' | 'permit'> {
  /** Atomic units. With an EIP-3009 authorization the token moves the signed amount, whatever this says. */
  readonly amount: bigint
}

/**
 * Makes the one call that moves a payment's money: the `upto` proxy's for a payment signed for Permit2, else
 * the token's. Simulation, transaction and replacement all use this call, so that the call which was checked
 * is the call which is sent.
 * @param asset the token that is moved.
 */
export function settlementCall(request: SettlementRequest, asset: Hex): ContractCall {
  const { facilitator } = request.authorization
  return facilitator
    ? { to: uptoProxyAddress, data: uptoCall(request, facilitator, asset) }
    : { to: asset, data: transferCall(request.authorization, request.signature) }
}

function uptoCall(
  { authorization, signature, permit, amount }: SettlementRequest,
  facilitator: Hex,
  asset: Hex,
): Hex {
  const { from, to, validAfter } = authorization
  const permitted = permitOf(authorization, asset)
  const witness = { to, facilitator, validAfter }
  const args = [permitted, amount, from, witness, permit2Signature(signature)] as const
  const sponsored = permit && eip2612Of(permit)
  return sponsored
    ? encodeFunctionData({ abi: uptoProxyAbi, functionName: 'settleWithPermit', args: [sponsored, ...args] })
    : encodeFunctionData({ abi: uptoProxyAbi, functionName: 'settle', args })
}

function permitOf({ value, nonce, validBefore }: Authorization, asset: Hex) {
  return { permitted: { token: asset, amount: value }, nonce: BigInt(nonce), deadline: validBefore }
}

/**
 * Undefined when the token cannot read the permit's signature: the transfer then needs an earlier approval.
 */
function eip2612Of({ value, deadline, signature }: Permit) {
  const wallet = parseWalletSignature(signature)
  return wallet && { value, deadline, ...wallet }
}

/**
 * Permit2 takes 65 bytes or EIP-2098's 64. It hands the last of 65 bytes to `ecrecover` as it is, which finds
 * no signer for 0 and 1, so these become 27 and 28. Signatures of other lengths are for a wallet contract to
 * read.
 */
function permit2Signature(signature: Hex): Hex {
  const wallet = size(signature) === 65 ? parseWalletSignature(signature) : undefined
  return wallet ? concat([wallet.r, wallet.s, wallet.v === 27 ? '0x1b' : '0x1c']) : signature
}
