import pLimit, { type LimitFunction } from 'p-limit'

/** Limits how many tasks run at once for one key: the requests to one host, say. */
export interface SlotsByKey {
  /**
   * Runs the task when its key has a free slot, in the order of the calls. The signal ends the wait and not a
   * task that runs.
   *
   * @throws the signal's reason when it was aborted during the wait; the error of the task
   */
  run<Result>(key: string, signal: AbortSignal, task: () => Promise<Result>): Promise<Result>
  /** Whether a task of this key would have to wait now. */
  isFull(key: string): boolean
}

export function createSlotsByKey(maxPerKey: number): SlotsByKey {
  const keys = new Map<string, { limit: LimitFunction; users: number }>()

  return {
    isFull: (key) => (keys.get(key)?.users ?? 0) >= maxPerKey,

    async run(key, signal, task) {
      signal.throwIfAborted()
      const slots = keys.get(key) ?? { limit: pLimit(maxPerKey), users: 0 }
      keys.set(key, slots)
      slots.users += 1
      const { promise: givenUp, reject } = Promise.withResolvers<never>()
      const giveUp = () => reject(signal.reason)
      signal.addEventListener('abort', giveUp)
      try {
        const running = slots.limit(() => {
          signal.removeEventListener('abort', giveUp)
          signal.throwIfAborted()
          return task()
        })
        return await Promise.race([running, givenUp])
      } finally {
        signal.removeEventListener('abort', giveUp)
        slots.users -= 1
        // There are thousands of hosts and payers, so an idle key must not keep memory.
        if (slots.users === 0) keys.delete(key)
      }
    },
  }
}
