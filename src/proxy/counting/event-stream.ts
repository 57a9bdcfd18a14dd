import { maxHereBytes } from '../../platform/threads/fair-thread.ts'
import { StreamedEstimate } from './estimate.ts'
import { createEventFilter } from './event-filter.ts'
import type { Read } from './reading/readings.ts'
import { readEvent, type TokenCount, type TokenReader, tokensOfBytes } from './reading/tokens.ts'
import { mergeUsage, type ReportedUsage } from './reported-usage.ts'

/**
 * Reads the tokens of an event stream as it passes. A large event passes at once and is read in a thread: only
 * small events report nothing but usage, so none of them has to be kept from the caller.
 */
export function readEventStream(isUsageHidden: boolean, read: Read): TokenReader {
  const estimate = new StreamedEstimate()
  const running = new Set<Promise<void>>()
  let reported: ReportedUsage | undefined
  /** Of the large events. */
  let estimated = 0
  let waitingBytes = 0

  const add = (count: TokenCount) => {
    reported = mergeUsage(reported, count.reported)
    estimated += count.estimated
  }

  function addLarge(data: string): void {
    const bytes = new TextEncoder().encode(data)
    const byLength: TokenCount = { reported: undefined, estimated: tokensOfBytes(bytes.length) }
    const isRead = waitingBytes + bytes.length <= maxWaitingBytes
    const count = isRead ? read('event', { bytes }) : byLength
    if (!(count instanceof Promise)) {
      add(count)
      return
    }
    waitingBytes += bytes.length
    const counted = count.then((known) => {
      waitingBytes -= bytes.length
      running.delete(counted)
      add(known ?? byLength)
    })
    running.add(counted)
  }

  const filter = createEventFilter((data) => {
    if (data.length > maxHereBytes) {
      addLarge(data)
      return true
    }
    const event = readEvent(data)
    reported = mergeUsage(reported, event.reported)
    estimate.add(event.text)
    return !(isUsageHidden && event.isUsageOnly)
  }, isUsageHidden)
  const count = (): TokenCount => ({ reported, estimated: estimated + estimate.total() })
  return { ...filter, count: () => (running.size === 0 ? count() : Promise.all(running).then(count)) }
}

/** Of the events of one reply that wait for the thread. */
const maxWaitingBytes = 10_000_000
