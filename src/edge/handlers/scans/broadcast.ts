import { setImmediate as nextTurn } from 'node:timers/promises'
import { isVisible } from '../../../products/scan/scans/find-scans.ts'
import type { ScanEvent } from '../../../products/scan/scans/scan-events.ts'
import type { Scan } from '../../../products/scan/scans/scan-rows.ts'
import { renderEvent } from './event-stream.ts'
import { type Followed, Follower } from './follower.ts'

/** The events of a scan, from the first one on, as they come. */
type ReadEvents = (scanId: string, signal: AbortSignal) => AsyncIterable<ScanEvent>

type FollowedScan = Pick<Scan, 'id' | 'owner'>

/**
 * Sends the events of scans to all callers of this process that follow them. The events of a scan are read from
 * the store once and rendered once, however many callers follow it.
 *
 * A thousand callers may follow one scan. To write an event to all of them in one go would keep every other caller
 * waiting, so the writes are done in slices, with a turn of the event loop between two slices.
 */
export class Broadcasts {
  readonly #readEvents: ReadEvents
  /** By the id of the scan. */
  readonly #running = new Map<string, Broadcast>()
  /** Those whose followers may have something to get. */
  readonly #due = new Set<Broadcast>()
  #isFilling = false

  constructor(readEvents: ReadEvents) {
    this.#readEvents = readEvents
  }

  /**
   * The scan of this id, if callers follow it now and this caller may join them: a thousand callers that arrive
   * together ask the store once. An event that has not come here yet may have come at another gateway, so then the store has to
   * be asked.
   * @param after the number of the last event that the caller has.
   * @param viewer the subject of the caller's key.
   */
  joinable(scanId: string, after: number, viewer: string | undefined): FollowedScan | undefined {
    const running = this.#running.get(scanId)
    if (!running || after > (running.events.at(-1)?.seq ?? 0)) return undefined
    const { scan } = running
    return isVisible(scan, viewer) ? scan : undefined
  }

  /**
   * Follows a scan that has not ended.
   * @param after the number of the last event that the follower has; it gets those beyond.
   * @param signal ends the stream.
   */
  follow(scan: FollowedScan, after: number, signal: AbortSignal): Follower {
    const running = this.#running.get(scan.id) ?? this.#begin(scan)
    return new Follower(running, after, signal)
  }

  #begin(scan: FollowedScan): Broadcast {
    const scanId = scan.id
    const broadcast = new Broadcast(scan, {
      onChange: () => this.#fillLater(broadcast),
      onEnd: () => {
        // Followers that have not read everything keep theirs; callers that come now get a new one.
        if (this.#running.get(scanId) === broadcast) this.#running.delete(scanId)
      },
    })
    this.#running.set(scanId, broadcast)
    void broadcast.run(scanId, this.#readEvents)
    return broadcast
  }

  #fillLater(broadcast: Broadcast): void {
    this.#due.add(broadcast)
    if (!this.#isFilling) void this.#fillDue()
  }

  /** Of all broadcasts together: many scans with a few followers each cost as much as one with many. */
  async #fillDue(): Promise<void> {
    this.#isFilling = true
    let filled = 0
    // What becomes due while this runs is visited, too, also a second time.
    for (const broadcast of this.#due) {
      this.#due.delete(broadcast)
      for (const follower of broadcast.followers) {
        if (filled % followersPerTurn === 0) await nextTurn()
        filled += 1
        follower.fill()
      }
    }
    this.#isFilling = false
  }
}

/** One of them takes about 50 µs, so a slice takes less than 2 ms. */
const followersPerTurn = 32

/** Many proxies close a connection on which nothing was sent for 60 seconds, some after 30. */
const heartbeatMs = 15_000

interface Hooks {
  /** Followers may have something to get. */
  readonly onChange: () => void
  /** No follower may join any more. */
  readonly onEnd: () => void
}

/** One scan, followed by at least one caller. */
class Broadcast implements Followed {
  /** A scan has a few dozen at most, so all of them are kept while it is followed. */
  readonly events: Followed['events'][number][] = []
  readonly followers = new Set<Follower>()
  beats = 0
  end: Followed['end']
  readonly scan: FollowedScan
  readonly #hooks: Hooks
  readonly #abandoned = new AbortController()
  readonly #heartbeat: NodeJS.Timeout

  constructor(scan: FollowedScan, hooks: Hooks) {
    this.scan = scan
    this.#hooks = hooks
    this.#heartbeat = setInterval(() => {
      this.beats += 1
      hooks.onChange()
    }, heartbeatMs).unref()
  }

  /** Reads the events of the scan until the last one, or until no caller follows it. Never rejects. */
  async run(scanId: string, readEvents: ReadEvents): Promise<void> {
    let failure: Error | undefined
    try {
      for await (const event of readEvents(scanId, this.#abandoned.signal)) {
        this.events.push({ seq: event.seq, bytes: renderEvent(scanId, event) })
        this.#hooks.onChange()
      }
    } catch (error) {
      // The streams break, and their callers connect again and get what they missed.
      failure = error instanceof Error ? error : new Error('the events of a scan could not be read')
    }
    this.end = { failure }
    this.#hooks.onEnd()
    this.#hooks.onChange()
  }

  join(follower: Follower): void {
    this.followers.add(follower)
  }

  leave(follower: Follower): void {
    this.followers.delete(follower)
    if (this.followers.size > 0) return
    clearInterval(this.#heartbeat)
    this.#hooks.onEnd()
    this.#abandoned.abort()
  }
}
