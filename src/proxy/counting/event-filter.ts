import { createParser } from 'eventsource-parser'
import { keepBytes } from './bounded-buffer.ts'

/**
 * Reads the events of a stream as it goes by, and takes some of them out. Where nothing is to be taken out, every
 * byte is passed on the moment it comes; otherwise an event is passed on when it is complete, since only then it
 * is known. Whatever is passed on has the very bytes it came with, however it was split on its way.
 *
 * The end of an event is found here, in bytes; what it says is read by the library. An event that is too large is
 * passed on unread.
 */
export interface EventFilter {
  /** @returns what is passed on now. */
  push(chunk: Uint8Array): Uint8Array
  /** The stream has ended, perhaps within an event. @returns what was held back. */
  end(): Uint8Array
}

const maxEventBytes = 1_000_000
const lf = 10
const cr = 13

/** @param read gets the data of each event, and says whether it is passed on. */
export function createEventFilter(read: (data: string) => boolean, isHolding: boolean): EventFilter {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let data: string | undefined
  const parser = createParser({
    onEvent: (event) => {
      data = event.data
    },
  })
  /** The beginning of the event that is under way, when chunks before this one had it. */
  const held = keepBytes(maxEventBytes)
  let isTooLarge = false
  let isLineEmpty = true
  let isAfterCr = false
  let wasPassed = true

  /** A view: it is joined to something, and so copied, before anything else is kept. */
  function takeHeld(): Uint8Array {
    const taken = held.bytes()
    held.clear()
    return taken
  }

  function isPassed(event: Uint8Array, ending = ''): boolean {
    data = undefined
    parser.feed(decoder.decode(event) + ending)
    return data === undefined || read(data)
  }

  /** @param last what this chunk has of an event that is complete with it. @returns what is passed on of the event. */
  function conclude(last: Uint8Array): Uint8Array {
    const event = joined([takeHeld(), last])
    wasPassed = isTooLarge || event.length > maxEventBytes || isPassed(event)
    isTooLarge = false
    return wasPassed ? event : nothing
  }

  /** @returns what is passed on of an event that goes on. */
  function hold(part: Uint8Array): Uint8Array {
    if (isTooLarge) return part
    if (held.length() + part.length <= maxEventBytes) {
      held.push(part)
      return nothing
    }
    isTooLarge = true
    return joined([takeHeld(), part])
  }

  function push(chunk: Uint8Array): Uint8Array {
    const passed: Uint8Array[] = []
    let start = 0
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at]
      if (isAfterCr && byte === lf) {
        isAfterCr = false
        // The other half of a line end that has completed an event already.
        if (at === 0 && held.length() === 0 && !isTooLarge) {
          if (wasPassed) passed.push(chunk.subarray(0, 1))
          start = 1
        }
        continue
      }
      isAfterCr = byte === cr
      if (byte !== lf && byte !== cr) {
        isLineEmpty = false
        continue
      }
      if (!isLineEmpty) {
        isLineEmpty = true
        continue
      }
      if (isAfterCr && chunk[at + 1] === lf) {
        isAfterCr = false
        at += 1
      }
      passed.push(conclude(chunk.subarray(start, at + 1)))
      start = at + 1
    }
    if (start < chunk.length) passed.push(hold(chunk.subarray(start)))
    return isHolding ? joined(passed) : chunk
  }

  function end(): Uint8Array {
    const rest = takeHeld()
    // Readers differ in whether they take an event that nothing has completed, so it is treated as one.
    const isKept = rest.length === 0 || isPassed(rest, '\n\n')
    return isHolding && isKept ? rest : nothing
  }

  return { push, end }
}

const nothing = new Uint8Array()

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [first = nothing, ...more] = parts.filter(({ length }) => length > 0)
  return more.length === 0 ? first : Buffer.concat([first, ...more])
}
