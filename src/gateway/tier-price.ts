import { isDeepStrictEqual } from 'node:util'
import type { Stage } from '../core/call.ts'
import {
  type Catalog,
  findTier,
  type Operation,
  type Tier,
  type TierOperation,
} from '../core/catalog/catalog.ts'
import type { PricedOperation } from '../core/catalog/priced-operation.ts'
import type { Endpoint, OperatorOperation } from '../core/endpoint.ts'
import { GatewayError } from '../core/errors.ts'
import type { Reply } from '../core/reply.ts'
import { parseBody } from './body.ts'
import type { IdentifiedCall } from './identify.ts'

/** A call whose price, if it has one, is known. */
export interface PricedCall extends Omit<IdentifiedCall, 'operation'> {
  readonly operation: Exclude<Operation, TierOperation> | OperatorOperation
}

/**
 * What a key costs depends on which one is asked for, so here, and only here, the body is looked at before the
 * price is told. All else passes as it is.
 */
export function priceTier(catalog: () => Catalog): Stage<IdentifiedCall, PricedCall> {
  // The same offer for everyone who asks for the same, or each would be signed anew (`x402/challenge.ts`).
  const offers = new WeakMap<TierOperation, WeakMap<Tier, SoldTier>>()

  function offerOf(operation: TierOperation, tier: Tier, price: string): SoldTier {
    const known = offers.get(operation) ?? new WeakMap<Tier, SoldTier>()
    offers.set(operation, known)
    const offer = known.get(tier) ?? soldAt(operation, price)
    known.set(tier, offer)
    return offer
  }

  return (call, next) => {
    const { operation } = call
    return operation.access === 'tier' ? sell(call, operation, next) : next({ ...call, operation })
  }

  async function sell(
    call: IdentifiedCall,
    operation: TierOperation,
    next: (call: PricedCall) => Promise<Reply>,
  ): Promise<Reply> {
    const { endpoint } = call
    const raw = await call.readBody()
    // Whoever only asks for a price sends nothing.
    const asked = raw.bytes.byteLength === 0 ? undefined : parseBody(raw, endpoint)
    const { tier, price } = await tierAsked(endpoint, asked, catalog().tiers)
    return next({ ...call, operation: offerOf(operation, tier, price) })
  }
}

type SoldTier = PricedOperation & { access: 'price'; settle: 'before' }

/** The money moves first: what was given for a payment that then fails could not be taken back. */
export function soldAt(operation: TierOperation, price: string): SoldTier {
  return { ...operation, access: 'price', price, settle: 'before' }
}

/**
 * @param body undefined or an empty object for whoever only wants to know what it would cost.
 * @throws GatewayError TIER_NOT_FOR_SALE, or what the endpoint finds wrong with the body: a price is told for
 *   nothing that would be refused once it is paid for.
 */
export async function tierAsked(
  endpoint: Endpoint,
  body: unknown,
  tiers: Catalog['tiers'],
): Promise<{ readonly name: string; readonly tier: Tier; readonly price: string }> {
  if (!endpoint.tierOf) throw new Error(`${endpoint.id} sells no tier`)
  const asked = body ?? {}
  if (!isDeepStrictEqual(asked, {})) endpoint.prepare({ body: asked })
  const name = await endpoint.tierOf(asked)
  const tier = findTier(tiers, name)
  if (tier?.price === undefined) {
    throw new GatewayError('TIER_NOT_FOR_SALE', { tier: name, for_sale: forSale(tiers) })
  }
  return { name, tier, price: tier.price }
}

function forSale(tiers: Catalog['tiers']): string[] {
  return Object.entries(tiers).flatMap(([name, { price }]) => (price === undefined ? [] : [name]))
}
