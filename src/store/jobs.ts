import { setTimeout as sleep } from 'node:timers/promises'
import type { PGlite } from '@electric-sql/pglite'
import type { Db, JobWithMetadata, PgBoss } from 'pg-boss'
import type { z } from 'zod'
import type { Log } from '../core/log.ts'
import type { Database, Engine } from './database.ts'

/**
 * Work that goes on after its caller has been answered. What was sent is in the store: it survives the
 * death of the process that does it, is tried again when it fails, and is done by one process at a time.
 * All of pg-boss is here, so that nobody else has to know its tables or its words.
 */
export interface Jobs {
  /**
   * Does the work of a queue in this process, `atOnce` pieces at a time.
   * @param giveUp is told of work that has been tried as often as it may be, also when it was its
   * process that died each time. Should it throw, it is told again.
   */
  work<Work extends object>(
    queue: Queue<Work>,
    options: { readonly atOnce: number; readonly giveUp: (work: Work) => Promise<void> },
    run: (job: Job<Work>) => Promise<void>,
  ): Promise<void>
  /** Nothing happens when work with the same id has been sent to the queue within the last day. */
  send<Work extends object>(queue: Queue<Work>, work: Work, options?: SendOptions): Promise<void>
  /**
   * Takes up no more work and aborts what runs. What does not end within seconds is given back: another
   * process does it, or this one when it starts again.
   */
  close(): Promise<void>
}

/** A kind of work. */
export interface Queue<Work extends object> {
  readonly name: string
  /** What was sent may have been written by another version. */
  readonly schema: z.ZodType<Work>
  /** Work with the same key is done one after the other, in the order in which it was sent. Each has one then. */
  readonly isKeyed: boolean
  /** How often it is tried in all. */
  readonly attempts: number
  /** Between the first two attempts; doubles with each further one, up to an hour. 0: all at once. */
  readonly retryDelaySeconds: number
  /** For one attempt. */
  readonly limitSeconds: number
}

export interface Job<Work> {
  readonly work: Work
  /** From 1 on. What was given back when a gateway closed does not count. */
  readonly attempt: number
  /** Aborted at the time limit, and when the gateway closes. */
  readonly signal: AbortSignal
}

interface SendOptions {
  /** UUID. */
  readonly id?: string
  readonly key?: string
  /** The higher, the earlier. */
  readonly priority?: number
  /** Instead of the queue's. */
  readonly limitSeconds?: number
}

export interface Pace {
  /** How often each worker asks PostgreSQL for work of which no notification tells. */
  readonly pollSeconds: number
  /** How often work is looked for whose process died. */
  readonly superviseSeconds: number
  /** How long work that is aborted may take to come to an end. */
  readonly graceMs: number
}

/** The least pg-boss allows: so long nobody takes up the work of a process that died. */
const heartbeatSeconds = 10
const day = 86_400
const never = day
/** pg-boss must not end a job by itself: with a key, an ended one would block all that come after it. */
const unlimited = 1_000
const longestRetryDelaySeconds = 3_600
/** Behind our own time limit, so that pg-boss's never ends work that is being ended here. */
const limitMarginSeconds = 10
/** Only for what nobody told of, which should not happen: in the embedded store all work is sent from here. */
const embeddedPollSeconds = 60
/** After what failed is due. The second is for a store that was too busy to note the failure at once. */
const wakeMarginsMs = [50, 2_000]

/**
 * Begins to open the queues and returns at once: the first start makes tables, and nobody should wait for
 * them who sells something else. What is asked of the queues meanwhile waits until they are open.
 */
export function openJobs(
  { engine }: Pick<Database, 'engine'>,
  log: Log,
  pace: Pace = { pollSeconds: 10, superviseSeconds: 10, graceMs: 3_000 },
): Jobs {
  const closing = new AbortController()
  const timers = new Set<NodeJS.Timeout>()
  const working = new Map<string, Worker[]>()
  let opening: Promise<Opened> | undefined

  function open(): Promise<Opened> {
    opening ??= start(engine, log, pace).catch((error) => {
      // The next one who needs the queues tries anew.
      opening = undefined
      throw error
    })
    return opening
  }
  open().catch((error) => log.error({ err: error }, 'the queues of background work cannot be opened'))

  /**
   * One that has nothing to do looks for work. To wake all of them would cost as many queries as there are
   * workers. Nothing is left lying: a worker that finds work wakes the next one before it begins, one that
   * is woken while it looks looks once more, and all look again when they are done.
   */
  function wakeOne(boss: PgBoss, queue: string): void {
    const idle = working.get(queue)?.find(({ isBusy, id }) => !isBusy && id !== undefined)
    if (idle?.id !== undefined) boss.notifyWorker(idle.id)
  }

  /** Looks for work when what has just failed is due again, which nobody tells. */
  function wakeLater(boss: PgBoss, queue: string, delaySeconds: number): void {
    for (const marginMs of wakeMarginsMs) {
      const timer = setTimeout(
        () => {
          timers.delete(timer)
          wakeOne(boss, queue)
        },
        delaySeconds * 1_000 + marginMs,
      )
      timers.add(timer.unref())
    }
  }

  return {
    async work(queue, { atOnce, giveUp }, run) {
      const { boss, declare } = await open()
      await declare(queue)
      const workers = working.get(queue.name) ?? []
      working.set(queue.name, workers)

      async function carryOut(job: JobWithMetadata<unknown>): Promise<void> {
        if (closing.signal.aborted) return await giveBack(boss, job)
        const attempt = job.retryCount + 1
        const parsed = queue.schema.safeParse(job.data)
        if (!parsed.success) {
          log.error(
            { err: parsed.error, queue: queue.name, job: job.id },
            'work cannot be read and is dropped',
          )
          return
        }
        const work = parsed.data
        if (attempt > queue.attempts) return await giveUp(work)
        const limit = AbortSignal.timeout((job.expireInSeconds - limitMarginSeconds) * 1_000)
        const signal = AbortSignal.any([closing.signal, limit])
        try {
          await endedBy(signal, pace.graceMs, run({ work, attempt, signal }))
        } catch (error) {
          if (closing.signal.aborted) return await giveBack(boss, job)
          if (attempt < queue.attempts) {
            log.warn(
              { err: error, queue: queue.name, job: job.id, attempt },
              'work failed and is tried again',
            )
            wakeLater(
              boss,
              queue.name,
              Math.min(queue.retryDelaySeconds * 2 ** attempt, longestRetryDelaySeconds),
            )
            throw error
          }
          log.error({ err: error, queue: queue.name, job: job.id, attempt }, 'work failed and is given up')
          await giveUp(work)
        }
      }

      for (let count = 0; count < atOnce; count += 1) {
        const worker: Worker = { id: undefined, isBusy: false }
        workers.push(worker)
        worker.id = await boss.work(
          queue.name,
          {
            includeMetadata: true,
            ...(engine.kind === 'embedded'
              ? { pollingIntervalSeconds: embeddedPollSeconds }
              : {
                  // Only for a server that does not pass on notifications.
                  pollingIntervalSeconds: Math.min(2, pace.pollSeconds),
                  notifyPollingIntervalSeconds: pace.pollSeconds,
                }),
            heartbeatRefreshSeconds: heartbeatSeconds / 3,
          },
          async ([job]) => {
            worker.isBusy = true
            // Where there was work there may be more, of which a worker was told that has begun meanwhile.
            wakeOne(boss, queue.name)
            try {
              if (job) await carryOut(job)
            } finally {
              worker.isBusy = false
              // A worker sleeps until it is told of new work; what waited meanwhile is not new any more.
              if (worker.id !== undefined) boss.notifyWorker(worker.id)
            }
          },
        )
      }
    },

    async send(queue, work, { id, key, priority = 0, limitSeconds = queue.limitSeconds } = {}) {
      const { boss, declare } = await open()
      await declare(queue)
      await boss.send(queue.name, work, {
        ...(id === undefined ? {} : { id }),
        ...(key === undefined ? {} : { singletonKey: key }),
        priority,
        expireInSeconds: limitSeconds + limitMarginSeconds,
        retryLimit: unlimited,
        retryDelay: queue.retryDelaySeconds,
        ...(queue.retryDelaySeconds > 0
          ? { retryBackoff: true, retryDelayMax: longestRetryDelaySeconds }
          : {}),
        retentionSeconds: 30 * day,
        deleteAfterSeconds: day,
        // One process alone works in the embedded store: what it had begun when it died is known at its start.
        ...(engine.kind === 'postgres' ? { heartbeatSeconds } : {}),
      })
      // PostgreSQL tells the workers itself, those of other processes too.
      if (engine.kind === 'embedded') wakeOne(boss, queue.name)
    },

    async close() {
      closing.abort(new Error('the gateway closes'))
      for (const timer of timers) clearTimeout(timer)
      const opened = await opening?.catch(() => {
        // Said when it failed; what was never open need not be closed.
      })
      if (!opened) return
      const { boss } = opened
      await Promise.all([...working.keys()].map((queue) => boss.offWork(queue, { wait: true })))
      await boss.stop({ graceful: false })
    },
  }
}

interface Worker {
  /** As pg-boss knows it; undefined while it starts, when it looks for work by itself. */
  id: string | undefined
  isBusy: boolean
}

interface Opened {
  readonly boss: PgBoss
  /** Makes a queue that is not in the store yet. */
  declare(queue: Pick<Queue<object>, 'name' | 'isKeyed'>): Promise<void>
}

async function start(engine: Engine, log: Log, pace: Pace): Promise<Opened> {
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
    // Queues do not change once they are made, and no work here depends on other work.
    queueCacheIntervalSeconds: never,
    flowIntervalSeconds: never,
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

/** As if this attempt had never been. Its completion, which pg-boss tries next, finds nothing to complete. */
async function giveBack(boss: PgBoss, { name, id }: JobWithMetadata<unknown>): Promise<void> {
  await boss.getDb().executeSql(
    `update pgboss.job set state = 'created', start_after = now(), started_on = null, heartbeat_on = null
      where name = $1 and id = $2::uuid and state = 'active'`,
    [name, id],
  )
}

/** What becomes of the work; once it is aborted, that is decided within seconds, whether it listens or not. */
async function endedBy(signal: AbortSignal, graceMs: number, work: Promise<void>): Promise<void> {
  const settled = new AbortController()
  const late = Promise.withResolvers<never>()
  const giveUpSoon = async () => {
    await sleep(graceMs, undefined, { signal: settled.signal }).catch(() => {
      // The work came to an end in time.
    })
    late.reject(signal.reason)
  }
  late.promise.catch(() => {
    // Told by the race, unless the work was faster.
  })
  if (signal.aborted) void giveUpSoon()
  else signal.addEventListener('abort', giveUpSoon, { once: true })
  try {
    await Promise.race([work, late.promise])
  } finally {
    signal.removeEventListener('abort', giveUpSoon)
    settled.abort()
  }
}
