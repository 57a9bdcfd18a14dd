import type { Network } from '../chain/networks.ts'
import { type Endpoint, json, type Reply } from '../core/call.ts'
import type { PricedOperation } from '../core/priced-operation.ts'
import { type Clock, systemClock } from '../core/clock.ts'
import { type ErrorCode, errorKind } from '../core/errors.ts'
import { type Extensions, paymentIdentifier } from './extensions.ts'
import type { ReceiptSigner } from './offer-receipt.ts'
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
  /**
   * The 402 for a payment that was refused.
   * @param code PAYMENT_FAILED when the chain has seen it: then its signature is public.
   */
  refused(
    endpoint: Endpoint,
    operation: PricedOperation,
    refusal: Refusal,
    code?: 'PAYMENT_INVALID' | 'PAYMENT_FAILED',
  ): Reply
}

interface ChallengeOptions {
  /** Signs what is offered; without it the offers go unsigned. */
  readonly signer?: ReceiptSigner | undefined
  /** Extensions to declare besides our own, the same for every operation. */
  readonly declared?: Extensions
  readonly clock?: Clock
}

/**
 * How long a signed offer is given to everyone who asks. Signing takes longer than all the rest of a 402,
 * and anyone may ask for one as often as they like.
 */
const offerRenewalMs = 10_000

/** @param baseUrl public address of the paid endpoints; never the request's own Host, which anyone can forge. */
export function createChallenges(
  offer: Offer,
  baseUrl: string,
  { signer, declared = {}, clock = systemClock }: ChallengeOptions = {},
): Challenges {
  // Most probes are unpaid, and all unpaid calls of an operation get the same bytes for a while.
  const known = new WeakMap<PricedOperation, Current>()
  return {
    unpaid: (endpoint, operation) => current(endpoint, operation).unpaid,
    refused: (endpoint, operation, refusal, code = 'PAYMENT_INVALID') =>
      build(endpoint, operation, current(endpoint, operation).extensions, code, refusal),
  }

  /** A clock that was set back would keep an offer for too long, so the distance counts, not the direction. */
  function current(endpoint: Endpoint, operation: PricedOperation): Current {
    const now = clock.now()
    const made = known.get(operation)
    if (made && (!signer || Math.abs(now - made.signedAt) < offerRenewalMs)) return made
    const extensions = {
      ...paymentIdentifier(endpoint.isSecret ?? false),
      ...declared,
      ...signedOffer(endpoint, operation, now),
    }
    const unpaid = build(endpoint, operation, extensions, 'PAYMENT_REQUIRED', undefined)
    const renewed = { unpaid, extensions, signedAt: now }
    known.set(operation, renewed)
    return renewed
  }

  /** Whoever gets the offer, be it at the end of its time, has the whole validity to pay in. */
  function signedOffer(endpoint: Endpoint, operation: PricedOperation, now: number): Extensions {
    if (!signer) return {}
    const validUntil = Math.ceil((now + offerRenewalMs) / 1000) + operation.validity_seconds
    return signer.signOffer(requirementFor(operation, offer), resourceUrl(baseUrl, endpoint), validUntil)
  }

  function build(
    endpoint: Endpoint,
    operation: PricedOperation,
    extensions: Extensions,
    code: ErrorCode,
    refusal: Refusal | undefined,
  ): Reply {
    const { network } = offer
    const requirement = requirementFor(operation, offer)
    const { status, error, message } = errorKind(code)
    const resource = {
      url: resourceUrl(baseUrl, endpoint),
      description: operation.description,
      mimeType: 'application/json',
    }
    const required = {
      x402Version: 2,
      error: refusal?.reason ?? 'A payment is required',
      resource,
      accepts: [requirement],
      extensions,
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

/** What a 402 is made of for everyone who asks within some seconds. */
interface Current {
  readonly unpaid: Reply
  readonly extensions: Extensions
  /** Milliseconds since the Unix epoch. */
  readonly signedAt: number
}

/** The address of what is sold, in the 402, in the signed offer and in the signed receipt: clients compare them. */
export function resourceUrl(baseUrl: string, { path }: Pick<Endpoint, 'path'>): string {
  return `${baseUrl}${path}`
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
