import type { Log } from '../core/log.ts'

/**
 * Whether payments can be taken right now, known before anybody is asked for one. Without it a dead
 * chain or an empty gas account would show only after the work was done.
 */
export interface Readiness {
  /** Why payments cannot be taken; undefined when they can. Costs nothing. */
  whyNot(): string | undefined
  /** Looks again now. Never rejects. */
  check(): Promise<void>
  close(): void
}

/**
 * Watches `probe`, which rejects with the reason while payments cannot be taken. The first look has
 * been taken when this resolves.
 */
export async function watchReadiness(
  probe: () => Promise<void>,
  intervalMs: number,
  log: Log,
): Promise<Readiness> {
  let reason: string | undefined = 'not checked yet'
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    let found: string | undefined
    try {
      await probe()
    } catch (error) {
      found = error instanceof Error ? error.message : String(error)
      if (reason !== found) log.error({ err: error }, 'payments cannot be taken')
    }
    if (reason && !found) log.info('payments can be taken')
    reason = found
  }

  const check = () => {
    looking ??= look().finally(() => {
      looking = undefined
    })
    return looking
  }

  await check()
  const timer = setInterval(check, intervalMs)
  timer.unref()
  return { whyNot: () => reason, check, close: () => clearInterval(timer) }
}
