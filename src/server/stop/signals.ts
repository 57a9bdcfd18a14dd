/** The signals that stop a process. */
export interface StopSignals {
  /** Aborted at the first signal, with its name as the reason. */
  readonly stop: AbortSignal
  /** Aborted when a signal comes again: the operator does not want to wait. */
  readonly hurry: AbortSignal
}

/** npm and a terminal pass the same Ctrl-C on, one after the other. */
const sameSignalMs = 1_000

/**
 * Listens for the signals that stop a process: Ctrl-C, the system, or a closed terminal. From this call on,
 * no such signal ends the process by itself, not even a second one: Ctrl-C under npm arrives twice, and a
 * process that ended immediately would leave the local chain running.
 */
export function listenForStop(): StopSignals {
  const stop = new AbortController()
  const hurry = new AbortController()
  let stoppedAt: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      stoppedAt ??= performance.now()
      stop.abort(signal)
      if (performance.now() - stoppedAt > sameSignalMs) hurry.abort(signal)
    })
  }
  return { stop: stop.signal, hurry: hurry.signal }
}
