import { Pool as Connections } from 'undici'
import type { Upstream } from '../../core/catalog/upstreams.ts'
import type { Log } from '../../core/log.ts'
import type { Dependency, Outages } from '../../core/outages.ts'
import type { Resolve } from '../../platform/net/connect.ts'
import { createBalance, hasAnother } from './balance.ts'
import { Connection } from './connection.ts'
import { createUpstreamConnector } from './connector.ts'
import { type Failure, toFailure } from './failure.ts'
import { TargetHealth } from './health.ts'
import { startHealthChecks } from './health-checks.ts'
import { NoReply, type ReplyObserver, send, type TargetReply } from './send.ts'
import { upstreamFailed } from './upstream-failed.ts'
import type { Pool, UpgradedConnection, UpstreamReply, UpstreamRequest } from './upstream-reply.ts'

/** Counts a failed attempt at an upstream. */
export type CountUpstreamError = (upstream: string, kind: Failure['fault'] | 'status') => void

interface PoolOptions {
  readonly name: string
  readonly upstream: Upstream
  /** Of the catalog; TLS files are named from here. */
  readonly folder: string
  readonly log: Log
  readonly countError?: CountUpstreamError | undefined
  /** Public addresses unless set; for a private upstream nearly all. */
  readonly isAllowedAddress?: (ip: string) => boolean
  readonly resolve?: Resolve
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number
}

/**
 * Creates the pool of an upstream's connections. Each target has its own, which stay open between calls:
 * opening one for each call would take longer than most calls.
 *
 * @throws Error that names the upstream and the TLS file that is missing or unusable
 */
export async function createPool({
  name,
  upstream,
  folder,
  log,
  countError,
  isAllowedAddress,
  resolve,
  now = () => performance.now(),
}: PoolOptions): Promise<Pool> {
  const connect = await createUpstreamConnector({ name, upstream, folder, isAllowedAddress, resolve })
  const targets = upstream.targets.map((text): Target => {
    const url = new URL(text)
    return {
      url: text,
      dependency: {
        name: `upstream ${name}, target ${text}`,
        means: 'its calls go to another target, or are refused with 502 or 504',
      },
      outages: log.outages,
      countError: (kind) => countError?.(name, kind),
      basePath: url.pathname.replace(/\/+$/, ''),
      connections: new Connections(url.origin, {
        factory: (origin, options) => new Connection(origin, { ...options, connect }),
        allowH2: false,
        pipelining: 1,
        headersTimeout: upstream.firstByteSeconds * 1_000,
        bodyTimeout: upstream.idleSeconds * 1_000,
      }),
      health: new TargetHealth(upstream.health, now, (isEjected) => {
        const context = { upstream: name, target: text }
        if (isEjected) log.warn(context, 'an upstream target failed and is ejected')
        else log.info(context, 'an upstream target is in use again')
      }),
      active: 0,
    }
  })
  return new TargetPool(upstream, targets)
}

/** One address of an upstream. */
interface Target {
  readonly url: string
  /** As the log names it. */
  readonly dependency: Dependency
  readonly outages: Outages
  readonly countError: (kind: Failure['fault'] | 'status') => void
  /** Put in front of each path. */
  readonly basePath: string
  readonly connections: Connections
  readonly health: TargetHealth
  /** Calls that are running. */
  active: number
}

class TargetPool implements Pool {
  readonly #retries: number
  readonly #targets: readonly Target[]
  readonly #choose: (tried: readonly Target[]) => Target
  readonly #checks: ReturnType<typeof startHealthChecks>
  #closed: Promise<unknown> | undefined

  constructor(upstream: Upstream, targets: readonly Target[]) {
    this.#retries = upstream.retries
    this.#targets = targets
    this.#choose = createBalance(upstream.balance, targets)
    this.#checks = startHealthChecks(targets, upstream)
  }

  async request(request: UpstreamRequest): Promise<UpstreamReply> {
    const reply = await this.#send(request, undefined)
    if (reply.kind === 'reply') return reply
    reply.socket.destroy()
    throw upstreamFailed('it changed to a protocol that was not requested')
  }

  upgrade(request: UpstreamRequest, protocol: string): Promise<UpgradedConnection | UpstreamReply> {
    return this.#send(request, protocol)
  }

  targets(): ReturnType<Pool['targets']> {
    return this.#targets.map(({ url, health, active }) => ({ url, isEjected: health.isEjected(), active }))
  }

  async close(): Promise<void> {
    this.#checks.stop()
    this.#closed ??= Promise.all(this.#targets.map(({ connections }) => connections.close()))
    await this.#closed
  }

  async #send(
    request: UpstreamRequest,
    protocol: string | undefined,
  ): Promise<UpgradedConnection | UpstreamReply> {
    const canRepeat = isRepeatable(request)
    const tried: Target[] = []
    for (let retries = this.#retries; ; retries--) {
      request.signal.throwIfAborted()
      const target = this.#choose(tried)
      tried.push(target)
      const outcome = await this.#attempt(target, request, protocol)
      switch (outcome.kind) {
        case 'upgraded':
          return outcome
        case 'reply': {
          const isDone = !unavailable.has(outcome.status) || retries === 0 || !canRepeat
          if (isDone || !hasAnother(this.#targets, tried)) return { ...outcome, target: target.url }
          outcome.body.destroy()
          break
        }
        case 'failed': {
          const { fault, error } = outcome.failure
          const mayBeDone = outcome.wasSent && !(canRepeat && fault === 'reset')
          if (retries === 0 || fault === 'ours' || mayBeDone) throw error
        }
      }
    }
  }

  async #attempt(
    target: Target,
    request: UpstreamRequest,
    protocol: string | undefined,
  ): Promise<TargetReply | FailedAttempt> {
    const call = new TargetCall(target)
    try {
      return await send(target.connections, target.basePath + request.path, request, protocol, call)
    } catch (error) {
      if (error instanceof NoReply) return call.failed(error)
      call.abandoned()
      throw error
    }
  }
}

interface FailedAttempt {
  readonly kind: 'failed'
  readonly failure: Failure
  /** Whether the target may have seen the request. */
  readonly wasSent: boolean
}

/** Records one call in its target's load and health. */
class TargetCall implements ReplyObserver {
  readonly #target: Target
  #isUnavailable = false

  constructor(target: Target) {
    this.#target = target
    target.active += 1
    target.health.started()
  }

  began(status: number): void {
    this.#isUnavailable = unavailable.has(status)
    if (this.#isUnavailable) this.#target.health.failed()
    else this.#target.health.replied()
    this.#target.outages.works(this.#target.dependency)
    if (status >= 500) this.#target.countError('status')
  }

  completed(): void {
    this.#target.active -= 1
    if (!this.#isUnavailable) this.#target.health.completed()
  }

  abandoned(): void {
    this.#target.active -= 1
    this.#target.health.abandoned()
  }

  broke(error: unknown): Error {
    this.#target.active -= 1
    this.#target.health.failed()
    return this.#toFailure(error, true).error
  }

  /** No reply came. */
  failed({ cause, wasSent }: NoReply): FailedAttempt {
    const failure = this.#toFailure(cause, wasSent)
    this.#target.active -= 1
    if (failure.fault === 'ours') this.#target.health.abandoned()
    else this.#target.health.failed()
    return { kind: 'failed', failure, wasSent }
  }

  #toFailure(cause: unknown, wasSent: boolean): Failure {
    const { dependency, outages, countError } = this.#target
    const failure = toFailure(cause, dependency.name, wasSent)
    countError(failure.fault)
    if (failure.isOutage) outages.failed(dependency, failure.error)
    return failure
  }
}

/** A target, or a proxy in front of it, replies with this status when it cannot serve the request now. */
const unavailable = new Set([502, 503, 504])

/** Whether sending it twice has the effect of sending it once. */
function isRepeatable({ method, body }: UpstreamRequest): boolean {
  if (!idempotent.has(method)) return false
  return body === null || (body instanceof Uint8Array && body.byteLength === 0)
}

const idempotent = new Set(['GET', 'HEAD', 'PUT', 'DELETE'])
