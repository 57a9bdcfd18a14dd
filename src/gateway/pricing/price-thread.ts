import type { ExpressionPrice } from '../../core/catalog/prices.ts'
import { freeing } from '../../platform/threads/freeing.ts'
import { type PricedRequest, type RequestPrice, requestPrice } from './expression-price.ts'

export interface PriceTask {
  readonly price: ExpressionPrice
  readonly request: Omit<PricedRequest, 'body'>
  /** The body. */
  readonly bytes: Uint8Array
}

/** What the thread of `request-prices.ts` runs. */
export const price = freeing(
  ({ price, request, bytes }: PriceTask): RequestPrice => requestPrice(price, { ...request, body: bytes }),
)
