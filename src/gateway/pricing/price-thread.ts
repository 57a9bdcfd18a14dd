import type { ExpressionPrice } from '../../core/catalog/prices.ts'
import { type PricedRequest, requestPrice } from './expression-price.ts'

export interface PriceTask {
  readonly price: ExpressionPrice
  readonly request: Omit<PricedRequest, 'body'>
  /** The body. */
  readonly bytes: Uint8Array
}

/** What the thread of `request-prices.ts` runs. */
export function price({ price, request, bytes }: PriceTask): string {
  return requestPrice(price, { ...request, body: bytes })
}
