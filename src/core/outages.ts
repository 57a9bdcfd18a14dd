import type { Logger } from 'pino'
import type { ErrorCode } from './errors.ts'

/** What the gateway depends on and cannot repair by itself. */
export interface Dependency {
  /** As the log names it: `PostgreSQL`, `upstream llm, target https://…`. */
  readonly name: string
  /** What callers and operators meet while it is down. */
  readonly means: string
  /** What a caller gets for an error of it that no part has turned into a reply. */
  readonly code?: ErrorCode
}

/** An error that knows which dependency is down, without an error of that dependency as its cause. */
export class DependencyDown extends Error {
  readonly dependency: Dependency

  constructor(dependency: Dependency, message: string, options?: ErrorOptions) {
    super(message, options)
    this.dependency = dependency
  }
}

/** How long a dependency must work before its outage is over. A dependency that fails now and then has one outage. */
const quietMs = 2_000
const reportEveryMs = 60_000

/**
 * The outages of the dependencies, in the log. A dependency that is down fails every call that needs it. An error with
 * a stack for each of them would fill the disk and hide what else happens. So an outage logs one line when it
 * begins, with its cause; one a minute while calls go on failing; and one when it is over, with its duration and the
 * number of failed calls.
 *
 * The part that uses a dependency reports each use. An error that it reports is remembered, and log lines about that
 * error, or about one caused by it, are written at level debug only. Lines about other errors are not touched.
 */
export class Outages {
  readonly #log: Pick<Logger, 'error' | 'warn' | 'info'>
  readonly #now: () => number
  readonly #open = new Map<string, OpenOutage>()
  /** The dependency whose outage caused an error. */
  readonly #causes = new WeakMap<Error, Dependency>()
  /** Dependencies that are down because another one is, by name: payments, while the chain is down. */
  readonly #roots = new Map<string, Dependency>()
  #isStopped = false

  constructor(log: Pick<Logger, 'error' | 'warn' | 'info'>, now: () => number = Date.now) {
    this.#log = log
    this.#now = now
  }

  /** Reports a use that failed because the dependency is down. */
  failed(dependency: Dependency, error: unknown): void {
    const root = this.#rootOf(dependency, error)
    const { name, means } = root
    const open = this.#open.get(name)
    if (open) {
      open.failedAtMs = this.#now()
      open.worksSinceMs = undefined
      open.reason = reasonOf(error)
    } else if (!this.#isStopped) {
      // Before the error is remembered, because the line would not be written after that.
      this.#log.error({ dependency: name, means, err: error }, `an outage has begun: ${name}`)
      this.#open.set(name, this.#begin(name, reasonOf(error)))
    }
    // Callers wrap the error, and log a cause of it or the whole.
    for (let one = error; one instanceof Error; one = one.cause) this.#causes.set(one, root)
  }

  /** Reports a use that succeeded. */
  works({ name }: Dependency): void {
    // Nearly always there is none, and every query of the store comes here.
    if (this.#open.size === 0 && this.#roots.size === 0) return
    this.#roots.delete(name)
    const open = this.#open.get(name)
    if (open) this.#mayBeOver(name, open)
  }

  /** The dependency whose outage caused an error; undefined for any other error. */
  of(error: unknown): Dependency | undefined {
    for (let one = error; one instanceof Error; one = one.cause) {
      const dependency = this.#causes.get(one) ?? this.#openOf(one)
      if (dependency) return dependency
    }
    return undefined
  }

  /** The names of the dependencies that are down. */
  down(): string[] {
    return [...this.#open.keys()]
  }

  /**
   * Begins no outage from now on: the gateway closes its own store or local chain, and calls that are still under
   * way to it fail.
   */
  stop(): void {
    this.#isStopped = true
    for (const { reports, end } of this.#open.values()) {
      clearInterval(reports)
      clearTimeout(end)
    }
  }

  /** Counts a call that was answered with an error, if an outage caused it. */
  countCall(error: unknown): void {
    const dependency = this.of(error)
    const open = dependency && this.#open.get(dependency.name)
    if (open) open.calls += 1
  }

  #openOf(error: Error): Dependency | undefined {
    if (!(error instanceof DependencyDown)) return undefined
    const { dependency } = error
    return this.#roots.get(dependency.name) ?? (this.#open.has(dependency.name) ? dependency : undefined)
  }

  /** The dependency itself, or the one whose outage the error comes from: that outage is logged already. */
  #rootOf(dependency: Dependency, error: unknown): Dependency {
    const { name } = dependency
    if (this.#open.has(name)) return dependency
    // It may have been down because of another dependency before, and be down for another reason now.
    this.#roots.delete(name)
    const root = this.of(error) ?? dependency
    if (root.name !== name) this.#roots.set(name, root)
    return root
  }

  #begin(name: string, reason: string): OpenOutage {
    const nowMs = this.#now()
    let reportedAtMs = nowMs
    const report = () => {
      // A dependency that no call has asked for since is not known to be down.
      if (outage.failedAtMs <= reportedAtMs) return
      reportedAtMs = this.#now()
      this.#log.warn(
        { dependency: name, ...this.#sum(outage), reason: outage.reason },
        `an outage lasts: ${name}`,
      )
    }
    const outage: OpenOutage = {
      beganAtMs: nowMs,
      failedAtMs: nowMs,
      worksSinceMs: undefined,
      calls: 0,
      reason,
      reports: setInterval(report, reportEveryMs).unref(),
      end: undefined,
    }
    return outage
  }

  #mayBeOver(name: string, outage: OpenOutage): void {
    const nowMs = this.#now()
    outage.worksSinceMs ??= nowMs
    const waitMs = outage.worksSinceMs + quietMs - nowMs
    if (waitMs <= 0) {
      clearInterval(outage.reports)
      clearTimeout(outage.end)
      this.#open.delete(name)
      this.#log.info({ dependency: name, ...this.#sum(outage) }, `an outage is over: ${name}`)
      return
    }
    // The next use may come much later, or never.
    outage.end ??= setTimeout(() => {
      outage.end = undefined
      if (outage.worksSinceMs !== undefined) this.#mayBeOver(name, outage)
    }, waitMs).unref()
  }

  #sum({ beganAtMs, worksSinceMs, calls }: OpenOutage) {
    return { seconds: Math.round(((worksSinceMs ?? this.#now()) - beganAtMs) / 1000), calls }
  }
}

interface OpenOutage {
  readonly beganAtMs: number
  failedAtMs: number
  /** The first success since the last failure. */
  worksSinceMs: number | undefined
  /** Calls that were answered with an error. */
  calls: number
  /** The last error in a sentence. */
  reason: string
  readonly reports: NodeJS.Timeout
  end: NodeJS.Timeout | undefined
}

/** The message of an error. viem's full messages contain the whole request, its short ones do not. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'shortMessage' in error && typeof error.shortMessage === 'string'
    ? error.shortMessage
    : error.message
}
