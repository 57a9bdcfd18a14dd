import type { z } from 'zod'

/** A kind of work. */
export interface Queue<Work extends object> {
  readonly name: string
  /** Reads stored work, which another version of the gateway may have written. */
  readonly schema: z.ZodType<Work>
  /**
   * Work with the same key runs one piece after the other, in the order in which it was sent. All work has a
   * key then.
   */
  readonly isKeyed: boolean
  /** How many attempts a piece of work gets in all. */
  readonly attempts: number
  /** Between the first two attempts; doubles with each further one, up to an hour. 0: no pause. */
  readonly retryDelaySeconds: number
  /** For one attempt. */
  readonly limitSeconds: number
}

export interface Job<Work> {
  readonly work: Work
  /** From 1 on. An attempt that was given back because a gateway closed does not count. */
  readonly attempt: number
  /** Aborted at the time limit, and when the gateway closes. */
  readonly signal: AbortSignal
}
