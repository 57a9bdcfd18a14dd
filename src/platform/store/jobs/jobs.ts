import type { Log } from '../../../core/log.ts'
import type { Database } from '../database.ts'
import { attempt, giveBack } from './attempt.ts'
import { type Opened, openQueues, type Pace } from './open-queues.ts'
import type { Job, Queue } from './queue.ts'
import { QueueWorkers } from './queue-workers.ts'

/** The minimum of pg-boss: work of a process that died waits at least this long. */
const heartbeatSeconds = 10
const daySeconds = 86_400
/** pg-boss must not end a job by itself: an ended job with a key would block all later ones with that key. */
const maxRetries = 1_000
/** Longer than our own time limit, so that pg-boss never ends work that we are ending. */
const limitMarginSeconds = 10
const maxRetryDelaySeconds = 3_600
/**
 * Polls are only a safety net: this process sends all work of the embedded store and wakes its workers
 * itself.
 */
const embeddedPollSeconds = 60

/**
 * Runs work after its caller has been answered. The store keeps the work: it survives the death of the
 * process, is tried again when it fails, and runs in one process at a time. Only this folder knows pg-boss.
 *
 * The first call of `work` or `send` opens the queues. That creates tables in a new store, and a gateway that
 * never scans should not wait for them.
 */
export class Jobs {
  readonly #engine: Database['engine']
  readonly #log: Log
  readonly #pace: Pace
  readonly #closing = new AbortController()
  readonly #workers = new Map<string, QueueWorkers>()
  /** Work that the closing ended. */
  readonly #interrupted: { readonly name: string; readonly id: string }[] = []
  #opening: Promise<Opened> | undefined

  constructor(
    { engine }: Pick<Database, 'engine'>,
    log: Log,
    pace: Pace = { pollSeconds: 10, superviseSeconds: 10, graceMs: 3_000 },
  ) {
    this.#engine = engine
    this.#log = log
    this.#pace = pace
  }

  /** Runs the work of a queue in this process from now on. */
  async work<Work extends object>(
    queue: Queue<Work>,
    { concurrency, giveUp }: WorkOptions<Work>,
    run: (job: Job<Work>) => Promise<void>,
  ): Promise<void> {
    const { boss, declare } = await this.#open()
    await declare(queue)
    const workers = this.#workers.get(queue.name) ?? new QueueWorkers(boss, queue.name)
    this.#workers.set(queue.name, workers)
    for (let count = 0; count < concurrency; count += 1) {
      await workers.add(this.#polling(), (job) =>
        attempt(job, queue, run, {
          log: this.#log,
          giveUp,
          closing: this.#closing.signal,
          graceMs: this.#pace.graceMs,
          limitMs: (job.expireInSeconds - limitMarginSeconds) * 1_000,
          retryIn: (delaySeconds) => workers.wakeLater(Math.min(delaySeconds, maxRetryDelaySeconds)),
          interrupted: ({ name, id }) => this.#interrupted.push({ name, id }),
        }),
      )
    }
  }

  /** Does nothing when work with the same id was sent to the queue within the last day. */
  async send<Work extends object>(
    queue: Queue<Work>,
    work: Work,
    { id, key, priority = 0, limitSeconds = queue.limitSeconds }: SendOptions = {},
  ): Promise<void> {
    const { boss, declare } = await this.#open()
    await declare(queue)
    await boss.send(queue.name, work, {
      ...(id === undefined ? {} : { id }),
      ...(key === undefined ? {} : { singletonKey: key }),
      priority,
      expireInSeconds: limitSeconds + limitMarginSeconds,
      retryLimit: maxRetries,
      retryDelay: queue.retryDelaySeconds,
      ...(queue.retryDelaySeconds > 0 ? { retryBackoff: true, retryDelayMax: maxRetryDelaySeconds } : {}),
      retentionSeconds: 30 * daySeconds,
      deleteAfterSeconds: daySeconds,
      // Only one process works on the embedded store, so at its start it knows which work a dead one had
      // begun.
      ...(this.#engine.kind === 'postgres' ? { heartbeatSeconds } : {}),
    })
    // PostgreSQL notifies the workers of all processes by itself.
    if (this.#engine.kind === 'embedded') this.#workers.get(queue.name)?.wakeOne()
  }

  /**
   * Begins no more work and aborts what runs. Work that does not end within seconds is given back: another
   * process runs it, or this one after its next start.
   */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the gateway closes'))
    const opened = await this.#opening?.catch(() => {
      // The caller that opened the queues got this error; there is nothing to close.
    })
    if (!opened) return
    await Promise.all([...this.#workers.values()].map((workers) => workers.close()))
    await giveBack(opened.boss, this.#interrupted).catch((error: unknown) =>
      this.#log.warn({ err: error }, 'background work that was interrupted waits for its next attempt'),
    )
    await opened.boss.stop({ graceful: false })
  }

  #open(): Promise<Opened> {
    this.#opening ??= openQueues(this.#engine, this.#log, this.#pace).catch((error) => {
      // The next caller opens them anew.
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  #polling() {
    return {
      heartbeatRefreshSeconds: heartbeatSeconds / 3,
      ...(this.#engine.kind === 'embedded'
        ? { pollingIntervalSeconds: embeddedPollSeconds }
        : {
            // Only for a server that does not pass on notifications.
            pollingIntervalSeconds: Math.min(2, this.#pace.pollSeconds),
            notifyPollingIntervalSeconds: this.#pace.pollSeconds,
          }),
    }
  }
}

interface WorkOptions<Work> {
  /** How many pieces this process works on at a time. */
  readonly concurrency: number
  /**
   * Called after the last attempt has failed, also when the process died in each attempt. It is called again
   * when it throws.
   */
  readonly giveUp: (work: Work) => Promise<void>
}

interface SendOptions {
  /** UUID. */
  readonly id?: string
  readonly key?: string
  /** Higher runs earlier. */
  readonly priority?: number
  /** Instead of the queue's. */
  readonly limitSeconds?: number
}
