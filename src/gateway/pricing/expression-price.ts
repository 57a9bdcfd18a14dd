import { z } from 'zod'
import type {
  Operation,
  OptionalOperation,
  SoldOperation,
  TierOperation,
} from '../../core/catalog/catalog.ts'
import {
  countUnits,
  type ExpressionInput,
  holds,
  readsAnyOfQuery,
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
  /** By lower-case name. They say what format the body has, and which method an MCP message names. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>
}

/** What the price of a request is read from. */
export function textsOf({ count, freeWhen }: ExpressionPrice): readonly string[] {
  return freeWhen === undefined ? [count] : [count, freeWhen]
}

export interface RequestPrice {
  /** In decimal USDC; undefined when the request is free. */
  readonly price: string | undefined
  /** Why it is the maximum, for the caller; undefined when it was counted. */
  readonly whyMaximum?: string
}

/**
 * At most the declared maximum. The maximum is also the price when the expression has no result, when the query or
 * the body can be read in more than one way, and when a needed body is missing, as it is when a caller only asks
 * for the price. Zero units cost the base. Without a base they cost the maximum: many servers read 0 as a default of
 * their own, so the call would get that work for nothing.
 */
export function requestPrice(price: ExpressionPrice, request: PricedRequest): RequestPrice {
  const { body, query, params, headers, target } = request
  const texts = textsOf(price)
  if (body === undefined && texts.some(readsBody)) return maximumOf(price, noBody)
  const words = wordsOf(texts)
  if (texts.some(readsQuery) && !isPlainQuery(target, texts.some(readsAnyOfQuery) ? 'all' : words))
    return maximumOf(price, oddQuery)
  const json = body && texts.some(readsFields) ? plainJson(body, headers, words) : noJson
  if (json === undefined) return maximumOf(price, oddBody)
  const input = { body: json.value, query, params, length: body?.byteLength ?? 0 }
  if (isFree(price, input, request)) return { price: undefined }
  const units = countUnits(price.count, input)
  if (units === undefined) return maximumOf(price, noResult)
  const amount = (price.base === undefined ? 0n : parseUsdc(price.base)) + units * parseUsdc(price.each)
  if (amount === 0n) return maximumOf(price, noUnits)
  const max = parseUsdc(price.max)
  return { price: formatUsdc(amount > max ? max : amount) }
}

/** @param whyMaximum for the caller, who can send the request otherwise. */
export function maximumOf({ max }: Pick<ExpressionPrice, 'max'>, whyMaximum: string): RequestPrice {
  return { price: formatUsdc(parseUsdc(max)), whyMaximum }
}

const noBody = 'the price is counted from the body, and this request has none'
const oddQuery =
  'servers may read this query in different ways: send each parameter that is counted once, under its exact name, without blanks around its value, and at most 200 parameters'
export const oddBody =
  'servers may read this body in different ways: send plain JSON with a content-type of application/json, each member once, not too deep and not too large'
const noResult = 'a field that the price is counted from is missing, or is no number that can be counted'
const noUnits = 'nothing is counted, and a server may take zero for a default of its own'

/**
 * MCP names the method of a message in a header, too, and a server may go by either. A caller could name a free method in
 * one and a tool in the other (https://modelcontextprotocol.io/specification, "Mcp-Method").
 */
function isFree(
  { freeWhen }: ExpressionPrice,
  input: ExpressionInput,
  { headers }: Pick<PricedRequest, 'headers'>,
): boolean {
  if (freeWhen === undefined || !holds(freeWhen, input)) return false
  const named = headers['mcp-method']
  if (named === undefined) return true
  const message = withMethod.safeParse(input.body)
  return message.success && named.length === 1 && named[0] === message.data.method
}

const withMethod = z.object({ method: z.string() })

/** An operation that can have an expression as its price. */
type Priceable = SoldOperation | OptionalOperation

/**
 * The operation as one request is charged for it. A free one is open; a caller without a key still keeps to the
 * operation's rate.
 */
export function pricedAt(
  operation: Priceable,
  { price, whyMaximum }: RequestPrice,
  hasKey: boolean,
): Exclude<Operation, TierOperation> {
  const { priced } = operation
  if (!priced) return operation
  if (price !== undefined) {
    const why = whyMaximum === undefined ? {} : { whyMaximum }
    return { ...operation, priced: { ...priced, price, ...why, expression: undefined } }
  }
  const { description, deadlineSeconds, upstream, route } = operation
  const free = { description, deadlineSeconds, upstream, route }
  const rate = operation.access === 'optional' && !hasKey ? operation.rate : undefined
  return rate ? { ...free, access: 'optional', rate } : { ...free, access: 'open' }
}

const noJson = { value: null }

/** All words and texts of the expressions: a superset of the field names that they use. */
function wordsOf(expressions: readonly string[]): ReadonlySet<string> {
  const all = expressions.join(' ')
  const texts = Array.from(
    all.matchAll(/"([^"]*)"|'([^']*)'/g),
    ([, double, single]) => double ?? single ?? '',
  )
  return new Set([...(all.match(/\w+/g) ?? []), ...texts.filter((text) => text !== '')])
}
