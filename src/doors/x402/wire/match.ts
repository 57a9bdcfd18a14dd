import { formatUsdc } from '../../../core/money.ts'
import type { Network } from '../../../platform/chain/networks.ts'
import { isSameHex, type Payment, type Refusal, type Requirement, type Scheme } from './types.ts'

/**
 * Compares a payment with our payment requirements, without asking the chain: first what the client says it
 * accepted, then what it signed. Each fault has its own reason, so that a client's author sees what to
 * change. An amount above the price is refused like one below it, so that no payer overpays by mistake.
 * @param now Unix seconds.
 * @param neededSeconds for how long the authorization must still be valid. The handler's deadline and the
 *   settlement must fit in; otherwise the call would be served and the money could not be taken.
 * @returns undefined when the payment matches.
 */
export function matchPayment(
  payment: Payment,
  requirement: Requirement,
  network: Network,
  now: number,
  neededSeconds: number,
): Refusal | undefined {
  const { accepted } = payment
  const wantedNetwork = accepted.version === 1 ? network.name : network.caip2
  if (accepted.scheme !== requirement.scheme) {
    return { reason: 'unsupported_scheme', message: `the scheme must be ${requirement.scheme}` }
  }
  if (accepted.network !== wantedNetwork) {
    return { reason: 'invalid_network', message: `the network must be ${wantedNetwork}` }
  }
  return (
    (accepted.version === 2 ? matchAccepted(accepted, requirement) : undefined) ??
    matchSigned(payment, requirement, now, neededSeconds)
  )
}

/**
 * Whether a payment says that it is for another network or token than ours. It is signed for that token, so it
 * can neither be settled here nor be in our books.
 */
export function isForAnotherToken({ accepted }: Payment, { name, caip2, usdc }: Network): boolean {
  if (accepted.version === 1) return accepted.network !== name
  return accepted.network !== caip2 || !isSameHex(accepted.asset, usdc.address)
}

/** The specification's reasons for the same faults, which differ by scheme. */
const reasons = {
  exact: {
    recipient: 'invalid_exact_evm_payload_recipient_mismatch',
    amount: 'invalid_exact_evm_payload_authorization_value_mismatch',
    early: 'invalid_exact_evm_payload_authorization_valid_after',
    late: 'invalid_exact_evm_payload_authorization_valid_before',
    // The same field, of which this is the specification's only reason.
    tooLong: 'invalid_exact_evm_payload_authorization_valid_before',
  },
  upto: {
    recipient: 'invalid_permit2_recipient_mismatch',
    amount: 'permit2_amount_mismatch',
    early: 'permit2_not_yet_valid',
    late: 'permit2_deadline_expired',
    tooLong: 'invalid_payment_requirements',
  },
} as const satisfies Record<Scheme, object>

function matchAccepted(
  accepted: Payment['accepted'] & { version: 2 },
  requirement: Requirement,
): Refusal | undefined {
  const reason = reasons[requirement.scheme]
  const { extra } = requirement
  if (!isSameHex(accepted.asset, requirement.asset)) {
    return { reason: 'invalid_payment_requirements', message: `the asset must be ${requirement.asset}` }
  }
  if (!isSameHex(accepted.payTo, requirement.payTo)) {
    return { reason: reason.recipient, message: `the recipient must be ${requirement.payTo}` }
  }
  if (accepted.amount !== requirement.amount) {
    return { reason: reason.amount, message: `the price is ${amountText(requirement)}` }
  }
  const { facilitatorAddress: account } = accepted.extra
  if (
    extra.facilitatorAddress &&
    !(typeof account === 'string' && isSameHex(account, extra.facilitatorAddress))
  ) {
    return otherFacilitator(extra.facilitatorAddress)
  }
  const differs =
    accepted.maxTimeoutSeconds !== requirement.maxTimeoutSeconds ||
    accepted.extra.name !== extra.name ||
    accepted.extra.version !== extra.version ||
    (extra.assetTransferMethod && accepted.extra.assetTransferMethod !== extra.assetTransferMethod)
  if (differs) {
    return {
      reason: 'invalid_payment_requirements',
      message: 'the accepted requirement is not one this call offers',
    }
  }
  return undefined
}

/** For people, and as it is signed. */
function amountText({ amount }: Pick<Requirement, 'amount'>): string {
  return `${formatUsdc(BigInt(amount))} USDC (${amount} atomic units)`
}

function matchSigned(
  { authorization, permit }: Payment,
  { scheme, payTo, amount, maxTimeoutSeconds, extra }: Requirement,
  now: number,
  neededSeconds: number,
): Refusal | undefined {
  const reason = reasons[scheme]
  const { to, value, validAfter, validBefore, facilitator } = authorization
  const isUpto = scheme === 'upto'
  // An authorization signed for the token must not count as one for Permit2, nor the other way round.
  if ((facilitator !== undefined) !== isUpto) {
    const wanted = isUpto ? 'permit2Authorization' : 'authorization'
    return {
      reason: 'unsupported_payload_type',
      message: `with the scheme ${scheme} the payload holds ${wanted}`,
    }
  }
  if (!isSameHex(to, payTo)) return { reason: reason.recipient, message: `the recipient must be ${payTo}` }
  if (value !== BigInt(amount)) {
    return { reason: reason.amount, message: `the amount must be exactly ${amountText({ amount })}` }
  }
  if (facilitator && extra.facilitatorAddress && !isSameHex(facilitator, extra.facilitatorAddress)) {
    return otherFacilitator(extra.facilitatorAddress)
  }
  // The token needs a time after validAfter; the proxy also takes validAfter itself.
  if (isUpto ? validAfter > BigInt(now) : validAfter >= BigInt(now)) {
    return { reason: reason.early, message: 'the authorization is not valid yet' }
  }
  const needed = BigInt(now + neededSeconds)
  if (validBefore <= needed) return { reason: reason.late, message: expires('authorization', neededSeconds) }
  const longest = longestValidity(maxTimeoutSeconds)
  if (validBefore > BigInt(now + longest)) {
    return {
      reason: reason.tooLong,
      message: `the authorization is valid for too long: sign it for maxTimeoutSeconds (${maxTimeoutSeconds}); at most ${longest} seconds from now are accepted`,
    }
  }
  if (permit && permit.deadline <= needed) {
    return { reason: 'eip2612_deadline_expired', message: expires('EIP-2612 permit', neededSeconds) }
  }
  return undefined
}

/**
 * The longest validity that is accepted, in seconds from now. Clients sign `maxTimeoutSeconds`; twice as much
 * and ten minutes leave room for those that add a margin and for clocks that are fast. Without a bound, a
 * payment that failed once could be sent for ever, and its row could never be forgotten.
 */
function longestValidity(maxTimeoutSeconds: number): number {
  return 2 * maxTimeoutSeconds + 600
}

/** A client that answers an older 402 gets this too, when that 402 named another account of ours. */
function otherFacilitator(account: string): Refusal {
  return {
    reason: 'upto_facilitator_mismatch',
    message: `payments are settled by ${account} now: sign a payment that names it`,
  }
}

function expires(what: string, neededSeconds: number): string {
  return `the ${what} has expired, or would within the ${neededSeconds} seconds this call may take`
}
