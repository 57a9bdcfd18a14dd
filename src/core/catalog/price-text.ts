import { formatUsdc, parseUsdc } from '../money.ts'
import type { Operation } from './catalog.ts'
import { expressionPriceOf, meterOf, pricedOf } from './priced-operation.ts'
import type { ExpressionPrice, Meter } from './prices.ts'

/**
 * What a call of an operation costs, in words: `$0.10`, or what is counted and the most it can come to. Undefined
 * where no payment opens it.
 */
export function priceText(operation: Operation): string | undefined {
  const priced = pricedOf(operation)
  if (!priced) return undefined
  const meter = meterOf(operation)
  if (meter) return `up to $${dollars(priced.price)}: ${meterText(meter)}`
  const expression = expressionPriceOf(operation)
  if (expression) return `up to $${dollars(priced.price)}: ${expressionText(expression)}`
  return `$${dollars(priced.price)}`
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

function expressionText({ count, each, base }: ExpressionPrice): string {
  return [...start(base), `$${dollars(each)} × (${count})`].join(' + ')
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
