import { createHash } from 'node:crypto'
import type { Hex } from 'viem'
import type { SoldTool } from '../../../core/call.ts'
import type { PricedOperation } from '../../../core/catalog/priced-operation.ts'
import type { Endpoint } from '../../../core/endpoint.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Network } from '../../../platform/chain/networks.ts'
import { permit2Address } from '../../../platform/chain/permit2.ts'
import type { Claim } from '../../ledger/claim.ts'
import { writePermit } from '../wire/permit.ts'
import { type Offer, paymentId, requirementFor } from '../wire/requirements.ts'
import type { Authorization, Payment, Requirement } from '../wire/types.ts'
import { minNameLength, nameHash } from './seal.ts'

/** A call with its payment. */
export interface PaidCall {
  readonly endpoint: Endpoint
  readonly operation: PricedOperation
  readonly payment: Payment
  /**
   * The `Idempotency-Key` header, or the payment's identifier: another payment with it is the same purchase.
   */
  readonly idempotencyKey: string | undefined
  /** The header `SIGN-IN-WITH-X`. */
  readonly signIn?: string | undefined
  /** Path with query string, exactly as received. */
  readonly target: string
  /** Set for the call of a paid tool. */
  readonly tool?: SoldTool | undefined
  readonly body: Uint8Array
  /** The client address, as one client is counted. */
  readonly client: string
  /** Calls `left` once when the caller disconnects. @returns unsubscribes. */
  readonly onLeave?: ((left: () => void) => () => void) | undefined
}

/** A paid call with the claim of its payment. */
export interface Purchase extends PaidCall {
  readonly requirement: Requirement
  readonly wanted: Claim
  /** For a secret reply: the name that it is sealed under. */
  readonly secretName: string | undefined
}

/** @throws GatewayError IDEMPOTENCY_KEY_REQUIRED for a secret reply without a name to seal it under. */
export function createPurchase(call: PaidCall, offer: Offer): Purchase {
  // x402 v1 has only the scheme `exact`, whatever the payload says.
  const { accepted } = call.payment
  const requirement = requirementFor(
    call.operation,
    offer,
    accepted.version === 2 ? accepted.scheme : 'exact',
  )
  const secretName = call.endpoint.isSecret ? nameOf(call) : undefined
  return {
    ...call,
    requirement,
    secretName,
    wanted: claimOf(call, requirement, offer.network, secretName),
  }
}

function nameOf({ idempotencyKey }: PaidCall): string {
  if (idempotencyKey !== undefined && idempotencyKey.length >= minNameLength) return idempotencyKey
  throw new GatewayError('IDEMPOTENCY_KEY_REQUIRED', { least_length: minNameLength })
}

/**
 * Makes the claim. For a secret reply the Idempotency-Key is part of the request hash: another key is another
 * request.
 */
function claimOf(
  call: PaidCall,
  requirement: Requirement,
  network: Network,
  secretName: string | undefined,
): Claim {
  const { endpoint, operation, payment, target, body } = call
  const { authorization, permit } = payment
  const { from, nonce, facilitator } = authorization
  return {
    id: idOf(payment, network),
    chainId: network.chainId,
    asset: requirement.asset.toLowerCase(),
    payer: from.toLowerCase(),
    nonce,
    payTo: requirement.payTo.toLowerCase(),
    amount: BigInt(requirement.amount),
    scheme: facilitator === undefined ? 'exact' : 'upto',
    authorized: authorization.value,
    facilitator: facilitator?.toLowerCase() ?? null,
    permit: permit ? writePermit(permit) : null,
    validAfter: authorization.validAfter.toString(),
    validBefore: authorization.validBefore.toString(),
    signature: payment.signature,
    version: payment.version,
    operation: endpoint.id,
    requestHash: createHash('sha256')
      .update(`${endpoint.method} ${target}\n`)
      .update(body)
      .update(secretName === undefined ? '' : `\n${secretName}`)
      .digest('hex'),
    idempotencyKey: secretName === undefined ? (call.idempotencyKey ?? null) : nameHash(secretName),
    timing: timingOf(operation, authorization),
  }
}

/**
 * The id of a payment. It follows what was signed and not the requirement of this moment, so that a recorded payment
 * is found even while its scheme cannot be settled.
 */
export function idOf({ authorization }: Payment, { chainId, usdc }: Network): Hex {
  const { from, nonce, facilitator } = authorization
  return paymentId(chainId, usdc.address, from, nonce, facilitator === undefined ? undefined : permit2Address)
}

/**
 * Only a payment that was signed as a maximum can wait for the used amount; any other moves exactly what was
 * signed.
 */
function timingOf({ settle }: PricedOperation, { facilitator }: Authorization): Claim['timing'] {
  return settle === 'metered' && facilitator === undefined ? 'after' : settle
}

/** Time for the store and the node beyond a deadline, before another worker may take a payment over. */
const leaseMarginMs = 10_000

/** How long a worker that runs the operation's handler is presumed alive. */
export function handlerLeaseMs(operation: PricedOperation): number {
  return operation.deadlineSeconds * 1000 + leaseMarginMs
}

/** How long a worker that settles is presumed alive. */
export function settleLeaseMs(settlementTimeoutMs: number): number {
  return settlementTimeoutMs + leaseMarginMs
}
