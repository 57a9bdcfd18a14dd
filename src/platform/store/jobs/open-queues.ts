import type { PGlite } from '@electric-sql/pglite'
import type { Db, PgBoss } from 'pg-boss'
import { z } from 'zod'
import type { Log } from '../../../core/log.ts'
import type { Engine } from '../database.ts'
import { embeddedStore, isStoreDown, postgres } from '../store-outage.ts'

export interface Pace {
  /** How often each worker asks PostgreSQL for work that no notification announced. */
  readonly pollSeconds: number
  /** How often pg-boss looks for work whose process died. */
  readonly superviseSeconds: number
  /** How long aborted work may take to end. */
  readonly graceMs: number
}

/**
 * For chores that are not needed: queues never change after they are created, and no job depends on another.
 */
const neverSeconds = 86_400

export interface Opened {
  readonly boss: PgBoss
  /** Creates a queue that is not in the store yet. */
  declare(queue: { readonly name: string; readonly isKeyed: boolean }): Promise<void>
}

/**
 * Starts pg-boss on the store, PostgreSQL or embedded. Its default chores at short intervals would cost more
 * than all the work of a gateway that scans little, and on the embedded store each statement delays paying
 * calls.
 */
export async function openQueues(engine: Engine, log: Log, pace: Pace): Promise<Opened> {
  // Loaded here and not at the start of the gateway, because it takes as long as a small start.
  const { PgBoss } = await import('pg-boss')
  const boss = new PgBoss({
    ...(engine.kind === 'embedded'
      ? { db: embeddedDatabase(engine.client), backend: 'pglite', reindex: false }
      : {
          connectionString: engine.url,
          application_name: 'tollgate-jobs',
          max: 3,
          connectionTimeoutMillis: 5_000,
          options: '-c statement_timeout=30000 -c idle_in_transaction_session_timeout=30000',
        }),
    useListenNotify: engine.kind === 'postgres',
    schedule: false,
    monitorVacuum: false,
    superviseIntervalSeconds: engine.kind === 'postgres' ? pace.superviseSeconds : 3_600,
    monitorIntervalSeconds: engine.kind === 'postgres' ? pace.superviseSeconds : 3_600,
    maintenanceIntervalSeconds: 3_600,
    queueCacheIntervalSeconds: neverSeconds,
    flowIntervalSeconds: neverSeconds,
    bamIntervalSeconds: 3_600,
  })
  boss.on('error', (reported) => {
    const error = toError(reported)
    // It has connections of its own, and each of its workers reports each attempt to ask for work.
    if (isStoreDown(error)) log.outages.failed(engine.kind === 'postgres' ? postgres : embeddedStore, error)
    log.warn({ err: error }, 'the queue of background work reported an error of the store')
  })
  boss.on('warning', ({ message }) =>
    log.warn({ about: message }, 'the queue of background work gave a warning'),
  )
  await boss.start()
  if (engine.kind === 'embedded') await takeBackAll(boss)

  const queues = await boss.getQueues()
  const making = new Map(queues.map(({ name }) => [name, Promise.resolve()]))
  return {
    boss,
    async declare({ name, isKeyed }) {
      // The embedded store has no listener, so notifications would wake no worker.
      const notify = engine.kind === 'postgres'
      const made = making.get(name) ?? boss.createQueue(name, { ...policyOf(isKeyed), notify })
      making.set(name, made)
      await made.catch((error) => {
        making.delete(name)
        throw error
      })
    },
  }
}

const policyOf = (isKeyed: boolean) => (isKeyed ? { policy: 'key_strict_fifo' } : {})

/**
 * pg-boss also emits plain objects as errors: copies of errors with the name of the queue behind the message. The code
 * and the stack of the error are kept, because the code says whether PostgreSQL is down.
 */
function toError(reported: unknown): Error {
  if (reported instanceof Error) return reported
  const { message, code, stack } = copiedError.parse(reported)
  const error = new Error(message)
  if (stack !== undefined) error.stack = stack
  return code === undefined ? error : Object.assign(error, { code })
}

const copiedError = z.object({
  message: z.string().catch('no message'),
  code: z.string().optional().catch(undefined),
  stack: z.string().optional().catch(undefined),
})

/**
 * Lets pg-boss use our only connection. Its own adapter would leave that connection in an aborted transaction
 * after a block of statements fails, until the rollback runs. A paid call that waits in between would fail.
 */
function embeddedDatabase(client: PGlite): Db {
  return {
    async executeSql(text, values) {
      if (values?.length) return await client.query(text, values)
      const isBlock = /^\s*begin\b/i.test(text)
      const results = isBlock
        ? await client.transaction((transaction) => transaction.exec(text))
        : await client.exec(text)
      return { rows: results.flatMap(({ rows }) => rows) }
    },
  }
}

/**
 * Jobs that run in the embedded store at its start were left by a process that died. That counts as an
 * attempt.
 */
async function takeBackAll(boss: PgBoss): Promise<void> {
  await boss.getDb().executeSql(`
    update pgboss.job set state = 'retry', start_after = now(), heartbeat_on = null where state = 'active'`)
}
