import type { OptionalOperation, SoldOperation } from '../core/catalog/catalog.ts'
import { countUnits, type ExpressionInput, readsBody, readsFields } from '../core/catalog/expression.ts'
import type { ExpressionPrice } from '../core/catalog/prices.ts'
import { formatUsdc, parseUsdc } from '../core/money.ts'
import type { HeldCall } from './bodies/hold-bodies.ts'
import { plainJson } from './plain-json.ts'

/**
 * Evaluates the expression over the call's request. Reads the body if the expression needs it.
 * @returns decimal USDC.
 * @throws GatewayError PAYLOAD_TOO_LARGE, CALLER_LEFT.
 */
export async function priceByExpression(call: HeldCall, price: ExpressionPrice): Promise<string> {
  const body = readsBody(price.count) ? await bodyOf(call) : undefined
  const headers = call.incoming?.headers ?? {}
  return requestPrice(price, { query: call.readQuery(), params: call.params, body, headers })
}

/** The parts of a request that an expression can use. */
interface PricedRequest extends Pick<ExpressionInput, 'query' | 'params'> {
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
 * result, when the body can be read in more than one way, and when a needed body is missing, as it is when a
 * caller only asks for the price. Zero units cost the base. Without a base they cost the maximum: many servers
 * read 0 as a default of their own, so the call would get that work for nothing.
 */
function amountOf(price: ExpressionPrice, { body, query, params, headers }: PricedRequest): bigint {
  const max = parseUsdc(price.max)
  if (body === undefined && readsBody(price.count)) return max
  const json = body && readsFields(price.count) ? plainJson(body, headers, wordsOf(price.count)) : noJson
  if (json === undefined) return max
  const input = { body: json.value, query, params, length: body?.byteLength ?? 0 }
  const units = countUnits(price.count, input)
  if (units === undefined) return max
  const amount = (price.base === undefined ? 0n : parseUsdc(price.base)) + units * parseUsdc(price.each)
  return amount === 0n || amount > max ? max : amount
}

/** A larger body is refused: finding a price must not cost more than the call is worth. */
const maxPricedBytes = 1_000_000

async function bodyOf({ incoming, endpoint, readBody, room }: HeldCall): Promise<Uint8Array | undefined> {
  if (incoming?.length === 0) return undefined
  const maxBytes = Math.min(maxPricedBytes, endpoint.upstream?.maxRequestBytes ?? maxPricedBytes)
  const bytes = incoming ? await incoming.collect(maxBytes, room) : (await readBody(room)).bytes
  return bytes.byteLength === 0 ? undefined : bytes
}

const noJson = { value: null }

/** All words of the expression: a superset of the field names that it uses. */
function wordsOf(expression: string): ReadonlySet<string> {
  return new Set(expression.match(/\w+/g))
}
