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

/**
 * The 402 for a call that is not paid, or not well. It says what is asked for and on which terms; one that is
 * outdated, or not the price that the gate compares with, would have clients sign in vain.
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
      paymentRequired({ ...termsFor(endpoint, operation, refusal), code, refusal }),
  }

  /** A client signs the first offer it can: what would be refused again is not among them. */
  function termsFor(endpoint: Endpoint, operation: PricedOperation, { offered }: Refusal): Terms {
    const { terms } = current(endpoint, operation)
    if (offered === undefined) return terms
    const accepts = terms.accepts.filter(({ scheme }) => scheme === offered)
    return { ...terms, accepts, extensions: extensionsOf(endpoint, operation, accepts, clock.now()) }
  }

  /** A clock that was set back would keep an offer for too long, so the distance counts, not the direction. */
  function isFresh({ signedAt }: Current, now: number): boolean {
    return !signer || Math.abs(now - signedAt) < offerRenewalMs
  }

  function current(endpoint: Endpoint, operation: PricedOperation): Current {
    const now = clock.now()
    const account = operation.meter && offer.upto?.()
    const made = known.get(operation)
    if (made && made.account === account && isFresh(made, now)) return made
    const accepts = requirementsFor(operation, offer)
    const terms = {
      operation,
      network: offer.network,
      resourceUrl: resourceUrl(baseUrl, endpoint),
      accepts,
      exact: requirementFor(operation, offer),
      extensions: extensionsOf(endpoint, operation, accepts, now),
    }
    const unpaid = paymentRequired({ ...terms, code: 'PAYMENT_REQUIRED', refusal: undefined })
    const renewed = { terms, unpaid, account, signedAt: now }
    known.set(operation, renewed)
    return renewed
  }

  function extensionsOf(
    endpoint: Endpoint,
    operation: PricedOperation,
    accepts: readonly Requirement[],
    now: number,
  ): Extensions {
    return {
      ...paymentIdentifier(endpoint.isSecret ?? false),
      ...(accepts.some(({ scheme }) => scheme === 'upto') ? gasSponsoring : {}),
      ...(operation.upstream === undefined ? {} : replayTerms),
      ...declared,
      ...signedOffers(endpoint, operation, accepts, now),
    }
  }

  /** Whoever gets the offers, be it at the end of their time, has the whole validity to pay in. */
  function signedOffers(
    endpoint: Endpoint,
    operation: PricedOperation,
    accepts: readonly Requirement[],
    now: number,
  ): Extensions {
    if (!signer) return {}
    const validUntil = Math.ceil((now + offerRenewalMs) / 1000) + operation.validitySeconds
    return signer.signOffers(accepts, resourceUrl(baseUrl, endpoint), validUntil)
  }
}

/** What a 402 is made of for everyone who asks within some seconds. */
interface Current {
  readonly terms: Terms
  readonly unpaid: Reply
  /** Who settles `upto` in it: another account makes another 402. */
  readonly account: Address | undefined
  /** Milliseconds since the Unix epoch. */
  readonly signedAt: number
}

/** The address of what is sold, in the 402, in the signed offer and in the signed receipt: clients compare them. */
export function resourceUrl(baseUrl: string, { path, relays }: Pick<Endpoint, 'path' | 'relays'>): string {
  // What is known by a host name of its own is not to be had at ours.
  const base = relays?.host === undefined ? baseUrl : `${new URL(baseUrl).protocol}//${relays.host}`
  return `${base}${path}`
}
