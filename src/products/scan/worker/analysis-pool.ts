import type { Log } from '../../../core/log.ts'
import { LimitedThreads, TaskTooLarge } from '../../../platform/threads/limited-threads.ts'
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
  // Of processor time, see `LimitedThreads`. The slowest saved site, a hostile one, takes 0.7 s on an idle core. The first
  // scan of a thread also waits for the checks to load, a third of a second.
  analysisMs: { light: 20_000, basic: 25_000, full: 30_000 },
  // Several times what a page of the maximum kept size takes; no measurement was kept.
  readingMs: 20_000,
  program: new URL('analysis-thread.ts', import.meta.url),
}
/** One judges full scans, one judges all others, and one reads: `turns.ts` admits no more work at a time. */
const threads = 3
const maxHeapMb = 256
/** A thread with the checks takes 70 MB, and the next one is ready in a third of a second. */
const idleMs = 2_000

/**
 * Reads and judges fetched pages in separate threads. Pages take seconds to parse, and a hostile one may take
 * forever or fill all memory.
 */
export class AnalysisPool {
  readonly #threads: LimitedThreads
  readonly #settings: PoolSettings
  readonly #judging = judgingTurns()
  readonly #reading = readingTurns()

  constructor(log: Log, settings: Partial<PoolSettings> = {}) {
    this.#settings = { ...defaults, ...settings }
    const { program } = this.#settings
    this.#threads = new LimitedThreads({ program, threads, maxHeapMb, idleMs, work: 'reads websites' }, log)
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
      const result = await simpleEnough(this.#threads.run<AnalysisResult>(task, { limitMs, signal }))
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
        simpleEnough(
          this.#threads.run<Readings[Name]['result']>(task, {
            name: 'reading',
            limitMs: this.#settings.readingMs,
            signal,
          }),
        ),
      )
    }
  }

  async close(): Promise<void> {
    await this.#threads.close()
  }
}

async function simpleEnough<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (cause) {
    throw cause instanceof TaskTooLarge ? tooComplex(cause) : cause
  }
}

function tooComplex(cause: unknown): ScanFailure {
  return new ScanFailure(
    'SITE_TOO_COMPLEX',
    'The pages of this site take more time or memory to read than a scan may use. Make the largest of them smaller, or scan a single page with scanType light.',
    { cause },
  )
}
