import { type Address, concat, getAddress, type Hex, keccak256, pad, toHex } from 'viem'
import type { Network } from '../chain/networks.ts'
import type { PricedOperation } from '../core/priced-operation.ts'
import { parseUsdc } from '../core/money.ts'
import { isSameHex, type Payment, type Refusal, type Requirement } from './types.ts'

/** Where payments go. */
export interface Offer {
  readonly network: Network
  readonly payTo: Address
}

/** What one call of a priced operation costs, in x402 v2's words. */
export function requirementFor(operation: PricedOperation, offer: Offer): Requirement {
  const { network } = offer
  return {
    scheme: 'exact',
    network: network.caip2,
    amount: parseUsdc(operation.price).toString(),
    asset: network.usdc.address,
    payTo: getAddress(offer.payTo),
    maxTimeoutSeconds: operation.validity_seconds,
    extra: { name: network.usdc.name, version: network.usdc.version },
  }
}

/**
 * Compares a payment with what we ask, without asking anybody: what the client says it accepted first,
 * then what it signed. Each fault has its own word, so that a client's author sees what to mend. An
 * amount above the price is refused like one below it: we sell at the price, and take no tips by mistake.
 * @param now Unix seconds.
 * @param neededSeconds for how long the authorization must still be valid: the handler's deadline and
 *   the settlement must fit, or the work would be done and the money could not be taken.
 */
export function matchPayment(
  payment: Payment,
  requirement: Requirement,
  network: Network,
  now: number,
  neededSeconds: number,
): Refusal | undefined {
  const { accepted, authorization } = payment
  const wantedNetwork = accepted.version === 1 ? network.name : network.caip2
  if (accepted.scheme !== requirement.scheme) {
    return { reason: 'unsupported_scheme', message: `the scheme must be ${requirement.scheme}` }
  }
  if (accepted.network !== wantedNetwork) {
    return { reason: 'invalid_network', message: `the network must be ${wantedNetwork}` }
  }
  if (accepted.version === 2) {
    const refusal = matchAccepted(accepted, requirement)
    if (refusal) return refusal
  }
  if (!isSameHex(authorization.to, requirement.payTo)) {
    return {
      reason: 'invalid_exact_evm_payload_recipient_mismatch',
      message: `the recipient must be ${requirement.payTo}`,
    }
  }
  if (authorization.value !== BigInt(requirement.amount)) {
    return {
      reason: 'invalid_exact_evm_payload_authorization_value_mismatch',
      message: `the amount must be exactly ${requirement.amount} atomic units`,
    }
  }
  if (authorization.validAfter >= BigInt(now)) {
    return {
      reason: 'invalid_exact_evm_payload_authorization_valid_after',
      message: 'the authorization is not valid yet',
    }
  }
  if (authorization.validBefore <= BigInt(now + neededSeconds)) {
    return {
      reason: 'invalid_exact_evm_payload_authorization_valid_before',
      message: `the authorization has expired, or would within the ${neededSeconds} seconds this call may take`,
    }
  }
  return undefined
}

function matchAccepted(
  accepted: Payment['accepted'] & { version: 2 },
  requirement: Requirement,
): Refusal | undefined {
  if (!isSameHex(accepted.asset, requirement.asset)) {
    return { reason: 'invalid_payment_requirements', message: `the asset must be ${requirement.asset}` }
  }
  if (!isSameHex(accepted.payTo, requirement.payTo)) {
    return {
      reason: 'invalid_exact_evm_payload_recipient_mismatch',
      message: `the recipient must be ${requirement.payTo}`,
    }
  }
  if (accepted.amount !== requirement.amount) {
    return {
      reason: 'invalid_exact_evm_payload_authorization_value_mismatch',
      message: `the price is ${requirement.amount} atomic units`,
    }
  }
  const differs =
    accepted.maxTimeoutSeconds !== requirement.maxTimeoutSeconds ||
    accepted.extra.name !== requirement.extra.name ||
    accepted.extra.version !== requirement.extra.version
  if (differs) {
    return {
      reason: 'invalid_payment_requirements',
      message: 'the accepted requirement is not one this call offers',
    }
  }
  return undefined
}

/**
 * The identity of a payment: chain, asset, payer and nonce, never the header's bytes, so that the same
 * authorization in another envelope, another case or with another form of its signature is the same payment.
 */
export function paymentId(chainId: number, asset: Address, payer: Address, nonce: Hex): Hex {
  return keccak256(concat([pad(toHex(chainId), { size: 32 }), asset, payer, nonce]))
}
