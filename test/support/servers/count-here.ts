import type { Usage } from '../../../src/core/catalog/metering.ts'
import type { Meter } from '../../../src/core/catalog/prices.ts'
import type { CountedRequest, Counting, ReplyHead } from '../../../src/proxy/counting/contract.ts'
import { createCounting } from '../../../src/proxy/counting/counting.ts'
import { readHere } from '../../../src/proxy/counting/reading/reader.ts'

/** Counts as the gateway does, and reads all bodies at once, so that nothing has to be waited for. */
export function countHere(meter: Meter, request: CountedRequest, now?: () => number) {
  const counting: Counting = atOnce(createCounting(meter, request, readHere, now))
  return {
    ...counting,
    countReply(head: ReplyHead) {
      const reply = counting.countReply(head)
      return { ...reply, usage: (bytes: number) => used(atOnce(reply.usage(bytes))) }
    },
  }
}

function atOnce<Value>(value: Value | Promise<Value>): Value {
  if (value instanceof Promise) throw new Error('a body was not read at once')
  return value
}

/** A reply that failed has no usage. */
function used(usage: Usage | undefined): Usage {
  if (!usage) throw new Error('the reply failed')
  return usage
}
