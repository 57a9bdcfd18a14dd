import { Piscina } from 'piscina'
import type { Log } from '../../core/log.ts'

interface ThreadSettings {
  /** The program that the threads run: each task calls one of its exported functions. */
  readonly program: URL
  readonly threads: number
  readonly maxHeapMb: number
  /** How long an idle thread is kept for the next task; 20 s by default. */
  readonly idleMs?: number
  /** What the threads do, for the log: `reads websites`. */
  readonly work: string
}

interface TaskSettings {
  /** The exported function; by default the default export. */
  readonly name?: string
  /**
   * From the moment the task has its thread, if no more tasks run at once than there are threads. On a busy machine a
   * task may take longer, see `processorTime`.
   */
  readonly limitMs: number
  /** Ends the thread at work. */
  readonly signal?: AbortSignal
  /** The memory that the task gives away, so that it is not copied. */
  readonly transfer?: ArrayBuffer[]
}

/** A task took more time or memory than it may. Its thread was ended. */
export class TaskTooLarge extends Error {
  override readonly name = 'TaskTooLarge'
}

/** Linux gives such a thread a third of the processor share of the gateway's own; other systems ignore it. */
const niceness = 5
const usualIdleMs = 20_000
/** How many times its limit a task may take by the clock. */
const maxStretch = 4
/** For values that were just made. V8 would let each thread take 48. */
const maxYoungMb = 16

/**
 * Runs work on the data of strangers in separate threads. Such work may take forever or fill all memory. A
 * thread has limits and is ended when it exceeds them, so the gateway goes on answering calls.
 */
export class LimitedThreads {
  readonly #pool: Piscina
  /**
   * Why the last thread died that had no task, or could not start. Such a death fails no task; without a
   * listener it would end the process.
   */
  #lastDeath: { readonly cause: unknown } | undefined

  constructor({ program, threads, maxHeapMb, idleMs = usualIdleMs, work }: ThreadSettings, log: Log) {
    this.#pool = new Piscina({
      filename: program.href,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: idleMs,
      // Otherwise idle threads keep a processor from sleeping.
      atomics: 'disabled',
      niceIncrement: niceness,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: maxYoungMb },
    })
    this.#pool.on('error', (cause: unknown) => {
      this.#lastDeath = { cause }
      log.error({ err: cause }, `a thread that ${work} has died`)
    })
  }

  /** @throws TaskTooLarge; the signal's reason; the error of the task. */
  async run<Result>(task: unknown, settings: TaskSettings): Promise<Result> {
    const { name, limitMs, signal, transfer } = settings
    signal?.throwIfAborted()
    const deathBefore = this.#lastDeath
    const { over: late, end } = processorTime(limitMs)
    try {
      return await this.#pool.run(task, {
        signal: signal ? AbortSignal.any([signal, late]) : late,
        ...(name !== undefined && { name }),
        ...(transfer && { transferList: transfer }),
      })
    } catch (cause) {
      signal?.throwIfAborted()
      if (!late.aborted && !isOutOfMemory(cause)) throw cause
      // The task may have waited all this time for the thread that died. That is not a fault of the task.
      if (late.aborted && this.#lastDeath !== deathBefore)
        throw new Error('no thread took the work up', this.#lastDeath)
      throw new TaskTooLarge('the task takes more time or memory than it may', { cause })
    } finally {
      end()
    }
  }

  async close(): Promise<void> {
    await this.#pool.destroy()
  }
}

/**
 * Aborts `over` when this process has had the processor for so long, and at the latest after four times as long by the
 * clock. On a busy machine a small task takes long through no fault of its own: what counts is not the clock, but
 * what this process could do meanwhile.
 */
function processorTime(limitMs: number): { readonly over: AbortSignal; readonly end: () => void } {
  const over = new AbortController()
  const usedBefore = process.cpuUsage()
  const startedAt = performance.now()
  let timer: NodeJS.Timeout
  const check = () => {
    const { user, system } = process.cpuUsage(usedBefore)
    const passedMs = performance.now() - startedAt
    const leftMs = Math.min(limitMs - (user + system) / 1_000, limitMs * maxStretch - passedMs)
    if (leftMs <= 0) over.abort()
    else wait(Math.max(leftMs, 1))
  }
  const wait = (ms: number) => {
    timer = setTimeout(check, ms).unref()
  }
  wait(limitMs)
  return { over: over.signal, end: () => clearTimeout(timer) }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
