import pLimit from 'p-limit'
import { Piscina } from 'piscina'
import type { Log } from '../core/log.ts'
import type { AnalysisAnswer, AnalysisTask } from './analysis-thread.ts'
import type { Analyzed } from './analyze.ts'
import type { Capture } from './capture/capture.ts'
import type { Read, Readings, ReadingTask } from './capture/readings.ts'
import { ScanFailure } from './scan-failure.ts'

/**
 * Reads and judges what was fetched in threads of their own. A site's pages take seconds to parse, and a
 * hostile one may take for ever or all memory there is: neither may keep the gateway from answering, so a
 * thread has limits and is ended when it passes them.
 */
export interface AnalysisPool {
  /**
   * @param signal ends the thread at work.
   * @throws ScanFailure when the site cannot be judged within the limits, or nothing of it could be measured.
   */
  analyze(capture: Capture, now: number, signal: AbortSignal): Promise<Analyzed>
  /** Does not wait for analyses: a scan that is fetching should go on fetching. Throws as `analyze`. */
  readonly read: Read
  close(): Promise<void>
}

/** Twenty times what the largest of our test sites takes. */
const analysisMs = 30_000
/** Ten times what a page of the most that is kept takes. */
const readingMs = 10_000
const maxHeapMb = 512
/** A third of the share of a processor that the gateway's own thread has. Linux alone tells threads apart. */
const niceness = 5
/** A thread that is done is kept for the next scan for so long. */
const idleMs = 20_000

/** @param threads how many captures are judged at the same time; one more thread reads. */
export function createAnalysisPool(threads: number, log: Log): AnalysisPool {
  const pool = new Piscina({
    filename: new URL('analysis-thread.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: threads + 1,
    idleTimeout: idleMs,
    // Otherwise threads that wait for work keep a processor from sleeping.
    atomics: 'disabled',
    // Whoever waits for a call goes before whoever waits for a scan.
    niceIncrement: niceness,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  })
  // A thread that dies with nothing to do fails no task; unheard, it would end the process.
  pool.on('error', (error: unknown) => log.error({ err: error }, 'a thread that reads websites has died'))
  // Whoever waits for a thread is not on the clock yet.
  const judgeInTurn = pLimit(threads)
  const readInTurn = pLimit(1)
  return {
    analyze: (capture, now, signal) =>
      judgeInTurn(async () => {
        const task: AnalysisTask = { capture, now }
        const answer: AnalysisAnswer = await within(analysisMs, signal, (ended) =>
          pool.run(task, { signal: ended }),
        )
        if (answer.kind === 'failed') throw new ScanFailure(answer.code, answer.message)
        return answer.analyzed
      }),
    read<Name extends keyof Readings>(name: Name, asked: Readings[Name]['asked'], signal: AbortSignal) {
      const task: ReadingTask<Name> = { name, asked }
      return readInTurn(() =>
        within<Readings[Name]['told']>(readingMs, signal, (ended) =>
          pool.run(task, { name: 'reading', signal: ended }),
        ),
      )
    },
    close: () => pool.destroy(),
  }
}

async function within<Answer>(
  limitMs: number,
  signal: AbortSignal,
  work: (ended: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  signal.throwIfAborted()
  const late = AbortSignal.timeout(limitMs)
  try {
    return await work(AbortSignal.any([signal, late]))
  } catch (cause) {
    signal.throwIfAborted()
    if (late.aborted || isOutOfMemory(cause)) throw tooMuch(cause)
    throw cause
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
