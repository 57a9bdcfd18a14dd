import { type Stage, type WithdrawnOperation, withdrawn } from '../core/call.ts'
import type { Operation, SoldOperation, TierOperation } from '../core/catalog/catalog.ts'
import type { OperatorOperation } from '../core/endpoint.ts'
import { GatewayError } from '../core/errors.ts'
import type { HeldCall } from './bodies/hold-bodies.ts'
import { pricedAt } from './pricing/expression-price.ts'
import type { RequestPrices } from './pricing/request-prices.ts'
import { priceByTier } from './tier-price.ts'

/** A call whose price no longer depends on the request. */
export interface PricedCall extends Omit<HeldCall, 'operation'> {
  readonly operation: Exclude<Operation, TierOperation> | OperatorOperation | WithdrawnOperation
}

/**
 * The stage that finds the price of a call where it depends on the request: on the tier that a key is bought
 * for, or on the catalog's expression over the request. Only these calls have their body read before they get
 * a 402.
 */
export function priceCall(prices: Pick<RequestPrices, 'find'>): Stage<HeldCall, PricedCall> {
  const priceByRequest: Stage<HeldCall, PricedCall> = async (call, next) => {
    const { operation } = call
    switch (operation.access) {
      case 'tier':
        return next({ ...call, operation: await offerOrRefusal(call, operation) })
      case 'price':
      case 'optional': {
        const price = operation.priced?.expression
        if (!price) return next({ ...call, operation })
        const amount = await prices.find(call, price)
        return next({ ...call, operation: pricedAt(operation, amount, call.principal.kind === 'holder') })
      }
      default:
        return next({ ...call, operation })
    }
  }
  return (call, next) => (isPriced(call) ? next(call) : priceByRequest(call, next))
}

/** Whether the price of a call is known, as that of most calls is. */
function isPriced(call: HeldCall): call is PricedCall {
  return call.operation.access !== 'tier' && call.operation.priced?.expression === undefined
}

/** A tier that is not for sale may have been sold before: the payment decides whether the call is refused. */
async function offerOrRefusal(
  call: HeldCall,
  operation: TierOperation,
): Promise<SoldOperation | WithdrawnOperation> {
  try {
    return await priceByTier(call, operation)
  } catch (error) {
    if (error instanceof GatewayError && isOffSale.has(error.code)) return withdrawn(error)
    throw error
  }
}

const isOffSale: ReadonlySet<string> = new Set(['TIER_NOT_FOR_SALE', 'KEY_NOT_FOUND'])
