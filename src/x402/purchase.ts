import { createHash } from 'node:crypto'
import type { Network } from '../chain/networks.ts'
import type { Endpoint } from '../core/call.ts'
import type { PricedOperation } from '../core/priced-operation.ts'
import { GatewayError } from '../core/errors.ts'
import type { Claim } from '../ledger/claim.ts'
import { type Offer, paymentId, requirementFor } from './requirements.ts'
import { leastNameLength, nameHash } from './seal.ts'
import type { Payment, Requirement } from './types.ts'

/** A call that comes with a payment, and what it takes to claim it. */
export interface PaidCall {
  readonly endpoint: Endpoint
  readonly operation: PricedOperation
  readonly payment: Payment
  /** The `Idempotency-Key` header or the payment's identifier: another payment with it is the same purchase. */
  readonly idempotencyKey: string | undefined
  /** Path with query string exactly as received. */
  readonly target: string
  readonly body: Uint8Array
}

/** A call and what it takes to claim its payment. */
export interface Purchase extends PaidCall {
  readonly requirement: Requirement
  readonly wanted: Claim
  /** Of what is sold in secret: the name it is sealed under. */
  readonly secretName: string | undefined
}

/** @throws GatewayError IDEMPOTENCY_KEY_REQUIRED for a secret that is bought without a name. */
export function createPurchase(call: PaidCall, offer: Offer): Purchase {
  const requirement = requirementFor(call.operation, offer)
  const secretName = call.endpoint.isSecret ? nameOf(call) : undefined
  return {
    ...call,
    requirement,
    secretName,
    wanted: claimOf(call, requirement, offer.network, secretName),
  }
}

function nameOf({ idempotencyKey }: PaidCall): string {
  if (idempotencyKey !== undefined && idempotencyKey.length >= leastNameLength) return idempotencyKey
  throw new GatewayError('IDEMPOTENCY_KEY_REQUIRED', { least_length: leastNameLength })
}

/** What is sold in secret belongs to its name as it does to its body: another name is another request. */
function claimOf(
  call: PaidCall,
  requirement: Requirement,
  network: Network,
  secretName: string | undefined,
): Claim {
  const { endpoint, operation, payment, target, body } = call
  const { authorization } = payment
  return {
    id: paymentId(network.chainId, requirement.asset, authorization.from, authorization.nonce),
    chain_id: network.chainId,
    asset: requirement.asset.toLowerCase(),
    payer: authorization.from.toLowerCase(),
    nonce: authorization.nonce,
    pay_to: requirement.payTo.toLowerCase(),
    amount: BigInt(requirement.amount),
    valid_after: authorization.validAfter.toString(),
    valid_before: authorization.validBefore.toString(),
    signature: payment.signature,
    version: payment.version,
    operation: endpoint.id,
    request_hash: createHash('sha256')
      .update(`${endpoint.method} ${target}\n`)
      .update(body)
      .update(secretName === undefined ? '' : `\n${secretName}`)
      .digest('hex'),
    idempotency_key: secretName === undefined ? (call.idempotencyKey ?? null) : nameHash(secretName),
    timing: operation.settle,
  }
}

/** Room for the store and the node around a deadline, before somebody else may take a payment over. */
const leaseMarginMs = 10_000

/** How long a worker that runs an operation's handler is presumed alive. */
export function handlerLeaseMs(operation: PricedOperation): number {
  return operation.deadline_seconds * 1000 + leaseMarginMs
}

/** How long a worker that settles is presumed alive. */
export function settleLeaseMs(settlementTimeoutMs: number): number {
  return settlementTimeoutMs + leaseMarginMs
}
