import type { Log } from '../../core/log.ts'
import { FairTurns } from './fair-turns.ts'
import { LimitedThreads } from './limited-threads.ts'

interface FairThreadSettings {
  /** The program that the thread runs; each task names one of its exported functions. */
  readonly program: URL
  readonly limitMs: number
  readonly maxHeapMb: number
  /** The bytes that wait for the thread, all together and of one caller. */
  readonly waitingBytes: number
  readonly waitingBytesPerCaller: number
  /** What the thread does, for the log: `counts replies`. */
  readonly work: string
  /** Called with the time that each task had the thread. */
  readonly spent?: (caller: string, ms: number) => void
}

/** The largest body that is read on the event loop instead: at worst it takes about a millisecond. */
export const maxHereBytes = 4_096

/**
 * One thread that reads the bytes of many callers. On the event loop, ten megabytes of nested lists would
 * stop every other call for seconds. Here they stop their own caller: the others take turns with it.
 */
export class FairThread {
  readonly #settings: FairThreadSettings
  readonly #threads: LimitedThreads
  readonly #turns: FairTurns

  constructor(settings: FairThreadSettings, log: Log) {
    const { program, maxHeapMb, work, waitingBytes, waitingBytesPerCaller } = settings
    this.#settings = settings
    this.#threads = new LimitedThreads({ program, threads: 1, maxHeapMb, work }, log)
    this.#turns = new FairTurns({ running: 1, waitingBytes, waitingBytesPerCaller })
  }

  /**
   * Runs a function of the program on a copy of the bytes: the copy is given to the thread, which may be ended
   * with it.
   * @throws TooManyWaiting when the task did not run; TaskTooLarge; the error of the task.
   */
  run<Result>(caller: string, name: string, task: { readonly bytes: Uint8Array }): Promise<Result> {
    const { limitMs, spent } = this.#settings
    return this.#turns.run(caller, task.bytes.byteLength, async () => {
      const bytes = new Uint8Array(task.bytes)
      const startedAt = performance.now()
      try {
        return await this.#threads.run<Result>(
          { ...task, bytes },
          { name, limitMs, transfer: [bytes.buffer] },
        )
      } finally {
        spent?.(caller, performance.now() - startedAt)
      }
    })
  }

  close(): Promise<void> {
    return this.#threads.close()
  }
}
