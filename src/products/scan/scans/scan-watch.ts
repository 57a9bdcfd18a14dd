import { sql } from 'kysely'
import type { Queries } from '../../../platform/store/database.ts'

/** Tells the followers of scans in this process when to read new events. */
export interface ScanWatch {
  join(id: string): Follower
  /**
   * Wakes the followers of a scan that this process has moved, so that they need not wait for the next poll.
   */
  wake(id: string): void
}

export interface Follower {
  /** Resolves when the scan may have events beyond `afterSeq`, or has ended, or the signal is aborted. */
  changed(afterSeq: number, signal: AbortSignal): Promise<void>
  leave(): void
}

/**
 * Polls the store for what other processes have done: one statement for all followers in this process, and
 * only while one of them waits.
 */
export class PollingWatch implements ScanWatch {
  readonly #queries: Queries
  readonly #pollMs: number
  readonly #followers = new Set<PollingFollower>()
  #timer: NodeJS.Timeout | undefined

  constructor(queries: Queries, pollMs = 500) {
    this.#queries = queries
    this.#pollMs = pollMs
  }

  join(id: string): Follower {
    const follower = new PollingFollower(id, {
      onWait: () => this.#pollLater(),
      onLeave: () => this.#followers.delete(follower),
    })
    this.#followers.add(follower)
    return follower
  }

  wake(id: string): void {
    for (const follower of this.#followers) if (follower.id === id) follower.wake()
  }

  #pollLater(): void {
    this.#timer ??= setTimeout(async () => {
      await this.#poll()
      this.#timer = undefined
      if (this.#waiting().length > 0) this.#pollLater()
    }, this.#pollMs).unref()
  }

  async #poll(): Promise<void> {
    const followers = this.#waiting()
    if (followers.length === 0) return
    try {
      const states = await readStates(this.#queries, [...new Set(followers.map(({ id }) => id))])
      const byId = new Map(states.map((state) => [state.id, state]))
      for (const follower of followers) {
        const state = byId.get(follower.id)
        if (!state || state.isOver || follower.isBehind(state.events)) follower.resume()
      }
    } catch (error) {
      // Their streams break, and the clients connect again and read what they missed.
      for (const follower of followers) follower.resume(error)
    }
  }

  #waiting(): PollingFollower[] {
    return [...this.#followers].filter(({ isWaiting }) => isWaiting)
  }
}

class PollingFollower implements Follower {
  readonly id: string
  readonly #hooks: { readonly onWait: () => void; readonly onLeave: () => void }
  /** The scan moved since the last wait began. */
  #isWoken = false
  #wait: { readonly afterSeq: number; readonly end: PromiseWithResolvers<void> } | undefined

  constructor(id: string, hooks: { readonly onWait: () => void; readonly onLeave: () => void }) {
    this.id = id
    this.#hooks = hooks
  }

  get isWaiting(): boolean {
    return this.#wait !== undefined
  }

  isBehind(seq: number): boolean {
    return this.#wait !== undefined && this.#wait.afterSeq < seq
  }

  async changed(afterSeq: number, signal: AbortSignal): Promise<void> {
    const wasWoken = this.#isWoken
    this.#isWoken = false
    if (wasWoken || signal.aborted) return
    const end = Promise.withResolvers<void>()
    const stop = () => end.resolve()
    signal.addEventListener('abort', stop, { once: true })
    this.#wait = { afterSeq, end }
    this.#hooks.onWait()
    try {
      await end.promise
    } finally {
      this.#wait = undefined
      this.#isWoken = false
      signal.removeEventListener('abort', stop)
    }
  }

  wake(): void {
    this.#isWoken = true
    this.resume()
  }

  /** Ends the wait, with an error if one is given. */
  resume(error?: unknown): void {
    if (error === undefined) this.#wait?.end.resolve()
    else this.#wait?.end.reject(error)
  }

  leave(): void {
    this.#hooks.onLeave()
  }
}

interface ScanState {
  readonly id: string
  /** The number of the last event. */
  readonly events: number
  readonly isOver: boolean
}

export async function readStates(queries: Queries, ids: readonly string[]): Promise<ScanState[]> {
  return await queries
    .selectFrom('scans')
    .select(['id', 'events'])
    .select(sql<boolean>`status in ('complete', 'error')`.as('isOver'))
    .where('id', 'in', ids)
    .execute()
}
