import { once } from 'node:events'
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { createRandom } from '../../random.ts'
import { findCase } from '../cases/cases.ts'
import { watchLag } from '../probe/lag.ts'
import { lowPriority } from '../probe/priority.ts'
import type { Order, Told } from './attacker.ts'
import { Tally } from './tally.ts'

/**
 * The thread of `attacker.ts`: prepares one case, attacks when it is told to, and says what it sent and got. On Linux a
 * priority is a thread's own. A real attacker has a machine of its own, so this one leaves the CPU to the gateway.
 */
setPriority(lowPriority)

const tell = (told: Told) => parentPort?.postMessage(told)

async function play({ name, seed, turn, ...place }: Order): Promise<void> {
  const tally = new Tally()
  const random = createRandom(`${seed} ${name}`)
  const addressOf = (n: number) => `127.${10 + (turn % 240)}.${Math.floor(n / 250) % 250}.${1 + (n % 250)}`
  const attack = await findCase(name).prepare({ ...place, addressOf, random, tally })
  const begin = parentPort && once(parentPort, 'message')
  tell({ kind: 'prepared' })
  await begin
  const lag = watchLag()
  const faults = await attack()
  tell({ kind: 'done', figures: tally.figures(), faults, lagMs: lag.stop() })
}

const order: Order = workerData
play(order).catch((error: unknown) => {
  tell({ kind: 'failed', why: error instanceof Error ? (error.stack ?? error.message) : String(error) })
})
