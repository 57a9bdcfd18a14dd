import type { Log } from './log.ts'

/** Work that no call waits for. A part that such work needs waits for `idle` before it closes. */
export interface BackgroundWork {
  /** @param work must not reject: no caller could handle the error. */
  add(work: Promise<unknown>): void
  /** Resolves when no work is left, including work that was added while waiting. */
  idle(): Promise<void>
}

export function createBackgroundWork(): BackgroundWork {
  const running = new Set<Promise<unknown>>()
  return {
    add(work) {
      running.add(work)
      void work.finally(() => running.delete(work))
    },
    async idle() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

/**
 * Runs `work` now and every `intervalMs`, never twice at the same time. Logs its errors and goes on.
 * @returns stops the interval and resolves when the run under way has ended.
 */
export function runEvery(work: () => Promise<unknown>, intervalMs: number, log: Log): () => Promise<void> {
  let running: Promise<unknown> | undefined
  const run = () => {
    running ??= work()
      .catch((error: unknown) => log.error({ err: error }, 'background work failed'))
      .finally(() => {
        running = undefined
      })
  }
  run()
  const timer = setInterval(run, intervalMs)
  return async () => {
    clearInterval(timer)
    await running
  }
}
