import type { Stage } from '../core/call.ts'
import type { Operation, TierOperation } from '../core/catalog/catalog.ts'
import type { OperatorOperation } from '../core/endpoint.ts'
import type { HeldCall } from './bodies/hold-bodies.ts'
import { priceByExpression, pricedAt } from './expression-price.ts'
import { priceByTier } from './tier-price.ts'

/** A call whose price no longer depends on the request. */
export interface PricedCall extends Omit<HeldCall, 'operation'> {
  readonly operation: Exclude<Operation, TierOperation> | OperatorOperation
}

/**
 * The stage that finds the price of a call where it depends on the request: on the tier that a key is bought
 * for, or on the catalog's expression over the request. Only these calls have their body read before they get
 * a 402.
 */
export const priceCall: Stage<HeldCall, PricedCall> = async (call, next) => {
  const { operation } = call
  switch (operation.access) {
    case 'tier':
      return next({ ...call, operation: await priceByTier(call, operation) })
    case 'price':
    case 'optional': {
      const price = operation.priced?.expression
      if (!price) return next({ ...call, operation })
      return next({ ...call, operation: pricedAt(operation, await priceByExpression(call, price)) })
    }
    default:
      return next({ ...call, operation })
  }
}
