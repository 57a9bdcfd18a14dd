import { Pool as Connections } from 'undici'
import type { Upstream } from '../../core/catalog/upstreams.ts'
import type { Log } from '../../core/log.ts'
import type { Resolve } from '../../platform/net/connect.ts'
import { createBalance, hasAnother } from './balance.ts'
import { createUpstreamConnector } from './connector.ts'
import { type Failure, toFailure } from './failure.ts'
import { createHealth, type Health } from './health.ts'
import { startChecks } from './health-checks.ts'
import { NoReply, send, type TargetReply } from './send.ts'
import type { Pool, UpstreamReply, UpstreamRequest } from './upstream-reply.ts'

/** One address of an upstream. */
interface Target {
  readonly url: string
  /** Goes in front of each path. */
  readonly base: string
  readonly connections: Connections
  readonly health: Health
  /** Calls under way. */
  active: number
}

/**
 * The connections to an upstream. Each target has its own, kept open between calls: to open one for each call would
 * take longer than most calls.
 *
 * @param options.folder of the catalogue, where the files of TLS are named from
 * @param options.isAllowedAddress public addresses, or nearly all where the upstream is private, unless set
 * @param options.now in milliseconds, of a clock that nobody sets
 * @throws Error that names the upstream and a file of TLS that is missing or of no use
 */
export async function createPool({
  name,
  upstream,
  folder,
  log,
  isAllowedAddress,
  resolve,
  now = () => performance.now(),
}: {
  readonly name: string
  readonly upstream: Upstream
  readonly folder: string
  readonly log: Log
  readonly isAllowedAddress?: (ip: string) => boolean
  readonly resolve?: Resolve
  readonly now?: () => number
}): Promise<Pool> {
  const connect = await createUpstreamConnector({ name, upstream, folder, isAllowedAddress, resolve })
  const targets = upstream.targets.map((text): Target => {
    const url = new URL(text)
    return {
      url: text,
      base: url.pathname.replace(/\/+$/, ''),
      connections: new Connections(url.origin, {
        connect,
        allowH2: false,
        pipelining: 1,
        maxHeaderSize: 64 * 1_024,
        headersTimeout: upstream.firstByteSeconds * 1_000,
        bodyTimeout: upstream.idleSeconds * 1_000,
      }),
      health: createHealth(upstream.health, now, (isEjected) => {
        const about = { upstream: name, target: text }
        if (isEjected) log.warn(about, 'a target of an upstream fails and is left alone')
        else log.info(about, 'a target of an upstream is asked again')
      }),
      active: 0,
    }
  })
  const choose = createBalance(upstream.balance, targets)
  const checks = startChecks(targets, upstream)
  let closed: Promise<unknown> | undefined

  async function ask(
    request: UpstreamRequest,
    upgrade: string | undefined,
  ): Promise<TargetReply & UpstreamReply> {
    const canRepeat = isRepeatable(request)
    const tried: Target[] = []
    for (let left = upstream.retries; ; left--) {
      request.signal.throwIfAborted()
      const target = choose(tried)
      tried.push(target)
      const outcome = await attempt(target, request, upgrade)
      if ('error' in outcome) {
        if (
          left === 0 ||
          outcome.fault === 'ours' ||
          (outcome.wasSent && !(canRepeat && outcome.fault === 'reset'))
        )
          throw outcome.error
      } else {
        const isTrouble = troubles.has(outcome.status)
        if (!isTrouble || left === 0 || !canRepeat || !hasAnother(targets, tried))
          return { ...outcome, target: target.url }
        outcome.body.destroy()
      }
    }
  }

  async function attempt(
    target: Target,
    request: UpstreamRequest,
    upgrade: string | undefined,
  ): Promise<TargetReply | (Failure & { readonly wasSent: boolean })> {
    const { health } = target
    const describe = (error: unknown, wasSent: boolean) =>
      toFailure(error, `upstream ${name}, target ${target.url}`, wasSent)
    let isTrouble = false
    const over = () => {
      target.active -= 1
    }
    target.active += 1
    health.begin()
    try {
      return await send(target.connections, target.base + request.path, request, upgrade, {
        began(status) {
          isTrouble = troubles.has(status)
          if (isTrouble) health.failed()
          else health.answered()
        },
        completed() {
          over()
          if (!isTrouble) health.completed()
        },
        abandoned() {
          over()
          health.abandoned()
        },
        broke(error) {
          over()
          health.failed()
          return describe(error, true).error
        },
      })
    } catch (error) {
      over()
      if (!(error instanceof NoReply)) {
        health.abandoned()
        throw error
      }
      const failure = describe(error.cause, error.wasSent)
      if (failure.fault === 'ours') health.abandoned()
      else health.failed()
      return { ...failure, wasSent: error.wasSent }
    }
  }

  return {
    request: (request) => ask(request, undefined),
    async upgrade(request, protocol) {
      const { socket, ...reply } = await ask(request, protocol)
      return socket ? { status: 101, headers: reply.headers, socket } : reply
    },
    targets: () => targets.map(({ url, health, active }) => ({ url, isEjected: health.isEjected(), active })),
    async close() {
      checks.stop()
      closed ??= Promise.all(targets.map(({ connections }) => connections.close()))
      await closed
    },
  }
}

/** What a target, or a proxy of its own in front of it, says when it cannot do its work at the moment. */
const troubles = new Set([502, 503, 504])

/** Whether doing it twice does no more than doing it once. */
function isRepeatable({ method, body }: UpstreamRequest): boolean {
  if (!idempotent.has(method)) return false
  return body === null || (body instanceof Uint8Array && body.byteLength === 0)
}

const idempotent = new Set(['GET', 'HEAD', 'PUT', 'DELETE'])
