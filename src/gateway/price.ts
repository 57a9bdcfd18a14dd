import { LRUCache } from 'lru-cache'
import type { Stage } from '../core/call.ts'
import type { OptionalOperation, SoldOperation } from '../core/catalog/catalog.ts'
import { countUnits, type ExpressionInput, readsBody, readsFields } from '../core/catalog/expression.ts'
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
export function priceCall(): Stage<IdentifiedCall, PricedCall> {
  // The same offer for everyone who is asked the same, or each would be signed anew (`x402/wire/challenge.ts`).
  const offers = new LRUCache<string, { readonly of: Priceable; readonly offer: Priceable }>({
    max: maxAmounts,
  })

  function offerOf(id: string, operation: Priceable, amount: string): Priceable {
    const key = `${id} ${amount}`
    const known = offers.get(key)
    // After a reload the operation is another one, and so is what it offers at the same price.
    if (known?.of === operation) return known.offer
    const offer = pricedAt(operation, amount)
    offers.set(key, { of: operation, offer })
    return offer
  }

  return (call, next) =>
    priceTier(call, async (priced) => {
      const { operation, endpoint } = priced
      if (operation.access !== 'price' && operation.access !== 'optional') return next(priced)
      const price = operation.priced?.expression
      if (!price) return next(priced)
      const body = readsBody(price.count) ? await bodyOf(call) : undefined
      const headers = call.incoming?.headers ?? {}
      const request = { query: call.readQuery(), params: call.params, body, headers }
      return next({ ...priced, operation: offerOf(endpoint.id, operation, requestPrice(price, request)) })
    })
}

/** What an expression can ask for. */
export interface PricedRequest extends Pick<ExpressionInput, 'query' | 'params'> {
  /** Undefined where none was sent. */
  readonly body: Uint8Array | undefined
  /** By lower-case name: they say what the body is. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>
}

type Priceable = SoldOperation | OptionalOperation

/** The operation as a request of this price pays for it. */
export function pricedAt<Sold extends Priceable>(operation: Sold, price: string): Sold {
  const { priced } = operation
  return priced ? { ...operation, priced: { ...priced, price, expression: undefined } } : operation
}

/** What a request costs, in decimal USDC. */
export function requestPrice(price: ExpressionPrice, request: PricedRequest): string {
  return formatUsdc(amountOf(price, request))
}

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
