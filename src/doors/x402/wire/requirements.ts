import { type Address, concat, getAddress, type Hex, keccak256, pad, toHex } from 'viem'
import type { PricedOperation } from '../../../core/catalog/priced-operation.ts'
import { parseUsdc } from '../../../core/money.ts'
import type { Network } from '../../../platform/chain/networks.ts'
import type { Requirement } from './types.ts'

/**
 * What one call of a priced operation costs, in x402 v2's words. The 402 asks for it and a payment is compared with
 * it: were the two worked out in two places, somebody could be refused what he was just asked for.
 */

/** Where payments go. */
export interface Offer {
  readonly network: Network
  readonly payTo: Address
  /** The account that settles `upto` now; undefined while nobody does, and then only `exact` is asked for. */
  readonly upto?: () => Address | undefined
}

/**
 * All that one call may be paid by, the one that suits it best first: a client takes the first that it knows, and
 * what is metered costs it less by `upto`. The last is always `exact`.
 */
export function requirementsFor(operation: PricedOperation, offer: Offer): readonly Requirement[] {
  const exact = exactRequirement(operation, offer)
  const upto = uptoRequirement(operation, offer)
  return upto ? [upto, exact] : [exact]
}

/**
 * The one of `requirementsFor` that a payment has to meet.
 * @param scheme as the payment names it; what is not offered is compared with `exact`, and refused by its name.
 */
export function requirementFor(operation: PricedOperation, offer: Offer, scheme = 'exact'): Requirement {
  const upto = scheme === 'upto' ? uptoRequirement(operation, offer) : undefined
  return upto ?? exactRequirement(operation, offer)
}

function exactRequirement(operation: PricedOperation, { network, payTo }: Offer): Requirement {
  return {
    scheme: 'exact',
    network: network.caip2,
    amount: parseUsdc(operation.price).toString(),
    asset: network.usdc.address,
    payTo: getAddress(payTo),
    maxTimeoutSeconds: operation.validitySeconds,
    extra: { name: network.usdc.name, version: network.usdc.version },
  }
}

function uptoRequirement(operation: PricedOperation, offer: Offer): Requirement | undefined {
  const account = operation.meter && offer.upto?.()
  if (!account) return undefined
  const { extra, ...exact } = exactRequirement(operation, offer)
  return {
    ...exact,
    scheme: 'upto',
    extra: { ...extra, assetTransferMethod: 'permit2', facilitatorAddress: getAddress(account) },
  }
}

/**
 * The identity of a payment: chain, asset, payer and nonce, never the header's bytes, so that the same
 * authorization in another envelope, another case or with another form of its signature is the same payment.
 * @param permit2 of an `upto` payment the address of Permit2, which counts nonces of its own: the same number in
 *   the token's keeping is another payment.
 */
export function paymentId(
  chainId: number,
  asset: Address,
  payer: Address,
  nonce: Hex,
  permit2?: Address,
): Hex {
  const token = concat([pad(toHex(chainId), { size: 32 }), asset, payer, nonce])
  return keccak256(permit2 ? concat([token, permit2]) : token)
}
