import type { Meter, MeterUnit } from '../../core/catalog/prices.ts'
import { countBytes } from './bytes.ts'
import type { CountedRequest, Counting, ReplyCounting } from './contract.ts'
import { countReplyItems } from './items.ts'
import type { Read } from './reading/readings.ts'
import { countSeconds } from './seconds.ts'
import { countTokens } from './tokens.ts'

/**
 * Counts one call.
 * @param read reads bodies for the count.
 * @param now milliseconds of a clock that never goes back.
 * @returns a promise while a large request is read in a thread.
 */
export function createCounting(
  meter: Meter,
  request: CountedRequest,
  read: Read,
  now: () => number = () => performance.now(),
): Counting | Promise<Counting> {
  const counting = units[meter.per](meter, request, read, now)
  return counting instanceof Promise ? counting.then(ofServed) : ofServed(counting)
}

function ofServed(counting: Counting): Counting {
  return {
    ...counting,
    countReply: (head) => (head.status >= 400 ? uncounted : counting.countReply(head)),
  }
}

type Count = (
  meter: Meter,
  request: CountedRequest,
  read: Read,
  now: () => number,
) => Counting | Promise<Counting>

const units: Record<MeterUnit, Count> = {
  bytes: (_meter, request) => countBytes(request),
  seconds: (_meter, request, _read, now) => countSeconds(request, now),
  items: countReplyItems,
  tokens: (_meter, request, read) => countTokens(request, read),
}

/** Nothing of a failed call counts. */
const uncounted: ReplyCounting = {
  push: (chunk) => chunk,
  end: () => new Uint8Array(),
  usage: () => undefined,
}
