import { createParser } from 'eventsource-parser'
import { BoundedBuffer } from './bounded-buffer.ts'

/**
 * Reads the server-sent events of a stream as they pass, and can remove some.
 *
 * When nothing is to be removed, every byte passes immediately. Otherwise an event waits until it is
 * complete. Events pass with exactly the bytes they came with, wherever the stream was split. An event above
 * the limit passes unread.
 *
 * The end of an event is found here, in bytes, because the library reports texts and not where they stood;
 * the library parses the event.
 */
export interface EventFilter {
  /** @returns the bytes to pass on now. */
  push(chunk: Uint8Array): Uint8Array
  /**
   * Called at the end of the stream, which may cut an event.
   * @returns the bytes held back.
   */
  end(): Uint8Array
}

const maxEventBytes = 1_000_000
const lf = 10
const cr = 13

/**
 * @param read gets the data of each event and decides whether the event passes.
 * @param isHolding whether events may be removed.
 */
export function createEventFilter(read: (data: string) => boolean, isHolding: boolean): EventFilter {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let data: string | undefined
  const parser = createParser({
    onEvent: (event) => {
      data = event.data
    },
  })
  /** The beginning of the current event, from earlier chunks. */
  const held = new BoundedBuffer(maxEventBytes)
  let isTooLarge = false
  let isLineEmpty = true
  let isAfterCr = false
  let wasPassed = true

  /** A view: the caller joins it to other bytes, and so copies it, before anything else is held. */
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

  /**
   * @param last the part of the event that this chunk holds.
   * @returns the bytes to pass on of the complete event.
   */
  function finishEvent(last: Uint8Array): Uint8Array {
    const event = joined([takeHeld(), last])
    wasPassed = isTooLarge || event.length > maxEventBytes || isPassed(event)
    isTooLarge = false
    return wasPassed ? event : nothing
  }

  /** @returns the bytes to pass on of an event that continues in the next chunk. */
  function hold(part: Uint8Array): Uint8Array {
    if (isTooLarge) return part
    if (held.totalBytes() + part.length <= maxEventBytes) {
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
        // The CR in the chunk before has already ended this event; the LF goes the same way.
        if (at === 0 && held.totalBytes() === 0 && !isTooLarge) {
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
      if (at === start && held.totalBytes() === 0 && !isTooLarge) {
        // Blank lines between events: to take each for an event would hold others up when there are megabytes.
        while (chunk[at + 1] === lf || chunk[at + 1] === cr) at += 1
        isAfterCr = chunk[at] === cr
        wasPassed = true
        passed.push(chunk.subarray(start, at + 1))
        start = at + 1
        continue
      }
      if (isAfterCr && chunk[at + 1] === lf) {
        isAfterCr = false
        at += 1
      }
      passed.push(finishEvent(chunk.subarray(start, at + 1)))
      start = at + 1
    }
    if (start < chunk.length) passed.push(hold(chunk.subarray(start)))
    return isHolding ? joined(passed) : chunk
  }

  function end(): Uint8Array {
    const rest = takeHeld()
    // Some clients read an event that the stream cut, so it is treated as complete.
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
