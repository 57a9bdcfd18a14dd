import { FetchFailure } from './fetch-error.ts'

/**
 * One limit of time for a whole fetch, whatever it is doing. Limits between two pieces of data are not enough:
 * a server that sends a byte per second keeps all of those and never comes to an end.
 */
interface Deadline {
  /** Aborted with a FetchFailure when the time is up or the caller gives up. */
  readonly signal: AbortSignal
  /** From now on the time counts; further calls change nothing. */
  start(): void
  /** Lets go of the timer and of the caller's signal. */
  end(): void
}

export function createDeadline(ms: number, caller?: AbortSignal): Deadline {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const giveUp = () => controller.abort(new FetchFailure('aborted', 'The fetch was given up.'))
  if (caller?.aborted) giveUp()
  caller?.addEventListener('abort', giveUp, { once: true })
  return {
    signal: controller.signal,
    start() {
      timer ??= setTimeout(() => {
        controller.abort(
          new FetchFailure('timeout', `The answer was not complete within ${ms / 1000} seconds.`),
        )
      }, ms)
    },
    end() {
      clearTimeout(timer)
      caller?.removeEventListener('abort', giveUp)
    },
  }
}
