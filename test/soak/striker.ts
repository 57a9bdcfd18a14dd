import type { Replica } from '../support/gateways/replica.ts'

/** Kills gateways, and starts them again as a supervisor does. */
export interface Striker {
  readonly kills: number
  /** Strikes at one gateway come one after the other. */
  strike(replica: Replica): void
  /** Rejects when a gateway could not be killed, having died by itself, or could not be started. */
  readonly failed: Promise<never>
  /** Resolves when all are up again. */
  end(): Promise<void>
}

/** A start may meet the very trouble that is made here; a supervisor tries again. */
const startsTried = 5

export function createStriker(): Striker {
  const queues = new Map<Replica, Promise<void>>()
  const failed = Promise.withResolvers<never>()
  // Whoever races against it hears of it; when nobody does any more, nobody has to.
  failed.promise.catch(() => {})
  let kills = 0

  async function killAndStart(replica: Replica): Promise<void> {
    await replica.kill()
    kills += 1
    for (let tries = 1; ; tries += 1) {
      try {
        return await replica.start()
      } catch (error) {
        if (tries === startsTried) throw error
      }
    }
  }

  return {
    get kills() {
      return kills
    },
    strike(replica) {
      const before = queues.get(replica) ?? Promise.resolve()
      queues.set(replica, before.then(() => killAndStart(replica)).catch(failed.reject))
    },
    failed: failed.promise,
    async end() {
      await Promise.all(queues.values())
    },
  }
}
