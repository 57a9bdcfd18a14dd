import pLimit from 'p-limit'
import { Piscina } from 'piscina'
import type { AnalysisAnswer, AnalysisTask } from './analysis-thread.ts'
import type { Analyzed } from './analyze.ts'
import type { Capture } from './capture.ts'
import { ScanFailure } from './scan-failure.ts'

/**
 * Judges captures in threads of their own. A site's pages take seconds to parse, and a hostile one may take
 * for ever or all memory there is: neither may keep the gateway from answering, so a thread has limits
 * and is ended when it passes them.
 */
export interface AnalysisPool {
  /**
   * @param signal ends the thread at work.
   * @throws ScanFailure when the site cannot be judged within the limits, or nothing of it could be measured.
   */
  analyze(capture: Capture, now: number, signal: AbortSignal): Promise<Analyzed>
  close(): Promise<void>
}

/** Twenty times what the largest of our test sites takes. */
const limitMs = 30_000
const maxHeapMb = 512
/** A thread that is done is kept for the next scan for so long. */
const idleMs = 20_000

/** @param threads how many captures are judged at the same time. */
export function createAnalysisPool(threads: number): AnalysisPool {
  const pool = new Piscina<AnalysisTask, AnalysisAnswer>({
    filename: new URL('analysis-thread.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: idleMs,
    // Otherwise threads that wait for work keep a processor from sleeping.
    atomics: 'disabled',
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  })
  // Whoever waits for a thread is not on the clock yet.
  const inTurn = pLimit(threads)
  return {
    analyze: (capture, now, signal) => inTurn(() => judge(capture, now, signal)),
    close: () => pool.destroy(),
  }

  async function judge(capture: Capture, now: number, signal: AbortSignal): Promise<Analyzed> {
    signal.throwIfAborted()
    const late = AbortSignal.timeout(limitMs)
    let answer: AnalysisAnswer
    try {
      answer = await pool.run({ capture, now }, { signal: AbortSignal.any([signal, late]) })
    } catch (cause) {
      signal.throwIfAborted()
      if (late.aborted || isOutOfMemory(cause)) throw tooMuch(cause)
      throw cause
    }
    if (answer.kind === 'failed') throw new ScanFailure(answer.code, answer.message)
    return answer.analyzed
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
