import type { Jobs } from '../../../platform/store/jobs/jobs.ts'
import { type Created, createScan, type NewScan } from '../scans/accepted-scans.ts'
import { loadScan } from '../scans/find-scans.ts'
import type { Scan } from '../scans/scan-rows.ts'
import { fail } from '../scans/scans.ts'
import type { Depth } from '../site/capture.ts'
import { runScan, type ScanRunParts } from './run-scan.ts'
import { ScanQueues } from './scan-queues.ts'

export interface ScanWorkerParts extends Omit<ScanRunParts, 'limitsMs' | 'queueReport'> {
  readonly jobs: Jobs
  /**
   * Sends the report of a scan that has ended and has an e-mail address. It is called again when it throws.
   */
  readonly sendReport: (scan: Scan) => Promise<void>
  /** How many scans run here at a time. */
  readonly concurrency: number
  /** For one attempt at fetching; waiting and judging do not count. */
  readonly limitsMs?: Readonly<Record<Depth, number>>
  readonly retryDelaySeconds?: number
}

/**
 * With the limits of the analysis pool, a scan that waits for no other ends within 30 seconds, 2 or 5 minutes on a machine
 * that has a processor for it.
 */
const fetchLimitsMs: Readonly<Record<Depth, number>> = { light: 25_000, basic: 105_000, full: 275_000 }
/** The gateway answers its first callers before it opens the queues. */
const startAfterMs = 1_500
const startAgainMs = 10_000
const sweepEveryMs = 60_000

/**
 * Carries scans from acceptance to the letter that reports them. The row of a scan is written first and its
 * job is sent after that. A sweep finds rows whose job was never sent or got lost, so no accepted scan is
 * lost. A scan that has begun ends with a result or with an error that says what to do.
 */
export class ScanWorker {
  readonly #parts: ScanWorkerParts
  readonly #limitsMs: Readonly<Record<Depth, number>>
  readonly #queues: ScanQueues
  #starting: Promise<void> | undefined
  #startTimer: NodeJS.Timeout | undefined
  #sweeping: Promise<void> | undefined
  #sweepTimer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(parts: ScanWorkerParts) {
    const { scans, jobs, limitsMs = fetchLimitsMs, retryDelaySeconds = 5 } = parts
    this.#parts = parts
    this.#limitsMs = limitsMs
    this.#queues = new ScanQueues({ scans, jobs, limitsMs, retryDelaySeconds })
  }

  /** Starts after a moment, or when the first scan is submitted. */
  startLater(delayMs = startAfterMs): void {
    if (this.#isClosed) return
    clearTimeout(this.#startTimer)
    this.#startTimer = setTimeout(() => void this.start(), delayMs).unref()
  }

  /**
   * Runs scans from now on: those that wait, those whose worker died, and new ones. A start that fails is
   * logged and repeated later; accepted scans wait in the store until then.
   */
  async start(): Promise<void> {
    if (this.#isClosed) return
    clearTimeout(this.#startTimer)
    this.#starting ??= this.#open().catch((error: unknown) => {
      this.#parts.log.error({ err: error }, 'this gateway cannot run scans yet; it will try again')
      this.#starting = undefined
      this.startLater(startAgainMs)
    })
    await this.#starting
  }

  /** @returns `conflict` when the idempotency key belongs to a scan of something else. */
  async submit(scan: NewScan): Promise<Created | 'conflict'> {
    void this.start()
    const created = await createScan(this.#parts.scans, scan)
    if (created === 'conflict' || !created.isNew) return created
    const { depth, priority, units } = scan
    try {
      await this.#queues.queueScan({
        id: created.id,
        domain: scan.domain.toLowerCase(),
        depth,
        priority,
        units,
      })
    } catch (error) {
      this.#parts.log.warn(
        { err: error, scan: created.id },
        'a scan could not be queued; the sweep will do it',
      )
    }
    return created
  }

  /** Sends no more jobs. `Jobs.close` ends those that run. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#startTimer)
    await this.#starting
    clearInterval(this.#sweepTimer)
    await this.#sweeping
  }

  async #open(): Promise<void> {
    const { jobs, scans, concurrency, sendReport } = this.#parts
    const { scanQueue, reportQueue } = this.#queues
    const run: ScanRunParts = {
      ...this.#parts,
      limitsMs: this.#limitsMs,
      queueReport: (scan) => this.#queues.queueReport(scan),
    }
    await jobs.work(scanQueue, { concurrency, giveUp: ({ id }) => this.#giveUp(id) }, ({ work, signal }) =>
      runScan(run, work, signal),
    )
    await jobs.work(reportQueue, { concurrency: 1, giveUp: async () => {} }, async ({ work }) => {
      const scan = await loadScan(scans, work.id)
      if (scan) await sendReport(scan)
    })
    if (this.#isClosed) return
    this.#sweep()
    this.#sweepTimer = setInterval(() => this.#sweep(), sweepEveryMs).unref()
  }

  #sweep(): void {
    this.#sweeping ??= this.#queues
      .sweep()
      .catch((error: unknown) => {
        const message = 'accepted scans could not be queued; the next sweep will try again'
        this.#parts.log.warn({ err: error }, message)
      })
      .finally(() => {
        this.#sweeping = undefined
      })
  }

  /** Ends a scan whose last attempt failed by a fault of ours. */
  async #giveUp(id: string): Promise<void> {
    const { scans } = this.#parts
    const message =
      'The scan could not be finished because of a fault of this service, not of the site. Start it again; if it fails once more, report its id to the operator.'
    await fail(scans, id, 'any', 'SCAN_FAILED', message)
    const scan = await loadScan(scans, id)
    if (scan) await this.#queues.queueReport(scan)
  }
}
