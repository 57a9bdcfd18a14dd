import { type Address, concat, getAddress, type Hex, keccak256, pad, toHex } from 'viem'
import type { PricedOperation } from '../../../core/catalog/priced-operation.ts'
import { parseUsdc } from '../../../core/money.ts'
import type { Network } from '../../../platform/chain/networks.ts'
import type { Requirement } from './types.ts'

/**
 * The payment requirements of one call. The 402 asks for them and the payment is compared with them. Both
 * come from here, because a payer must not be refused a payment that the 402 just asked for.
 */

/** Where payments go. */
export interface Offer {
  readonly network: Network
  readonly payTo: Address
  /** The account that settles `upto` now; undefined while there is none, and then only `exact` is offered. */
  readonly upto?: () => Address | undefined
}

/**
 * Lists the ways to pay for one call, the best first: a client takes the first that it knows, and a metered
 * call costs it less with `upto`. The last is always `exact`.
 */
export function requirementsFor(operation: PricedOperation, offer: Offer): readonly Requirement[] {
  const exact = exactRequirement(operation, offer)
  const upto = uptoRequirement(operation, offer)
  return upto ? [upto, exact] : [exact]
}

/**
 * Picks the requirement of `requirementsFor` that a payment has to meet.
 * @param scheme as the payment names it. A scheme that is not offered is compared with `exact`, and so
 *   refused.
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
 * Makes the id of a payment from chain, asset, payer and nonce, never from the header's bytes: the same
 * authorization in another envelope, another case or with another form of its signature is the same payment.
 * @param permit2 the address of Permit2 for an `upto` payment. Permit2 counts its own nonces, so the same
 *   number in the token is another payment.
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
