import type { PGlite } from '@electric-sql/pglite'
import type { Db, PgBoss } from 'pg-boss'
import type { Log } from '../../../core/log.ts'
import type { Engine } from '../database.ts'

/**
 * pg-boss on our store, either of them. What it does by default at short intervals costs more than all the
 * work of a gateway that scans little, and on the embedded store each statement holds up the sales.
 */

export interface Pace {
  /** How often each worker asks PostgreSQL for work of which no notification tells. */
  readonly pollSeconds: number
  /** How often work is looked for whose process died. */
  readonly superviseSeconds: number
  /** How long work that is aborted may take to come to an end. */
  readonly graceMs: number
}

/** Queues do not change once they are made, and no work here depends on other work. */
const neverSeconds = 86_400

/** The queues of a store, opened. */
export interface Opened {
  readonly boss: PgBoss
  /** Makes a queue that is not in the store yet. */
  declare(queue: { readonly name: string; readonly isKeyed: boolean }): Promise<void>
}

export async function openQueues(engine: Engine, log: Log, pace: Pace): Promise<Opened> {
  // Loading takes as long as a small start, so nobody waits for it either.
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
  boss.on('error', (error) => log.warn({ err: toError(error) }, 'background work met a fault in the store'))
  boss.on('warning', ({ message }) => log.warn({ about: message }, 'a warning about background work'))
  await boss.start()
  if (engine.kind === 'embedded') await takeBackAll(boss)

  const queues = await boss.getQueues()
  const making = new Map(queues.map(({ name }) => [name, Promise.resolve()]))
  return {
    boss,
    async declare({ name, isKeyed }) {
      // Without a listener, as in the embedded store, notifications that a queue makes wake nobody.
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

/** pg-boss tells of errors as plain objects, too. */
function toError(error: Error): Error {
  return error instanceof Error ? error : new Error(String(Object(error).message ?? error))
}

/**
 * pg-boss on our only connection. Its own adapter would leave that connection in an aborted transaction
 * when a block of statements fails, until its rollback has its turn, and a sale that waits in between
 * would be refused.
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

/** Whatever runs in the embedded store at its start was left by a process that died; that counts as an attempt. */
async function takeBackAll(boss: PgBoss): Promise<void> {
  await boss.getDb().executeSql(`
    update pgboss.job set state = 'retry', start_after = now(), heartbeat_on = null where state = 'active'`)
}
