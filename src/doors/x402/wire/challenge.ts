import { isDeepStrictEqual } from 'node:util'
import { LRUCache } from 'lru-cache'
import type { Address } from 'viem'
import type { PricedOperation } from '../../../core/catalog/priced-operation.ts'
import { replayRuleOf } from '../../../core/catalog/replay-rule.ts'
import { type Clock, systemClock } from '../../../core/clock.ts'
import type { Endpoint } from '../../../core/endpoint.ts'
import type { Reply } from '../../../core/reply.ts'
import { discovery, discoveryV1, type ListedEndpoint, type ServiceMetadata } from './discovery.ts'
import {
  type Extensions,
  failedCallTerms,
  gasSponsoring,
  paymentIdentifier,
  replaySentences,
  replayTerms,
} from './extensions.ts'
import type { ReceiptSigner } from './offer-receipt.ts'
import { describeResource, paymentRequired, type Remark, type Terms } from './payment-required.ts'
import { type Offer, requirementFor, requirementsFor } from './requirements.ts'
import { type Asked, type ResourceDescription, resourceUrl } from './resource.ts'
import type { Refusal, Requirement } from './types.ts'

interface ChallengeOptions {
  /** Signs the offers; without it they go unsigned. */
  readonly signer?: ReceiptSigner | undefined
  /** Extensions to declare in addition to our own, the same for every operation. */
  readonly declared?: Extensions
  /**
   * Who offers what is sold, for catalogs of paid services; the same object until it changes. Left out where none
   * shall list it.
   */
  readonly service?: () => ServiceMetadata
  readonly clock?: Clock
}

/** A call that gets a 402. */
interface AskedCall extends Asked {
  readonly endpoint: Pick<Endpoint, 'id' | 'path' | 'upstream' | 'isPrivate' | 'isSecret'> & ListedEndpoint
}

/** An operation as a facilitator's catalog shows it. */
export interface Listed {
  readonly resource: ResourceDescription
  readonly extensions: Extensions
}

/** The cached parts of the 402s for one address. */
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
/** Callers choose the address, and the amount where the request sets the price. */
const maxPreparedBytes = 8_000_000

/**
 * The 402s for calls that are not paid, or whose payment is refused. A 402 has to ask for exactly what the
 * payment is compared with later; otherwise clients would sign payments that are then refused.
 */
export class Challenges {
  readonly #offer: Offer
  readonly #baseUrl: string
  readonly #signer: ReceiptSigner | undefined
  readonly #declared: Extensions
  readonly #service: (() => ServiceMetadata) | undefined
  readonly #clock: Clock
  /** By endpoint, price and address. Unpaid calls of one address get the same bytes for a while. */
  readonly #prepared = new LRUCache<string, Prepared>({
    maxSize: maxPreparedBytes,
    sizeCalculation: bytesOf,
  })

  /**
   * @param baseUrl public address of the paid endpoints; never the request's Host header, which a caller can
   *   forge.
   */
  constructor(
    offer: Offer,
    baseUrl: string,
    { signer, declared = {}, service, clock = systemClock }: ChallengeOptions = {},
  ) {
    this.#offer = offer
    this.#baseUrl = baseUrl
    this.#signer = signer
    this.#declared = declared
    this.#service = service
    this.#clock = clock
  }

  /** Makes the 402 for a call without payment. */
  unpaid(call: AskedCall, operation: PricedOperation, remark?: Remark): Reply {
    const { unpaid, terms } = this.#prepare(call, operation)
    if (!remark) return unpaid
    return paymentRequired({ ...terms, code: 'PAYMENT_REQUIRED', refusal: undefined, remark })
  }

  /**
   * Makes the 402 for a payment that was refused.
   * @param code PAYMENT_FAILED when the payment was sent to the chain: its signature is then public.
   */
  refused(
    call: AskedCall,
    operation: PricedOperation,
    refusal: Refusal,
    code: 'PAYMENT_INVALID' | 'PAYMENT_FAILED' = 'PAYMENT_INVALID',
  ): Reply {
    return paymentRequired({ ...this.#termsFor(call, operation, refusal), code, refusal })
  }

  /**
   * Leaves out the schemes that would be refused again, because a client signs the first offer that it can.
   */
  #termsFor(call: AskedCall, operation: PricedOperation, { offered }: Refusal): Terms {
    const { terms } = this.#prepare(call, operation)
    if (offered === undefined) return terms
    const accepts = terms.accepts.filter(({ scheme }) => scheme === offered)
    return {
      ...terms,
      accepts,
      extensions: this.#extensions(call, terms.resourceUrl, operation, accepts, this.#clock.now()),
    }
  }

  /**
   * What a facilitator that lists an operation is told of it: the same as clients read in the 402, without the query,
   * which may be the payer's own.
   */
  listed(call: AskedCall, operation: PricedOperation): Listed {
    const [target = call.target] = call.target.split('?', 1)
    const address = resourceUrl(this.#baseUrl, { ...call, target })
    const { tags, ...service } = this.#service?.() ?? {}
    return {
      resource: { ...describeResource(operation, address), ...service, ...(tags && { tags: [...tags] }) },
      extensions: { ...this.#declared, ...discovery(call.endpoint, call.tool?.name) },
    }
  }

  #prepare(call: AskedCall, operation: PricedOperation): Prepared {
    const now = this.#clock.now()
    const account = operation.meter && this.#offer.upto?.()
    const address = resourceUrl(this.#baseUrl, call)
    const service = this.#service?.()
    const key = `${call.endpoint.id} ${operation.price} ${address}`
    const cached = this.#prepared.get(key)
    if (
      cached &&
      isSameOperation(cached.operation, operation) &&
      cached.account === account &&
      cached.terms.service === service &&
      this.#isFresh(cached, now)
    ) {
      return cached
    }
    const accepts = requirementsFor(operation, this.#offer)
    const terms = {
      operation,
      network: this.#offer.network,
      resourceUrl: address,
      service,
      schemaV1: service && discoveryV1(call.endpoint),
      accepts,
      exact: requirementFor(operation, this.#offer),
      replay: replaySentences(replayRuleOf(call.endpoint, operation), operation.upstream !== undefined),
      extensions: this.#extensions(call, address, operation, accepts, now),
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
    { endpoint, tool }: AskedCall,
    address: string,
    operation: PricedOperation,
    accepts: readonly Requirement[],
    now: number,
  ): Extensions {
    return {
      ...paymentIdentifier(endpoint.isSecret ?? false),
      ...(accepts.some(({ scheme }) => scheme === 'upto') ? gasSponsoring : {}),
      ...failedCallTerms(operation),
      ...replayTerms(replayRuleOf(endpoint, operation), operation.upstream !== undefined),
      ...(this.#service ? discovery(endpoint, tool?.name) : {}),
      ...this.#declared,
      ...this.#signedOffers(address, operation, accepts, now),
    }
  }

  /**
   * A caller that gets the offers at the end of their time still has the operation's whole validity to pay
   * in.
   */
  #signedOffers(
    address: string,
    operation: PricedOperation,
    accepts: readonly Requirement[],
    now: number,
  ): Extensions {
    if (!this.#signer) return {}
    const validUntil = Math.ceil((now + offerRenewalMs) / 1000) + operation.validitySeconds
    return this.#signer.signOffers(accepts, address, validUntil)
  }
}

/** A reload of the catalog makes new operations, and most of them are unchanged. */
function isSameOperation(one: PricedOperation, other: PricedOperation): boolean {
  return one === other || isDeepStrictEqual(one, other)
}

/** Of an entry itself, besides what it holds: its object, its key and its place in the cache. */
const entryBytes = 500

/** Without the network and the compiled expression of the price, which all entries share. */
function bytesOf({ unpaid, terms, operation }: Prepared, key: string): number {
  const { resourceUrl, accepts, exact, extensions, replay } = terms
  const { expression: _, ...own } = operation
  return entryBytes + sizeOf([key, unpaid, own, resourceUrl, accepts, exact, extensions, replay])
}

/**
 * An estimate from above: two bytes for a character, and what V8 adds to a text, an object and a field. Parts
 * that entries share are counted in each of them.
 */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 24 + 2 * value.length
  if (value instanceof Uint8Array) return 200 + value.byteLength
  if (typeof value !== 'object' || value === null) return 8
  return Object.values(value).reduce((sum: number, part: unknown) => sum + 8 + sizeOf(part), 56)
}
