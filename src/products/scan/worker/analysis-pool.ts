import { Piscina } from 'piscina'
import type { Log } from '../../../core/log.ts'
import type { Read, Readings, ReadingTask } from '../crawl/readings.ts'
import { ScanFailure } from '../findings/scan-failure.ts'
import type { Capture, Depth } from '../site/capture.ts'
import type { AnalysisResult, AnalysisTask } from './analysis-thread.ts'
import type { Analyzed } from './analyze.ts'
import { judgingTurns, readingTurns } from './turns.ts'

interface PoolSettings {
  /** From the moment a scan has its thread. */
  readonly analysisMs: Readonly<Record<Depth, number>>
  readonly readingMs: number
  /** The program that the threads run. */
  readonly program: URL
}

const defaults: PoolSettings = {
  // The largest saved site takes about 2 s in test/module/scan/golden.test.ts, on two busy cores.
  analysisMs: { light: 5_000, basic: 10_000, full: 20_000 },
  // Several times what a page of the maximum kept size takes; no measurement was kept.
  readingMs: 5_000,
  program: new URL('analysis-thread.ts', import.meta.url),
}
/** One judges full scans, one judges all others, and one reads: `turns.ts` admits no more work at a time. */
const threads = 3
const maxHeapMb = 256
/** Linux gives such a thread a third of the processor share of the gateway's own; other systems ignore it. */
const niceness = 5
/** An idle thread is kept this long for the next scan. */
const idleMs = 20_000

/**
 * Reads and judges fetched pages in separate threads. Pages take seconds to parse, and a hostile one may take
 * forever or fill all memory. A thread has limits and is ended when it exceeds them, so the gateway goes on
 * answering calls.
 */
export class AnalysisPool {
  readonly #pool: Piscina
  readonly #settings: PoolSettings
  readonly #judging = judgingTurns()
  readonly #reading = readingTurns()
  /**
   * Why the last thread died that had no task, or could not start. Such a death fails no task; without a
   * listener it would end the process.
   */
  #lastDeath: { readonly cause: unknown } | undefined

  constructor(log: Log, settings: Partial<PoolSettings> = {}) {
    this.#settings = { ...defaults, ...settings }
    this.#pool = new Piscina({
      filename: this.#settings.program.href,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: idleMs,
      // Otherwise idle threads keep a processor from sleeping.
      atomics: 'disabled',
      niceIncrement: niceness,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    })
    this.#pool.on('error', (cause: unknown) => {
      this.#lastDeath = { cause }
      log.error({ err: cause }, 'a thread that reads websites has died')
    })
  }

  /**
   * Judges a capture. Waiting for a thread does not count against the limit.
   * @param signal ends the thread at work.
   * @throws ScanFailure when the site cannot be judged within the limits, or nothing of it could be measured.
   */
  async analyze(capture: Capture, now: number, signal: AbortSignal): Promise<Analyzed> {
    return await this.#judging[capture.depth](async () => {
      const task: AnalysisTask = { capture, now }
      const limitMs = this.#settings.analysisMs[capture.depth]
      const result = await this.#within<AnalysisResult>(limitMs, signal, (ended) =>
        this.#pool.run(task, { signal: ended }),
      )
      if (result.kind === 'failed') throw new ScanFailure(result.code, result.message)
      return result.analyzed
    })
  }

  /**
   * @returns a reader for scans of the depth. It does not wait for analyses, so a scan that is fetching goes
   * on. It throws as `analyze` does.
   */
  reader(depth: Depth): Read {
    return <Name extends keyof Readings>(
      name: Name,
      sources: Readings[Name]['sources'],
      signal: AbortSignal,
    ) => {
      const task: ReadingTask<Name> = { name, sources }
      return this.#reading[depth](() =>
        this.#within<Readings[Name]['result']>(this.#settings.readingMs, signal, (ended) =>
          this.#pool.run(task, { name: 'reading', signal: ended }),
        ),
      )
    }
  }

  async close(): Promise<void> {
    await this.#pool.destroy()
  }

  async #within<Result>(
    limitMs: number,
    signal: AbortSignal,
    work: (ended: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    signal.throwIfAborted()
    const deathBefore = this.#lastDeath
    const late = AbortSignal.timeout(limitMs)
    try {
      return await work(AbortSignal.any([signal, late]))
    } catch (cause) {
      signal.throwIfAborted()
      if (!late.aborted && !isOutOfMemory(cause)) throw cause
      // The task may have waited all this time for the thread that died. That is not a fault of the site.
      if (late.aborted && this.#lastDeath !== deathBefore)
        throw new Error('no thread took the work up', this.#lastDeath)
      throw tooComplex(cause)
    }
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

function tooComplex(cause: unknown): ScanFailure {
  return new ScanFailure(
    'SITE_TOO_COMPLEX',
    'The pages of this site take more time or memory to read than a scan may use. Make the largest of them smaller, or scan a single page with scanType light.',
    { cause },
  )
}
