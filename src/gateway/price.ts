import { LRUCache } from 'lru-cache'
import type { Stage } from '../core/call.ts'
import type { Catalog, Operation } from '../core/catalog/catalog.ts'
import { countUnits, type ExpressionInput, readsBody, readsFields } from '../core/catalog/expression.ts'
import { expressionPriceOf } from '../core/catalog/priced-operation.ts'
import type { ExpressionPrice } from '../core/catalog/prices.ts'
import { formatUsdc, parseUsdc } from '../core/money.ts'
import type { IdentifiedCall } from './identify.ts'
import { plainJson } from './plain-json.ts'
import { type PricedCall, priceTier } from './tier-price.ts'

/**
 * Finds the price of a call before anyone is asked for it, where it depends on the request: of a key that is sold by
 * the tier that is asked for, and of an operation priced by an expression by what the expression makes of the
 * request. Only these have their bodies read before the price is told; all else passes as it is.
 */
export function priceCall(catalog: () => Catalog): Stage<IdentifiedCall, PricedCall> {
  const sellTier = priceTier(catalog)
  return (call, next) =>
    sellTier(call, async (priced) => {
      const { operation } = priced
      if (operation.access !== 'price' && operation.access !== 'optional') return next(priced)
      const price = expressionPriceOf(operation)
      if (!price) return next(priced)
      const body = readsBody(price.count) ? await bodyOf(call) : undefined
      const headers = call.incoming?.headers ?? {}
      const request = { query: call.readQuery(), params: call.params, body, headers }
      return next({ ...priced, operation: pricedAt(operation, price, request) })
    })
}

/** What an expression can ask for. */
export interface PricedRequest extends Pick<ExpressionInput, 'query' | 'params'> {
  /** Undefined where none was sent. */
  readonly body: Uint8Array | undefined
  /** By lower-case name: they say what the body is. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>
}

/**
 * The operation as this request pays for it. The same object for the same amount: a signed offer hangs on it
 * (`x402/challenge.ts`), and one for each call would be signed anew.
 */
export function pricedAt(operation: Sold, price: ExpressionPrice, request: PricedRequest): Sold {
  const amount = formatUsdc(amountOf(price, request))
  const known = derived.get(operation) ?? new LRUCache<string, Sold>({ max: maxAmounts })
  derived.set(operation, known)
  const made = known.get(amount) ?? { ...operation, price: amount }
  known.set(amount, made)
  return made
}

type Sold = Operation & { readonly access: 'price' | 'optional' }

const derived = new WeakMap<Operation, LRUCache<string, Sold>>()
/** Callers choose the amounts, so no more are kept than memory has room for. */
const maxAmounts = 1_000

/**
 * In atomic units: at least one, for nothing can be bought for nothing, and at most the declared maximum. That is
 * also what a request costs that the expression cannot make anything of, whose body may be read in more than one way,
 * or that has none where it wants one: whoever only asks for the price sends none.
 */
function amountOf(price: ExpressionPrice, { body, query, params, headers }: PricedRequest): bigint {
  const most = parseUsdc(price.max)
  if (body === undefined && readsBody(price.count)) return most
  const json = body && readsFields(price.count) ? plainJson(body, headers, wordsOf(price.count)) : noJson
  if (json === undefined) return most
  const input = { body: json.value, query, params, length: body?.byteLength ?? 0 }
  const units = countUnits(price.count, input)
  if (units === undefined) return most
  const amount = (price.base === undefined ? 0n : parseUsdc(price.base)) + units * parseUsdc(price.each)
  return amount > most ? most : amount < 1n ? 1n : amount
}

/** A larger body is refused: a price must not cost more to find than the call is worth. */
const maxBodyBytes = 1_000_000

/** @throws GatewayError PAYLOAD_TOO_LARGE, CALLER_LEFT. */
async function bodyOf({ incoming, endpoint, readBody }: IdentifiedCall): Promise<Uint8Array | undefined> {
  if (incoming?.length === 0) return undefined
  const most = Math.min(maxBodyBytes, endpoint.relays?.maxRequestBytes ?? maxBodyBytes)
  const bytes = incoming ? await incoming.collect(most) : (await readBody()).bytes
  return bytes.byteLength === 0 ? undefined : bytes
}

const noJson = { value: null }

/** Whatever an expression may call a field; what else stands in it does no harm. */
function wordsOf(expression: string): ReadonlySet<string> {
  return new Set(expression.match(/\w+/g))
}
