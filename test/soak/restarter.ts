import type { Replica } from '../support/gateways/replica.ts'

/** Kills gateways and starts them again, as a supervisor does. */
export interface Restarter {
  readonly kills: number
  /** Kills and starts a gateway, after earlier restarts of the same one. */
  restart(replica: Replica): void
  /** Rejects when a gateway has exited by itself, or could not be started. */
  readonly failed: Promise<never>
  /** Resolves when all gateways are up again. */
  finish(): Promise<void>
}

/** A start may fail because of the injected faults; a supervisor tries again. */
const maxStarts = 5

export function createRestarter(): Restarter {
  const queues = new Map<Replica, Promise<void>>()
  const failed = Promise.withResolvers<never>()
  // A failure after the run has ended must not become an unhandled rejection.
  failed.promise.catch(() => {})
  let kills = 0

  async function killAndStart(replica: Replica): Promise<void> {
    await replica.kill()
    kills += 1
    for (let starts = 1; ; starts += 1) {
      try {
        return await replica.start()
      } catch (error) {
        if (starts === maxStarts) throw error
      }
    }
  }

  return {
    get kills() {
      return kills
    },
    restart(replica) {
      const before = queues.get(replica) ?? Promise.resolve()
      queues.set(replica, before.then(() => killAndStart(replica)).catch(failed.reject))
    },
    failed: failed.promise,
    async finish() {
      await Promise.all(queues.values())
    },
  }
}
