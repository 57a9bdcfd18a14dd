import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { FarEndPlace } from '../case.ts'

/** The servers behind the gateway, in a thread of their own: what a hostile upstream does costs the probes nothing. */
export interface FarEnd extends FarEndPlace {
  close(): Promise<void>
}

export async function startFarEnd(): Promise<FarEnd> {
  const thread = new Worker(new URL('./far-end-thread.ts', import.meta.url))
  const [place]: [FarEndPlace] = await Promise.race([
    once(thread, 'message').then(([told]) => [told] as [FarEndPlace]),
    once(thread, 'error').then(([error]) => Promise.reject(error)),
  ])
  return {
    ...place,
    async close() {
      await thread.terminate()
    },
  }
}
