import pLimit, { type LimitFunction } from 'p-limit'

/**
 * Limits the concurrent requests to one host, over all scans and deliveries. Without it one large scan, or
 * many scans of one website at once, would overload that website.
 */
interface HostSlots {
  /**
   * Runs the task when the host has a free slot, in the order of the calls. The signal ends the wait and not
   * a task that runs.
   *
   * @throws the signal's reason when it was aborted during the wait; the error of the task
   */
  run<Result>(host: string, signal: AbortSignal, task: () => Promise<Result>): Promise<Result>
}

export function createHostSlots(maxPerHost: number): HostSlots {
  const hosts = new Map<string, { limit: LimitFunction; users: number }>()

  return {
    async run(host, signal, task) {
      signal.throwIfAborted()
      const slots = hosts.get(host) ?? { limit: pLimit(maxPerHost), users: 0 }
      hosts.set(host, slots)
      slots.users += 1
      const waiting = new AbortController()
      try {
        return await new Promise((resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { signal: waiting.signal })
          slots
            .limit(() => {
              waiting.abort()
              signal.throwIfAborted()
              return task()
            })
            .then(resolve, reject)
        })
      } finally {
        waiting.abort()
        slots.users -= 1
        // Scans visit thousands of hosts, so an idle host must not keep memory.
        if (slots.users === 0) hosts.delete(host)
      }
    },
  }
}
