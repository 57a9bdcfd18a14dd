import type { Meter, MeterUnit } from '../../core/catalog/prices.ts'
import { countBytes } from './bytes.ts'
import type { CountedRequest, Counting, ReplyCounting } from './contract.ts'
import { countReplyItems } from './items.ts'
import { countSeconds } from './seconds.ts'
import { countTokens } from './tokens.ts'

/** @param now milliseconds of a clock that never goes back. */
export function createCounting(
  meter: Meter,
  request: CountedRequest,
  now: () => number = () => performance.now(),
): Counting {
  const counting = units[meter.per](meter, request, now)
  return {
    ...counting,
    countReply: (head) => (head.status >= 400 ? uncounted : counting.countReply(head)),
  }
}

const units: Record<MeterUnit, (meter: Meter, request: CountedRequest, now: () => number) => Counting> = {
  bytes: (_meter, request) => countBytes(request),
  seconds: (_meter, request, now) => countSeconds(request, now),
  items: (meter, request) => countReplyItems(meter, request),
  tokens: (_meter, request) => countTokens(request),
}

/** A failed call is not charged. */
const uncounted: ReplyCounting = {
  push: (chunk) => chunk,
  end: () => new Uint8Array(),
  usage: () => ({ input: 0, output: 0, isEstimate: false }),
}
