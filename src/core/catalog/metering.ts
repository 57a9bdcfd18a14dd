import { parseUsdc } from '../money.ts'
import type { Meter } from './prices.ts'

/** What was counted of a call, and what that comes to. */
export interface Usage {
  /** Units of the request: tokens of the prompt, bytes of its body; 0 for what is only counted of replies. */
  readonly input: number
  /** Units of the reply, as far as it was delivered. */
  readonly output: number
  /** Nobody told the count: it was worked out from what went through. */
  readonly isEstimate: boolean
}

/** How a reply that took its time came to its end. */
export interface Delivery {
  /**
   * `left`: its caller did not wait for all of it. `broken`: whoever made it broke off, it took too long, or the gateway
   * stopped.
   */
  readonly outcome: 'complete' | 'left' | 'broken'
  /** Undefined where nothing is metered. */
  readonly usage: Usage | undefined
}

/** What a call's use comes to. */
export interface Cost {
  /** Of requests and replies together: what an allowance in units is charged. */
  readonly units: number
  /** Atomic USDC, rounded up once; never above the meter's maximum. */
  readonly amount: bigint
}

/**
 * @returns nothing at all for a call of which nothing was used and that was not delivered: its base is charged with
 *   the first unit.
 */
export function costOf(meter: Meter, { input, output }: Usage): Cost {
  const units = input + output
  if (units === 0) return { units, amount: 0n }
  const counted = BigInt(input) * atomic(meter.input) + BigInt(output) * atomic(meter.output)
  const per = BigInt(meter.units)
  const amount = atomic(meter.base) + (counted + per - 1n) / per
  const most = parseUsdc(meter.max)
  return {
    units: meter.maxUnits === undefined ? units : Math.min(units, meter.maxUnits),
    amount: amount < most ? amount : most,
  }
}

/** How many units of a reply come to the meter's maximum: what is charged where they cannot be counted. */
export function unitsForMost(meter: Meter): number {
  const each = atomic(meter.output)
  if (meter.maxUnits !== undefined || each === 0n) return meter.maxUnits ?? 1
  const rest = parseUsdc(meter.max) - atomic(meter.base)
  const units = (rest * BigInt(meter.units) + each - 1n) / each
  return Number(units < 1n ? 1n : units < maxUnits ? units : maxUnits)
}

const maxUnits = 1_000_000_000_000n

function atomic(price: string | undefined): bigint {
  return price === undefined ? 0n : parseUsdc(price)
}
