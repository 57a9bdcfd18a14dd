import { parseUsdc } from '../money.ts'
import type { Meter } from './prices.ts'

/** The units that a call used. */
export interface Usage {
  /** Units of the request: tokens of the prompt, bytes of its body; 0 for units that only replies have. */
  readonly input: number
  /** Units of the reply, as far as it was delivered. */
  readonly output: number
  /** The upstream reported no count, so it was estimated from the bytes that passed. */
  readonly isEstimate: boolean
}

/** How the delivery of a streamed or metered reply ended. */
export interface Delivery {
  /**
   * `left`: the caller disconnected before its end. `broken`: its source broke off, its deadline passed, or
   * the gateway stopped.
   */
  readonly outcome: 'complete' | 'left' | 'broken'
  /** Undefined when nothing is metered, and when the call failed, so that nothing of it counts. */
  readonly usage: Usage | undefined
}

/** The cost of a call. */
export interface Cost {
  /** The units of request and reply together, as they count against an allowance. */
  readonly units: number
  /** Atomic USDC, rounded up once; never above the meter's maximum. */
  readonly amount: bigint
}

/**
 * Computes the cost of a call that was answered. The base is charged with every answer, also with one that
 * used no units: an empty list, or a reply to HEAD. Otherwise the upstream's work for these would be free, and
 * the payment could be used again for the next one.
 */
export function costOf(meter: Meter, { input, output }: Usage): Cost {
  const units = input + output
  const counted = BigInt(input) * atomic(meter.input) + BigInt(output) * atomic(meter.output)
  const per = BigInt(meter.units)
  const amount = atomic(meter.base) + (counted + per - 1n) / per
  const max = parseUsdc(meter.max)
  return {
    units: meter.maxUnits === undefined ? units : Math.min(units, meter.maxUnits),
    amount: amount < max ? amount : max,
  }
}

/** The units of a reply that cost the meter's maximum: charged when the units cannot be counted. */
export function unitsAtMax(meter: Meter): number {
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
