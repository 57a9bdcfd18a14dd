import type { Network } from '../chain/networks.ts'
import { type Endpoint, json, type Reply } from '../core/call.ts'
import type { PricedOperation } from '../core/catalog.ts'
import { type ErrorCode, errorKind } from '../core/errors.ts'
import { type Offer, requirementFor } from './requirements.ts'
import type { Refusal, Requirement } from './types.ts'

/**
 * The 402. One reply serves three kinds of client: x402 v2 reads the PAYMENT-REQUIRED header, v1 reads
 * the body's `accepts`, and the specification's own clients read the error body and X-Payment. A v1
 * client throws the whole reply away over one entry it does not know, so the body lists only what v1
 * has: scheme `exact`, v1's network name, an absolute resource address.
 */
export interface Challenges {
  /** The 402 for a call without payment. */
  unpaid(endpoint: Endpoint, operation: PricedOperation): Reply
  /** The 402 for a payment that was refused. */
  refused(endpoint: Endpoint, operation: PricedOperation, refusal: Refusal): Reply
}

/** @param baseUrl public address of the paid endpoints; never the request's own Host, which anyone can forge. */
export function createChallenges(offer: Offer, baseUrl: string): Challenges {
  // Most probes are unpaid, and all unpaid calls of an operation get the same bytes.
  const known = new WeakMap<PricedOperation, Reply>()
  return {
    unpaid(endpoint, operation) {
      let reply = known.get(operation)
      if (!reply) {
        reply = build(endpoint, operation, 'PAYMENT_REQUIRED', undefined)
        known.set(operation, reply)
      }
      return reply
    },
    refused: (endpoint, operation, refusal) => build(endpoint, operation, 'PAYMENT_INVALID', refusal),
  }

  function build(
    endpoint: Endpoint,
    operation: PricedOperation,
    code: ErrorCode,
    refusal: Refusal | undefined,
  ): Reply {
    const { network } = offer
    const requirement = requirementFor(operation, offer)
    const { status, error, message } = errorKind(code)
    const resource = {
      url: `${baseUrl}${endpoint.path}`,
      description: operation.description,
      mimeType: 'application/json',
    }
    const required = {
      x402Version: 2,
      error: refusal?.reason ?? 'A payment is required',
      resource,
      accepts: [requirement],
    }
    const body = {
      error,
      message,
      code,
      details: {
        price: operation.price,
        asset: 'USDC',
        network: network.name,
        payTo: requirement.payTo,
        ...(refusal ? { reason: refusal.reason, problem: refusal.message } : {}),
      },
      x402Version: 1,
      accepts: [v1Requirement(requirement, network, resource)],
    }
    return json(status, body, {
      'payment-required': Buffer.from(JSON.stringify(required)).toString('base64'),
      'x-payment': `scheme="exact", network="${network.name}", asset="USDC", amount="${requirement.amount}", price="${operation.price}"`,
      // A shared cache that kept a 402 would go on asking for money that was paid (reference/payments.md E5).
      'cache-control': 'no-store',
    })
  }
}

interface Resource {
  readonly url: string
  readonly description: string
  readonly mimeType: string
}

function v1Requirement(requirement: Requirement, network: Network, resource: Resource) {
  return {
    scheme: requirement.scheme,
    network: network.name,
    maxAmountRequired: requirement.amount,
    resource: resource.url,
    description: resource.description,
    mimeType: resource.mimeType,
    payTo: requirement.payTo,
    maxTimeoutSeconds: requirement.maxTimeoutSeconds,
    asset: requirement.asset,
    extra: requirement.extra,
  }
}
