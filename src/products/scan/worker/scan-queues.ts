import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import pLimit from 'p-limit'
import { z } from 'zod'
import type { Jobs } from '../../../platform/store/jobs/jobs.ts'
import type { Queue } from '../../../platform/store/jobs/queue.ts'
import { findUnqueued, markQueued, type NewScan, takeStale } from '../scans/accepted-scans.ts'
import { reportQueueName, scanQueueName } from '../scans/forget-scans.ts'
import type { ScanRecord } from '../scans/scan-rows.ts'
import type { Scans } from '../scans/scans.ts'
import type { Depth } from '../site/capture.ts'

const scanId = z.object({ id: z.uuid() })
/** The units that the call of the scan took, for the worker that finds its site unreachable. */
const scanWork = scanId.extend({
  units: z
    .array(z.object({ subject: z.string(), operation: z.string(), period: z.string(), units: z.int() }))
    .default([]),
})
type ReportWork = z.infer<typeof scanId>
export type ScanWork = z.infer<typeof scanWork>

/** The time of a job in addition to fetching: waiting for a thread, judging, and writing. */
const restSeconds = 600
const maxSwept = 100
/** Longer than an attempt may take together with the pause before the next one. */
const staleMs = 1_200_000

/** The queue of scans and the queue of reports. Everything else that a job needs is in the row of its scan. */
export class ScanQueues {
  readonly scanQueue: Queue<ScanWork>
  readonly reportQueue: Queue<ReportWork>
  readonly #scans: Scans
  readonly #jobs: Jobs
  readonly #limitsMs: Readonly<Record<Depth, number>>
  /** The embedded store blocks this thread, so other calls run between two jobs that are sent. */
  readonly #oneAtATime = pLimit(1)

  constructor({
    scans,
    jobs,
    limitsMs,
    retryDelaySeconds,
  }: {
    readonly scans: Scans
    readonly jobs: Jobs
    /** For fetching, in one attempt. */
    readonly limitsMs: Readonly<Record<Depth, number>>
    readonly retryDelaySeconds: number
  }) {
    this.#scans = scans
    this.#jobs = jobs
    this.#limitsMs = limitsMs
    this.scanQueue = {
      name: scanQueueName,
      schema: scanWork,
      // The key is the domain, so no site is fetched by two scans at a time.
      isKeyed: true,
      attempts: 3,
      retryDelaySeconds,
      limitSeconds: this.#limitSeconds('full'),
    }
    this.reportQueue = {
      name: reportQueueName,
      schema: scanId,
      isKeyed: false,
      // Enough for a mail server that is down for an hour or two.
      attempts: 8,
      retryDelaySeconds: retryDelaySeconds * 6,
      limitSeconds: 120,
    }
  }

  /** Queues an accepted scan, and records that it is queued. */
  async queueScan(scan: QueuedScan): Promise<void> {
    await this.#send(scan, scan.id)
    await markQueued(this.#scans, scan.id)
  }

  /** Queues the report of an ended scan, if its caller named an e-mail address. */
  async queueReport({ id, email }: Pick<ScanRecord, 'id' | 'email'>): Promise<void> {
    if (email !== null) await this.#jobs.send(this.reportQueue, { id }, { id })
  }

  /** Queues scans whose job was never sent, or that have not moved for so long that their job must be lost. */
  async sweep(): Promise<void> {
    for (const scan of await findUnqueued(this.#scans, maxSwept)) await this.queueScan(scan)
    // If the first job still exists somewhere, the second one finds the scan at its end and does nothing.
    for (const scan of await takeStale(this.#scans, staleMs)) await this.#send(scan, randomUUID())
  }

  async #send({ id, domain, depth, priority, units = [] }: QueuedScan, jobId: string): Promise<void> {
    const limitSeconds = this.#limitSeconds(depth)
    await this.#oneAtATime(async () => {
      await this.#jobs.send(
        this.scanQueue,
        { id, units: [...units] },
        { id: jobId, key: domain, priority, limitSeconds },
      )
      await setImmediate()
    })
  }

  #limitSeconds(depth: Depth): number {
    return Math.ceil(this.#limitsMs[depth] / 1_000) + restSeconds
  }
}

type QueuedScan = Pick<ScanRecord, 'id' | 'domain' | 'depth' | 'priority'> & {
  readonly units?: NewScan['units'] | undefined
}
