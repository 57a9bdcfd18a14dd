import type { OperatorOperation, Stage } from '../core/call.ts'
import type { Catalog, Operation, PricedOperation, Tier, TierOperation } from '../core/catalog.ts'
import { GatewayError } from '../core/errors.ts'
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
    const offer = known.get(tier) ?? { ...operation, access: 'price', price, settle: 'before' }
    known.set(tier, offer)
    return offer
  }

  return async (call, next) => {
    const { operation, endpoint } = call
    if (operation.access !== 'tier') return next({ ...call, operation })
    if (!endpoint.tierOf) throw new Error(`${endpoint.id} sells no tier`)
    const { tiers } = catalog()
    const raw = await call.readBody()
    // Whoever only asks for a price sends nothing.
    const name = await endpoint.tierOf(raw.bytes.byteLength === 0 ? {} : parseBody(raw, endpoint))
    const tier = tiers[name]
    if (tier?.price === undefined) {
      throw new GatewayError('TIER_NOT_FOR_SALE', { tier: name, for_sale: forSale(tiers) })
    }
    return next({ ...call, operation: offerOf(operation, tier, tier.price) })
  }
}

type SoldTier = PricedOperation & { access: 'price' }

function forSale(tiers: Catalog['tiers']): string[] {
  return Object.entries(tiers).flatMap(([name, { price }]) => (price === undefined ? [] : [name]))
}
