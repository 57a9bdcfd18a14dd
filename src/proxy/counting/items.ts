import { type Usage, unitsAtMax } from '../../core/catalog/metering.ts'
import type { Meter } from '../../core/catalog/prices.ts'
import { BoundedBuffer } from './bounded-buffer.ts'
import type { CountedRequest, Counting, ReplyCounting, ReplyHead } from './contract.ts'
import { encodingOf } from './decode-reply.ts'
import { maxItemsBytes } from './reading/items.ts'
import type { Read, ReadingResults } from './reading/readings.ts'

/**
 * Counts the values that a JSONPath selects in a reply's JSON.
 *
 * A reply that is not JSON costs the meter's maximum: otherwise a caller who can ask for another format would
 * pay nothing. So does one that takes too long to read. A reply that was cut costs the items that came,
 * including the incomplete one. A reply that is too large to read is counted up to the limit, and the rest in
 * proportion.
 */
export function countReplyItems(meter: Meter, { body }: CountedRequest, read: Read): Counting {
  return {
    body,
    acceptEncoding: 'identity',
    countSent: () => {},
    countReply: (head) => countReply(meter, head, read),
  }
}

function countReply(meter: Meter, head: ReplyHead, read: Read): ReplyCounting {
  const encoding = encodingOf(head)
  const buffer = new BoundedBuffer(maxItemsBytes)
  let hasEnded = false
  return {
    push(chunk) {
      buffer.push(chunk)
      return chunk
    },
    end() {
      hasEnded = true
      return new Uint8Array()
    },
    usage(deliveredBytes) {
      if (deliveredBytes === 0) return { input: 0, output: 0, isEstimate: false }
      const bytes = buffer.bytes().subarray(0, deliveredBytes)
      const isWhole = hasEnded && bytes.length === buffer.totalBytes()
      const share = Math.max(1, Math.min(deliveredBytes, buffer.totalBytes()) / bytes.length)
      const path = meter.items ?? ''
      const counted = read('items', { bytes, encoding, path, isWhole })
      return counted instanceof Promise
        ? counted.then((items) => usageOf(meter, items, share))
        : usageOf(meter, counted, share)
    },
  }
}

/** @param share how many times the bytes that were kept the delivered ones are. */
function usageOf(meter: Meter, counted: ReadingResults['items'], share: number): Usage {
  if (counted === undefined) return { input: 0, output: unitsAtMax(meter), isEstimate: true }
  const { items, isWhole } = counted
  return { input: 0, output: Math.ceil(items * share), isEstimate: !isWhole }
}
