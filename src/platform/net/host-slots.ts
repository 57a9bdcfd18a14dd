import pLimit, { type LimitFunction } from 'p-limit'

/**
 * At most so many requests at once to one host, over all scans and deliveries. Without it a full scan, or many
 * scans of one website ordered together, would be an attack on that website carried out by us.
 */
interface HostSlots {
  /**
   * Runs the task when the host has a free slot; those who came first go first. An abort ends the waiting and
   * is thrown; a task that runs has to see to it by itself.
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
        // Scans visit thousands of hosts; a host that nobody asks for leaves nothing behind.
        if (slots.users === 0) hosts.delete(host)
      }
    },
  }
}
