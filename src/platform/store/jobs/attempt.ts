import pTimeout from 'p-timeout'
import type { JobWithMetadata, PgBoss } from 'pg-boss'
import type { Log } from '../../../core/log.ts'
import { reasonOf } from '../../../core/outages.ts'
import type { Job, Queue } from './queue.ts'

interface AttemptParts<Work> {
  readonly log: Log
  readonly giveUp: (work: Work) => Promise<void>
  /** Aborted when the gateway closes. */
  readonly closing: AbortSignal
  /** How long aborted work may take to end. */
  readonly graceMs: number
  readonly limitMs: number
  /** Looks for work again when the failed job is due. */
  readonly retryIn: (delaySeconds: number) => void
  /** To be called with a job whose attempt the closing of the gateway ended. */
  readonly interrupted: (job: JobWithMetadata<unknown>) => void
}

/**
 * Makes one attempt at a stored job. It resolves when pg-boss may complete the job, and throws when pg-boss
 * should try it again.
 */
export async function attempt<Work extends object>(
  job: JobWithMetadata<unknown>,
  queue: Queue<Work>,
  run: (job: Job<Work>) => Promise<void>,
  { log, giveUp, closing, graceMs, limitMs, retryIn, interrupted }: AttemptParts<Work>,
): Promise<void> {
  if (closing.aborted) {
    interrupted(job)
    throw closing.reason
  }
  const number = job.retryCount + 1
  const context = { queue: queue.name, job: job.id, attempt: number }
  const parsed = queue.schema.safeParse(job.data)
  if (!parsed.success) {
    log.error({ ...context, err: parsed.error }, 'background work cannot be read and is dropped')
    return
  }
  const work = parsed.data
  // The process died in the last attempt, so `giveUp` was not called yet.
  if (number > queue.attempts) return await giveUp(work)
  const signal = AbortSignal.any([closing, AbortSignal.timeout(limitMs)])
  try {
    await endOf(run({ work, attempt: number, signal }), signal, graceMs)
  } catch (error) {
    if (closing.aborted) {
      interrupted(job)
      throw error
    }
    if (number < queue.attempts) {
      log.warn({ ...context, err: error }, 'background work failed and will be tried again')
      retryIn(queue.retryDelaySeconds * 2 ** number)
      throw error
    }
    // The reason and not the error: this line is written for each piece of work, even in an outage.
    log.error(
      { ...context, reason: reasonOf(error) },
      'background work failed in its last attempt and is not repeated',
    )
    await giveUp(work)
  }
}

/**
 * Resolves or rejects as the work does. Once it is aborted, it has `graceMs` left, whether it listens or not.
 */
async function endOf(work: Promise<void>, signal: AbortSignal, graceMs: number): Promise<void> {
  try {
    await pTimeout(work, { milliseconds: Number.POSITIVE_INFINITY, signal })
  } catch (error) {
    if (!signal.aborted) throw error
    await pTimeout(work, { milliseconds: graceMs, fallback: () => Promise.reject(signal.reason) })
  }
}

/**
 * Undoes the attempts at jobs that pg-boss has recorded as failed. While an attempt is under way this must not be done:
 * another worker may begin the job at once, and pg-boss would then complete it for the attempt that was undone.
 */
export async function giveBack(
  boss: PgBoss,
  interrupted: readonly Pick<JobWithMetadata<unknown>, 'name' | 'id'>[],
): Promise<void> {
  for (const { name, id } of interrupted)
    await boss.getDb().executeSql(
      `update pgboss.job set state = 'created', start_after = now(), started_on = null, heartbeat_on = null, output = null
        where name = $1 and id = $2::uuid and state = 'retry'`,
      [name, id],
    )
}
