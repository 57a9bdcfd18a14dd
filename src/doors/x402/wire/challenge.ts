import { isDeepStrictEqual } from 'node:util'
import { LRUCache } from 'lru-cache'
import type { Address } from 'viem'
import type { PricedOperation } from '../../../core/catalog/priced-operation.ts'
import { type Clock, systemClock } from '../../../core/clock.ts'
import type { Endpoint } from '../../../core/endpoint.ts'
import type { Reply } from '../../../core/reply.ts'
import { type Extensions, gasSponsoring, paymentIdentifier, replayTerms } from './extensions.ts'
import type { ReceiptSigner } from './offer-receipt.ts'
import { paymentRequired, type Terms } from './payment-required.ts'
import { type Offer, requirementFor, requirementsFor } from './requirements.ts'
import type { Refusal, Requirement } from './types.ts'

interface ChallengeOptions {
  /** Signs the offers; without it they go unsigned. */
  readonly signer?: ReceiptSigner | undefined
  /** Extensions to declare in addition to our own, the same for every operation. */
  readonly declared?: Extensions
  readonly clock?: Clock
}

/** The cached parts of the 402s of an operation. */
interface Prepared {
  readonly operation: PricedOperation
  readonly terms: Terms
  readonly unpaid: Reply
  /** The account that settles `upto` in it: another account makes another 402. */
  readonly account: Address | undefined
  /** Milliseconds since the Unix epoch. */
  readonly signedAt: number
}

/**
 * For how long a signed offer is given to every caller. Signing takes longer than the rest of a 402, and a
 * caller may ask for as many 402s as it likes.
 */
const offerRenewalMs = 10_000
/** Callers choose the amount of an operation that is priced by the request, so the cache has a maximum. */
const maxPrepared = 5_000

/**
 * The 402s for calls that are not paid, or whose payment is refused. A 402 has to ask for exactly what the
 * payment is compared with later; otherwise clients would sign payments that are then refused.
 */
export class Challenges {
  readonly #offer: Offer
  readonly #baseUrl: string
  readonly #signer: ReceiptSigner | undefined
  readonly #declared: Extensions
  readonly #clock: Clock
  /** By endpoint and price. All unpaid calls of an operation get the same bytes for a while. */
  readonly #prepared = new LRUCache<string, Prepared>({ max: maxPrepared })

  /**
   * @param baseUrl public address of the paid endpoints; never the request's Host header, which a caller can
   *   forge.
   */
  constructor(
    offer: Offer,
    baseUrl: string,
    { signer, declared = {}, clock = systemClock }: ChallengeOptions = {},
  ) {
    this.#offer = offer
    this.#baseUrl = baseUrl
    this.#signer = signer
    this.#declared = declared
    this.#clock = clock
  }

  /** Makes the 402 for a call without payment. */
  unpaid(endpoint: Endpoint, operation: PricedOperation): Reply {
    return this.#prepare(endpoint, operation).unpaid
  }

  /**
   * Makes the 402 for a payment that was refused.
   * @param code PAYMENT_FAILED when the payment was sent to the chain: its signature is then public.
   */
  refused(
    endpoint: Endpoint,
    operation: PricedOperation,
    refusal: Refusal,
    code: 'PAYMENT_INVALID' | 'PAYMENT_FAILED' = 'PAYMENT_INVALID',
  ): Reply {
    return paymentRequired({ ...this.#termsFor(endpoint, operation, refusal), code, refusal })
  }

  /**
   * Leaves out the schemes that would be refused again, because a client signs the first offer that it can.
   */
  #termsFor(endpoint: Endpoint, operation: PricedOperation, { offered }: Refusal): Terms {
    const { terms } = this.#prepare(endpoint, operation)
    if (offered === undefined) return terms
    const accepts = terms.accepts.filter(({ scheme }) => scheme === offered)
    return {
      ...terms,
      accepts,
      extensions: this.#extensions(endpoint, operation, accepts, this.#clock.now()),
    }
  }

  #prepare(endpoint: Endpoint, operation: PricedOperation): Prepared {
    const now = this.#clock.now()
    const account = operation.meter && this.#offer.upto?.()
    const key = `${endpoint.id} ${operation.price}`
    const cached = this.#prepared.get(key)
    if (
      cached &&
      isSameOperation(cached.operation, operation) &&
      cached.account === account &&
      this.#isFresh(cached, now)
    ) {
      return cached
    }
    const accepts = requirementsFor(operation, this.#offer)
    const terms = {
      operation,
      network: this.#offer.network,
      resourceUrl: resourceUrl(this.#baseUrl, endpoint),
      accepts,
      exact: requirementFor(operation, this.#offer),
      extensions: this.#extensions(endpoint, operation, accepts, now),
    }
    const unpaid = paymentRequired({ ...terms, code: 'PAYMENT_REQUIRED', refusal: undefined })
    const prepared = { operation, terms, unpaid, account, signedAt: now }
    this.#prepared.set(key, prepared)
    return prepared
  }

  /**
   * The distance counts in both directions: after a clock was set back, an offer would be kept for too long.
   */
  #isFresh({ signedAt }: Prepared, now: number): boolean {
    return !this.#signer || Math.abs(now - signedAt) < offerRenewalMs
  }

  #extensions(
    endpoint: Endpoint,
    operation: PricedOperation,
    accepts: readonly Requirement[],
    now: number,
  ): Extensions {
    return {
      ...paymentIdentifier(endpoint.isSecret ?? false),
      ...(accepts.some(({ scheme }) => scheme === 'upto') ? gasSponsoring : {}),
      ...(operation.upstream === undefined ? {} : replayTerms),
      ...this.#declared,
      ...this.#signedOffers(endpoint, operation, accepts, now),
    }
  }

  /**
   * A caller that gets the offers at the end of their time still has the operation's whole validity to pay
   * in.
   */
  #signedOffers(
    endpoint: Endpoint,
    operation: PricedOperation,
    accepts: readonly Requirement[],
    now: number,
  ): Extensions {
    if (!this.#signer) return {}
    const validUntil = Math.ceil((now + offerRenewalMs) / 1000) + operation.validitySeconds
    return this.#signer.signOffers(accepts, resourceUrl(this.#baseUrl, endpoint), validUntil)
  }
}

/** A reload of the catalog makes new operations, and most of them are unchanged. */
function isSameOperation(one: PricedOperation, other: PricedOperation): boolean {
  return one === other || isDeepStrictEqual(one, other)
}

/** The address of what is sold. Clients compare the 402, the signed offer and the signed receipt by it. */
export function resourceUrl(
  baseUrl: string,
  { path, upstream }: Pick<Endpoint, 'path' | 'upstream'>,
): string {
  // An upstream's endpoint that has its own host name is not served under ours.
  const base = upstream?.host === undefined ? baseUrl : `${new URL(baseUrl).protocol}//${upstream.host}`
  return `${base}${path}`
}
