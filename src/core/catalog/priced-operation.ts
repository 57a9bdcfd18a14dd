import type { OperatorOperation } from '../endpoint.ts'
import type { Operation } from './catalog.ts'
import type { ExpressionPrice, Meter, Price } from './prices.ts'

/** An operation as a payment pays for it. */
export interface PricedOperation {
  readonly description: string
  /** Decimal USDC; of one that is metered, the most that a call may cost. */
  readonly price: string
  /** `metered`: the amount is known at the end, and taken then. */
  readonly settle: 'after' | 'before' | 'metered'
  readonly deadlineSeconds: number
  readonly validitySeconds: number
  /** What is counted; undefined where the price is fixed. */
  readonly meter?: Meter
  /** Set where a reply may be passed on as it comes in, which then is not stored for a replay. */
  readonly upstream?: string | undefined
}

const derived = new WeakMap<Operation, PricedOperation>()

/**
 * The operation as its payment sees it; undefined when no payment opens it. The same object each time: caches hang
 * on it. A price that depends on the request is its maximum here (`gateway/price.ts` finds the one of a call).
 */
export function pricedOf(operation: Operation | OperatorOperation): PricedOperation | undefined {
  if (operation.access !== 'price' && operation.access !== 'optional') return undefined
  const { price } = operation
  if (price === undefined) return undefined
  const known = derived.get(operation)
  if (known) return known
  const made = priced({ ...operation, price })
  derived.set(operation, made)
  return made
}

function priced({
  price,
  settle,
  description,
  deadlineSeconds,
  validitySeconds,
  upstream,
}: Omit<PricedOperation, 'price'> & { readonly price: Price }): PricedOperation {
  const sold = { description, deadlineSeconds, validitySeconds, upstream }
  if (typeof price === 'string') return { ...sold, price, settle }
  if (price.per === 'request') return { ...sold, price: price.max, settle }
  return { ...sold, price: price.max, settle: 'metered', meter: price }
}

/** What is counted of an operation's calls; undefined where nothing is. */
export function meterOf(operation: Operation | OperatorOperation): Meter | undefined {
  return pricedOf(operation)?.meter
}

/** The price that is worked out of the request, where the operation has such a one. */
export function expressionPriceOf(operation: Operation): ExpressionPrice | undefined {
  if (operation.access !== 'price' && operation.access !== 'optional') return undefined
  const { price } = operation
  return typeof price === 'object' && price.per === 'request' ? price : undefined
}
