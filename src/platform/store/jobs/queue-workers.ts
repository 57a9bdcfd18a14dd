import type { JobWithMetadata, PgBoss, WorkOptions } from 'pg-boss'

/**
 * Milliseconds after a failed job is due. The second poll is for a store that was too busy to record the
 * failure in time.
 */
const wakeMarginsMs = [50, 2_000]

/**
 * The workers that this process has for one queue. A worker sleeps until it is woken or polls. Waking all of
 * them would cost as many queries as there are workers, so only one is woken. No work is missed: a worker
 * that finds work wakes the next one before it begins, and every worker polls again when it is done.
 */
export class QueueWorkers {
  readonly #boss: PgBoss
  readonly #queue: string
  readonly #workers: Worker[] = []
  readonly #timers = new Set<NodeJS.Timeout>()

  constructor(boss: PgBoss, queue: string) {
    this.#boss = boss
    this.#queue = queue
  }

  async add(
    polling: Pick<WorkOptions, 'pollingIntervalSeconds' | 'heartbeatRefreshSeconds'>,
    run: (job: JobWithMetadata<unknown>) => Promise<void>,
  ): Promise<void> {
    const worker: Worker = { id: undefined, isBusy: false }
    this.#workers.push(worker)
    worker.id = await this.#boss.work(this.#queue, { ...polling, includeMetadata: true }, async ([job]) => {
      worker.isBusy = true
      // There may be more work, of which only this worker was notified.
      this.wakeOne()
      try {
        if (job) await run(job)
      } finally {
        worker.isBusy = false
        // Work that was sent while this worker was busy notifies no worker any more.
        if (worker.id !== undefined) this.#boss.notifyWorker(worker.id)
      }
    })
  }

  /** Lets one idle worker look for work. A worker that is looking already looks once more. */
  wakeOne(): void {
    const idle = this.#workers.find(({ isBusy, id }) => !isBusy && id !== undefined)
    if (idle?.id !== undefined) this.#boss.notifyWorker(idle.id)
  }

  /** Looks for work when a failed job is due again, because no notification announces it. */
  wakeLater(delaySeconds: number): void {
    for (const marginMs of wakeMarginsMs) {
      const wake = () => {
        this.#timers.delete(timer)
        this.wakeOne()
      }
      const timer = setTimeout(wake, delaySeconds * 1_000 + marginMs).unref()
      this.#timers.add(timer)
    }
  }

  /** Stops looking for work and waits until the work that runs has ended. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer)
    await this.#boss.offWork(this.#queue, { wait: true })
  }
}

interface Worker {
  /** As pg-boss knows it; undefined while the worker starts, when it looks for work by itself. */
  id: string | undefined
  isBusy: boolean
}
