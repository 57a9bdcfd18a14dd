import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/**
 * Asks the gateway for `/health` every few milliseconds, whether or not earlier answers have come, and a bare server
 * beside it at the same moments. Both are asked by one thread that does nothing else, so what slows both down is the
 * machine or the thread, and what slows only the gateway's answers down is the gateway.
 */
export interface Prober {
  begin(): {
    /** Stops asking, and resolves when all answers have come. */
    stop(): Promise<Probes>
  }
  close(): Promise<void>
}

export interface Probes {
  readonly gateway: Felt
  /** The same of the bare server. */
  readonly peer: Felt
  /** The longest time for which the prober's own event loop stood still, in milliseconds. */
  readonly lagMs: number
}

/** Times in milliseconds. */
export interface Felt {
  readonly probes: number
  readonly p50: number
  readonly p99: number
  readonly max: number
  /** Probes without an answer of 200. */
  readonly failed: number
}

export interface ProbeTargets {
  readonly gateway: string
  readonly peer: string
}

export async function openProber(targets: ProbeTargets): Promise<Prober> {
  const thread = new Worker(new URL('./probe-thread.ts', import.meta.url), { workerData: targets })
  const broken = once(thread, 'error').then(([error]) => {
    throw error
  })
  broken.catch(() => undefined)
  await once(thread, 'online')
  return {
    begin() {
      const answered = once(thread, 'message')
      thread.postMessage('begin')
      return {
        async stop() {
          thread.postMessage('stop')
          const [probes]: [Probes] = await Promise.race([answered, broken]).then(([one]) => [one])
          return probes
        },
      }
    },
    async close() {
      await thread.terminate()
    },
  }
}
