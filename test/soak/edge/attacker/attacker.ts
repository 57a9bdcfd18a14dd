import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Ground } from '../case.ts'
import type { AttackerFigures } from './tally.ts'

/**
 * The thread that attacks. Each case has a new one: it has an event loop of its own, so it delays neither the probes nor
 * the clock, and with its end all its connections end.
 */
export interface Attacker {
  /** Resolves when the attack is over. */
  attack(): Promise<Attempt>
  close(): Promise<void>
}

export interface Attempt {
  readonly figures: AttackerFigures
  readonly faults: readonly string[]
  /** The longest time for which its own event loop stood still, in milliseconds. */
  readonly lagMs: number
}

/** What the thread is started with. */
export interface Order extends Omit<Ground, 'addressOf' | 'random' | 'tally'> {
  /** The name of the case. */
  readonly name: string
  readonly seed: string
  /** The number of the case in this run. */
  readonly turn: number
}

export type Told =
  | { readonly kind: 'prepared' }
  | ({ readonly kind: 'done' } & Attempt)
  | { readonly kind: 'failed'; readonly why: string }

/** Resolves when the attack is prepared. @throws Error when it cannot be. */
export async function openAttacker(order: Order): Promise<Attacker> {
  const thread = new Worker(new URL('./attacker-thread.ts', import.meta.url), { workerData: order })
  const prepared = Promise.withResolvers<void>()
  const done = Promise.withResolvers<Attempt>()
  const fail = (error: Error) => {
    prepared.reject(error)
    done.reject(error)
  }
  // The attack may fail while nothing waits for it.
  done.promise.catch(() => undefined)
  thread.on('error', fail)
  thread.on('message', (told: Told) => {
    switch (told.kind) {
      case 'prepared':
        return prepared.resolve()
      case 'done':
        return done.resolve(told)
      case 'failed':
        return fail(new Error(`${order.name}: ${told.why}`))
    }
  })
  await once(thread, 'online')
  try {
    await prepared.promise
  } catch (error) {
    await thread.terminate()
    throw error
  }
  return {
    attack() {
      thread.postMessage('attack')
      return done.promise
    },
    async close() {
      await thread.terminate()
    },
  }
}
