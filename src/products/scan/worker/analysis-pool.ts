import pLimit from 'p-limit'
import { Piscina } from 'piscina'
import type { Log } from '../../../core/log.ts'
import type { Read, Readings, ReadingTask } from '../crawl/readings.ts'
import { ScanFailure } from '../findings/scan-failure.ts'
import type { Capture, Depth } from '../site/capture.ts'
import type { AnalysisAnswer, AnalysisTask } from './analysis-thread.ts'
import type { Analyzed } from './analyze.ts'

/**
 * Reads and judges what was fetched in threads of their own. A site's pages take seconds to parse, and a
 * hostile one may take for ever or all memory there is: neither may keep the gateway from answering, so a
 * thread has limits and is ended when it passes them. Whoever waits for a thread is not on the clock yet,
 * and waits for his equals: however many full scans are under way, a light one has its turn within seconds.
 */
export interface AnalysisPool {
  /**
   * @param signal ends the thread at work.
   * @throws ScanFailure when the site cannot be judged within the limits, or nothing of it could be measured.
   */
  analyze(capture: Capture, now: number, signal: AbortSignal): Promise<Analyzed>
  /** For scans of a depth. Does not wait for analyses: a scan that is fetching should go on. Throws as `analyze`. */
  reader(depth: Depth): Read
  close(): Promise<void>
}

interface PoolSettings {
  /** From the moment a scan has its thread. */
  readonly analysisMs: Readonly<Record<Depth, number>>
  readonly readingMs: number
  /** What the threads run. */
  readonly program: URL
}

const defaults: PoolSettings = {
  // More than ten times what the largest of our test sites takes.
  analysisMs: { light: 5_000, basic: 10_000, full: 20_000 },
  // Five times what a page of the most that is kept takes.
  readingMs: 5_000,
  program: new URL('analysis-thread.ts', import.meta.url),
}
/** One judges full scans, one all others, one reads: `takeTurns` lets no more work at a time. */
const threads = 3
const maxHeapMb = 256
/** A third of the share of a processor that the gateway's own thread has. Linux alone tells threads apart. */
const niceness = 5
/** A thread that is done is kept for the next scan for so long. */
const idleMs = 20_000

export function createAnalysisPool(log: Log, settings: Partial<PoolSettings> = {}): AnalysisPool {
  const { analysisMs, readingMs, program } = { ...defaults, ...settings }
  const pool = new Piscina({
    filename: program.href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: idleMs,
    // Otherwise threads that wait for work keep a processor from sleeping.
    atomics: 'disabled',
    // Whoever waits for a call goes before whoever waits for a scan.
    niceIncrement: niceness,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  })
  // The last thread that died with nothing to do, or before it could do anything. That fails no task; unheard,
  // it would end the process.
  let died: { readonly cause: unknown } | undefined
  pool.on('error', (cause: unknown) => {
    died = { cause }
    log.error({ err: cause }, 'a thread that reads websites has died')
  })
  const judging = takeTurns(pLimit(1), pLimit(1))
  const oneReader = pLimit(1)
  const reading = takeTurns(oneReader, oneReader)

  async function within<Answer>(
    limitMs: number,
    signal: AbortSignal,
    work: (ended: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    signal.throwIfAborted()
    const before = died
    const late = AbortSignal.timeout(limitMs)
    try {
      return await work(AbortSignal.any([signal, late]))
    } catch (cause) {
      signal.throwIfAborted()
      if (!late.aborted && !isOutOfMemory(cause)) throw cause
      // It may have waited for that thread all the time, which is not the site's fault.
      if (late.aborted && died !== before) throw new Error('no thread took the work up', died)
      throw tooMuch(cause)
    }
  }

  return {
    analyze: (capture, now, signal) =>
      judging[capture.depth](async () => {
        const task: AnalysisTask = { capture, now }
        const answer: AnalysisAnswer = await within(analysisMs[capture.depth], signal, (ended) =>
          pool.run(task, { signal: ended }),
        )
        if (answer.kind === 'failed') throw new ScanFailure(answer.code, answer.message)
        return answer.analyzed
      }),
    reader(depth) {
      return <Name extends keyof Readings>(
        name: Name,
        asked: Readings[Name]['asked'],
        signal: AbortSignal,
      ) => {
        const task: ReadingTask<Name> = { name, asked }
        return reading[depth](() =>
          within<Readings[Name]['told']>(readingMs, signal, (ended) =>
            pool.run(task, { name: 'reading', signal: ended }),
          ),
        )
      }
    },
    close: () => pool.destroy(),
  }
}

type Turn = <Answer>(work: () => Promise<Answer>) => Promise<Answer>

/**
 * Who waits for whom. Of the basic scans no more than one stands in the line in which the light ones wait,
 * and of the full ones no more than one in theirs, should that be the same line. So the lesser scan waits for
 * one of the greater at most, and the greater only for those that came before it: nobody waits for ever.
 */
function takeTurns(quick: Turn, slow: Turn): Readonly<Record<Depth, Turn>> {
  const oneBasic = pLimit(1)
  const oneFull = pLimit(1)
  return {
    light: quick,
    basic: (work) => oneBasic(() => quick(work)),
    full: (work) => oneFull(() => slow(work)),
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

function tooMuch(cause: unknown): ScanFailure {
  return new ScanFailure(
    'SITE_TOO_COMPLEX',
    'The pages of this site take more time or memory to read than a scan may use. Make the largest of them smaller, or scan a single page with scanType light.',
    { cause },
  )
}
