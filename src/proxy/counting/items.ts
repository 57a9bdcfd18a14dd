import type { JSONValue } from 'json-p3'
import { countItems } from '../../core/catalog/items-path.ts'
import { unitsForMost } from '../../core/catalog/metering.ts'
import type { Meter } from '../../core/catalog/prices.ts'
import { keepBytes } from './bounded-buffer.ts'
import { closeJson } from './close-json.ts'
import type { CountedRequest, Counting, ReplyCounting, ReplyHead } from './contract.ts'
import { decode, encodingOf } from './decode-reply.ts'

/**
 * The values that a JSONPath selects in a reply's JSON. What cannot be counted, because it is no JSON, costs the
 * meter's maximum: a caller who can ask for another form would otherwise have everything for nothing. Of a reply
 * that was cut the items that came count, the one it was cut in among them; one that is too large to be read is
 * counted as far as it is, and the rest in proportion.
 */
export function countReplyItems(meter: Meter, { body }: CountedRequest): Counting {
  return { body, acceptEncoding: 'identity', countSent: () => {}, countReply: (head) => begin(meter, head) }
}

function begin(meter: Meter, head: ReplyHead): ReplyCounting {
  const encoding = encodingOf(head)
  const kept = keepBytes(maxCounted)
  let hasEnded = false
  return {
    push(chunk) {
      kept.push(chunk)
      return chunk
    },
    end() {
      hasEnded = true
      return new Uint8Array()
    },
    usage(deliveredBytes) {
      if (deliveredBytes === 0) return { input: 0, output: 0, isEstimate: false }
      const read = kept.bytes().subarray(0, deliveredBytes)
      const isWhole = hasEnded && read.length === kept.length()
      const found = itemsIn(meter.items, decode(read, encoding), isWhole)
      if (found === undefined) return { input: 0, output: unitsForMost(meter), isEstimate: true }
      const share = Math.max(1, Math.min(deliveredBytes, kept.length()) / read.length)
      return { input: 0, output: Math.ceil(found * share), isEstimate: !isWhole }
    },
  }
}

/** A path that looks at everything takes most of a second for a megabyte, and nothing else is done meanwhile. */
const maxCounted = 2_000_000

/** @returns undefined when they cannot be counted. */
function itemsIn(
  path: string | undefined,
  bytes: Uint8Array | undefined,
  isWhole: boolean,
): number | undefined {
  if (path === undefined || bytes === undefined) return undefined
  const text = new TextDecoder().decode(bytes)
  try {
    const json: JSONValue = JSON.parse(isWhole ? text : closeJson(text))
    return countItems(path, json)
  } catch {
    // No JSON, or too deep for the path.
    return undefined
  }
}
