import { formatUsdc, parseUsdc } from '../money.ts'
import type { Listing } from './listing.ts'
import type { ExpressionPrice, Meter } from './prices.ts'
import type { ReplayRule } from './replay-rule.ts'

/** An operation as a payment pays for it. It is made once, when the catalog is read. */
export interface PricedOperation {
  readonly description: string
  /** Decimal USDC. A price that depends on the call is the maximum, until the stage `priceCall` knows it. */
  readonly price: string
  /** Why a price that depends on the call is the maximum, once it is known; for the caller. */
  readonly whyMaximum?: string | undefined
  /** `metered`: the amount is known at the end, and taken then. */
  readonly settle: 'after' | 'before' | 'metered'
  /** A payer who has settled nothing here yet is charged before the call runs, whatever `settle` says. */
  readonly newPayersFirst?: boolean | undefined
  readonly deadlineSeconds: number
  readonly validitySeconds: number
  /**
   * What a call costs at least that fails by the caller's own making: `price` for all of it, or decimal USDC
   * where the price is metered. Undefined where such a call is free.
   */
  readonly chargeFailed?: string | undefined
  /** Who gets the stored reply of a public payment; undefined for the default (`replayRuleOf`). */
  readonly replay?: ReplayRule | undefined
  /** Who lists it; undefined where it is not to be listed. */
  readonly listing?: Listing | undefined
  /** What is counted; undefined where the amount is known before the call runs. */
  readonly meter?: Meter | undefined
  /** What the amount follows from; undefined where it does not depend on the request. */
  readonly expression?: ExpressionPrice | undefined
  /** Set where a reply may be passed on as it comes in, which then is not stored for a replay. */
  readonly upstream?: string | undefined
}

/** What a call costs, in words: `$0.10`, or what is counted and the maximum. */
export function priceText({ price, meter, expression }: PricedOperation): string {
  if (meter) return `up to $${dollars(price)}: ${meterText(meter)}`
  if (expression) return `up to $${dollars(price)}: ${expressionText(expression)}`
  return `$${dollars(price)}`
}

/** `$0.50 per 1000000 input tokens + $2.00 per 1000000 output tokens`. */
function meterText({ per, units, base, input, output }: Meter): string {
  const side = (price: string | undefined, word: string) =>
    price === undefined
      ? []
      : [`$${dollars(price)} per ${units === 1 ? '' : `${units} `}${word}${plural(per, units)}`]
  const hasSides = per === 'tokens' || per === 'bytes'
  return [...start(base), ...side(input, 'input '), ...side(output, hasSides ? 'output ' : '')].join(' + ')
}

function expressionText({ count, each, base, freeWhen }: ExpressionPrice): string {
  const text = [...start(base), `$${dollars(each)} × (${count})`].join(' + ')
  return freeWhen === undefined ? text : `${text}, free when ${freeWhen}`
}

function start(base: string | undefined): string[] {
  return base === undefined ? [] : [`$${dollars(base)}`]
}

function plural(unit: Meter['per'], count: number): string {
  return count === 1 ? unit.slice(0, -1) : unit
}

function dollars(price: string): string {
  return formatUsdc(parseUsdc(price))
}
