import type { Log } from './log.ts'

/** Runs `work` now and then every `intervalMs`, never twice at once. @returns the end of it, which waits for the work under way. */
export function repeat(work: () => Promise<unknown>, intervalMs: number, log: Log): () => Promise<void> {
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
