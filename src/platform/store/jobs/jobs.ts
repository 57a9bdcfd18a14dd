import { setTimeout as sleep } from 'node:timers/promises'
import type { JobWithMetadata, PgBoss } from 'pg-boss'
import type { z } from 'zod'
import type { Log } from '../../../core/log.ts'
import type { Database } from '../database.ts'
import { type Opened, openQueues, type Pace } from './queues.ts'

/**
 * Work that goes on after its caller has been answered. What was sent is in the store: it survives the
 * death of the process that does it, is tried again when it fails, and is done by one process at a time.
 * All of pg-boss is here and in `job-queues`, so that nobody else has to know its tables or its words.
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

/** The least pg-boss allows: so long nobody takes up the work of a process that died. */
const heartbeatSeconds = 10
const day = 86_400
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
 * The queues are opened by the first who works or sends: that makes tables in a new store, and nobody should
 * wait for them who sells something else.
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
    opening ??= openQueues(engine, log, pace).catch((error) => {
      // The next one who needs the queues tries anew.
      opening = undefined
      throw error
    })
    return opening
  }
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
