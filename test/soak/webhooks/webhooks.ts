import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLog } from '../../../src/core/log.ts'
import { type Database, openEmbedded, openPostgres } from '../../../src/platform/store/database.ts'
import { cacheDir, temporaryFolder } from '../../support/chain/chain.ts'
import { happened, subscribed } from '../../support/webhooks/hooks.ts'
import { startPostgres } from '../postgres.ts'
import { startCountingReceiver } from './receiver.ts'

export interface WebhooksReport {
  readonly store: Store
  readonly deliveries: number
  readonly kills: number
  /** Deliveries that came more than once: their outcome was not recorded before a kill. */
  readonly again: number
  /** From the start of the first process to the last delivery, with the restarts. */
  readonly seconds: number
  readonly perSecond: number
  readonly violations: readonly string[]
}

export type Store = 'postgres' | 'embedded'

/** Without progress for so long, deliveries count as lost. */
const patienceMs = 90_000

/**
 * Writes events for one receiver into a store, and has a process send them that is killed and started again. Then
 * every event must have come, signed.
 */
export async function runWebhooks(store: Store, deliveries: number, kills: number): Promise<WebhooksReport> {
  const opened = await (store === 'postgres' ? openServer() : openFolder())
  const receiver = await startCountingReceiver()
  try {
    const events = await prepare(await opened.open(), receiver.url, deliveries)
    const startedAt = performance.now()
    const start = () => startSender(opened.address, receiver.target, kills > 0 ? 2_000 : 60_000)
    for (let kill = 1; kill <= kills; kill += 1) {
      const doomed = start()
      await reach(receiver.seen, Math.floor((deliveries * kill) / (kills + 1)))
      await end(doomed)
    }
    const last = start()
    const isWhole = await reach(receiver.seen, deliveries)
    const seconds = (performance.now() - startedAt) / 1_000
    await end(last)
    const lost = events.filter((id) => !receiver.seen.has(id))
    const total = [...receiver.seen.values()].reduce((sum, count) => sum + count, 0)
    return {
      ...{ store, deliveries, kills },
      again: total - receiver.seen.size,
      seconds: Math.round(seconds * 10) / 10,
      perSecond: Math.round(deliveries / seconds),
      violations: [
        ...lost.map((id) => `event ${id} never came`),
        ...receiver.faults,
        ...(isWhole ? [] : [`no delivery came for ${patienceMs / 1_000} s`]),
      ],
    }
  } finally {
    await receiver.close()
    await opened.remove()
  }
}

interface OpenedStore {
  readonly address: string
  open(): Promise<Database>
  remove(): Promise<void>
}

async function openServer(): Promise<OpenedStore> {
  const postgres = await startPostgres()
  const address = await postgres.createDatabase('webhooks')
  return { address, open: () => openPostgres(address, createLog('silent')), remove: postgres.stop }
}

async function openFolder(): Promise<OpenedStore> {
  const { folder, remove } = await temporaryFolder()
  return { address: folder, open: () => openEmbedded(folder, cacheDir), remove }
}

/** @returns the ids of the events. */
async function prepare(database: Database, url: string, count: number): Promise<string[]> {
  const clock = { now: () => Date.now() }
  await subscribed({ queries: database.queries, clock }, { url })
  const ids = await database.queries.transaction().execute(async (queries) => {
    const made: string[] = []
    while (made.length < count) made.push(await happened({ queries, clock }))
    return made
  })
  await database.close()
  return ids
}

function startSender(store: string, target: string, leaseMs: number): ChildProcess {
  const program = new URL('../../support/webhooks/worker-killed.ts', import.meta.url).pathname
  const args = ['--liftoff-only', program, store, target, String(leaseMs), cacheDir]
  return spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
}

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** @returns false when the number stopped growing before. */
async function reach(seen: ReadonlyMap<string, number>, count: number): Promise<boolean> {
  let last = seen.size
  let movedAt = performance.now()
  while (seen.size < count) {
    await sleep(5)
    if (seen.size > last) movedAt = performance.now()
    last = seen.size
    if (performance.now() - movedAt > patienceMs) return false
  }
  return true
}
