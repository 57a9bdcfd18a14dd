import { FetchFailure } from './fetch-error.ts'

/**
 * Limits the time of a whole fetch. Limits between two pieces of data are not enough: a server that sends a
 * byte per second meets all of them and never ends.
 *
 * `AbortSignal.any` with `AbortSignal.timeout` does not serve here: the time starts only when the host has a
 * free slot, and each of the two causes has an error of its own.
 */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #timeoutMs: number
  readonly #caller: AbortSignal | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(timeoutMs: number, caller?: AbortSignal) {
    this.#timeoutMs = timeoutMs
    this.#caller = caller
    if (caller?.aborted) this.#giveUp()
    caller?.addEventListener('abort', this.#giveUp, { once: true })
  }

  /**
   * Aborted with a FetchFailure: `timeout` when the time is up, `aborted` when the caller's signal is
   * aborted.
   */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Starts the time; later calls change nothing. */
  start(): void {
    this.#timer ??= setTimeout(() => {
      const seconds = this.#timeoutMs / 1000
      this.#controller.abort(
        new FetchFailure('timeout', `The answer was not complete within ${seconds} seconds.`),
      )
    }, this.#timeoutMs)
  }

  /** Releases the timer and the caller's signal. */
  end(): void {
    clearTimeout(this.#timer)
    this.#caller?.removeEventListener('abort', this.#giveUp)
  }

  readonly #giveUp = (): void => {
    this.#controller.abort(new FetchFailure('aborted', 'The fetch was aborted.'))
  }
}
