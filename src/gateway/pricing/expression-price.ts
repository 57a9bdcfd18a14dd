import type { OptionalOperation, SoldOperation } from '../../core/catalog/catalog.ts'
import {
  countUnits,
  type ExpressionInput,
  readsBody,
  readsFields,
  readsQuery,
} from '../../core/catalog/expression.ts'
import type { ExpressionPrice } from '../../core/catalog/prices.ts'
import { formatUsdc, parseUsdc } from '../../core/money.ts'
import { plainJson } from './plain-json.ts'
import { isPlainQuery } from './plain-query.ts'

/** The parts of a request that an expression can use. */
export interface PricedRequest extends Pick<ExpressionInput, 'query' | 'params'> {
  /** Path and query, as received. */
  readonly target: string
  /** Undefined without a body. */
  readonly body: Uint8Array | undefined
  /** By lower-case name. They say what format the body has. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>
}

/** The price of a request, in decimal USDC. */
export function requestPrice(price: ExpressionPrice, request: PricedRequest): string {
  return formatUsdc(amountOf(price, request))
}

/** An operation that can have an expression as its price. */
type Priceable = SoldOperation | OptionalOperation

/** The operation at the price of one request. */
export function pricedAt<Sold extends Priceable>(operation: Sold, price: string): Sold {
  const { priced } = operation
  return priced ? { ...operation, priced: { ...priced, price, expression: undefined } } : operation
}

/**
 * In atomic units: at most the declared maximum. The maximum is also the price when the expression has no
 * result, when the query or the body can be read in more than one way, and when a needed body is missing, as it
 * is when a caller only asks for the price. Zero units cost the base. Without a base they cost the maximum: many servers
 * read 0 as a default of their own, so the call would get that work for nothing.
 */
function amountOf(price: ExpressionPrice, request: PricedRequest): bigint {
  const { body, query, params, headers, target } = request
  const max = parseUsdc(price.max)
  if (body === undefined && readsBody(price.count)) return max
  const words = wordsOf(price.count)
  if (readsQuery(price.count) && !isPlainQuery(target, words)) return max
  const json = body && readsFields(price.count) ? plainJson(body, headers, words) : noJson
  if (json === undefined) return max
  const input = { body: json.value, query, params, length: body?.byteLength ?? 0 }
  const units = countUnits(price.count, input)
  if (units === undefined) return max
  const amount = (price.base === undefined ? 0n : parseUsdc(price.base)) + units * parseUsdc(price.each)
  return amount === 0n || amount > max ? max : amount
}

const noJson = { value: null }

/** All words and texts of the expression: a superset of the field names that it uses. */
function wordsOf(expression: string): ReadonlySet<string> {
  const texts = Array.from(
    expression.matchAll(/"([^"]*)"|'([^']*)'/g),
    ([, double, single]) => double ?? single ?? '',
  )
  return new Set([...(expression.match(/\w+/g) ?? []), ...texts.filter((text) => text !== '')])
}
