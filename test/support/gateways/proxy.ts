import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import express, { type Request, type Response } from 'express'
import pTimeout from 'p-timeout'
import { catalogSchema } from '../../../src/core/catalog/catalog-schema.ts'
import type { Delivery } from '../../../src/core/catalog/metering.ts'
import { GatewayError } from '../../../src/core/errors.ts'
import { createLog } from '../../../src/core/log.ts'
import type { Reply } from '../../../src/core/reply.ts'
import { errorReply } from '../../../src/edge/http/errors.ts'
import { HttpIncomingRequest } from '../../../src/edge/http/incoming-request.ts'
import { sendReply } from '../../../src/edge/http/reply.ts'
import { streamReply } from '../../../src/edge/http/stream.ts'
import { createCountingReader } from '../../../src/proxy/counting/reading/reader.ts'
import type { PayUpstream } from '../../../src/proxy/fetch-upstream.ts'
import { forward } from '../../../src/proxy/forward.ts'
import { resolveInjectedHeaders } from '../../../src/proxy/headers/injected-headers.ts'
import { createPool } from '../../../src/proxy/pool/pool.ts'
import { createRouteTable } from '../../../src/proxy/routes/route-table.ts'
import { contextOf } from './context.ts'

/** A gateway without doors in front of an upstream: it forwards and charges nothing. */
export interface ProxyScene {
  readonly url: string
  readonly port: number
  /** In the order in which they were made. */
  readonly replies: readonly Reply[]
  /** Resolves once the reply of that number was delivered. */
  delivery(index: number): Promise<Delivery | undefined>
  close(): Promise<void>
}

interface ProxyOptions {
  readonly target: string
  /** Keys of the upstream in addition to those that every test needs. */
  readonly upstream?: Readonly<Record<string, unknown>>
  /** Keys of every operation. */
  readonly operation?: Readonly<Record<string, unknown>>
  /** Replaces the operation's deadline, which is in whole seconds. */
  readonly deadlineSeconds?: number
  readonly secrets?: Readonly<Record<string, string>>
  readonly pay?: PayUpstream
  /** Runs after a reply is made and before it is sent, as a settlement does. */
  readonly settle?: (reply: Reply) => Promise<void> | void
}

/** Starts a gateway that forwards everything under /up to the target. */
export async function startProxy(options: ProxyOptions): Promise<ProxyScene> {
  const catalog = catalogSchema([]).parse({
    provider: { name: 'Test', description: 'Sells calls.' },
    upstreams: {
      up: { prefix: '/up', targets: [options.target], private: true, retries: 0, ...options.upstream },
    },
    operations: {
      all: {
        access: 'open',
        description: 'A call.',
        upstream: 'up',
        route: 'GET,POST,PUT,DELETE /*',
        ...options.operation,
      },
    },
  })
  const { deadlineSeconds } = options
  const { up } = catalog.upstreams
  if (!up) throw new Error('the catalog has no upstream')
  const log = createLog('silent')
  const pool = await createPool({ name: 'up', upstream: up, folder: tmpdir(), log })
  const reader = createCountingReader(log)
  const injected = resolveInjectedHeaders(up, options.secrets ?? {})
  const table = createRouteTable(catalog)
  const closing = new AbortController()
  const replies: Reply[] = []
  let made = Promise.withResolvers<void>()

  async function answer(req: Request, res: Response): Promise<Reply> {
    const routed = table.find(req.method, req.headers.host, req.originalUrl)
    if (routed?.kind !== 'routed') throw new GatewayError('NOT_FOUND')
    const leaving = new AbortController()
    const left = () => leaving.abort(new GatewayError('CALLER_LEFT'))
    res.once('close', left)
    const incoming = new HttpIncomingRequest(req, res, routed.path)
    const operation = {
      ...routed.operation,
      deadlineSeconds: deadlineSeconds ?? routed.operation.deadlineSeconds,
    }
    const context = contextOf({ callId: 'call-1', signal: leaving.signal, incoming })
    const reply = await forward({ ...routed, operation }, { pool, reader, injected }, context, options.pay)
    res.off('close', left)
    return reply
  }

  const app = express().disable('x-powered-by')
  app.use(async (req, res) => {
    const reply = await answer(req, res).catch((error: unknown) => errorReply(error, 'call-1', log))
    replies.push(reply)
    made.resolve()
    made = Promise.withResolvers()
    await options.settle?.(reply)
    const { stream } = reply
    if (!stream) sendReply(res, reply, 'public', 'call-1')
    else
      await streamReply({
        res,
        reply,
        stream,
        audience: 'public',
        callId: 'call-1',
        closing: closing.signal,
        log,
      })
  })
  const server = createServer(app)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server.address())
  return {
    url: `http://127.0.0.1:${port}/up`,
    port,
    replies,
    async delivery(index) {
      const limit = { milliseconds: 10_000 }
      const message = `reply ${index} was not`
      while (replies.length <= index) await pTimeout(made.promise, { ...limit, message: `${message} made` })
      const delivered = Promise.resolve(replies[index]?.delivered)
      return pTimeout(delivered, { ...limit, message: `${message} delivered` })
    },
    async close() {
      closing.abort()
      server.close()
      server.closeAllConnections()
      await pool.close()
      await reader.close()
    },
  }
}

/** Starts a server on loopback; `close` ends all its connections. */
export async function startUpstream(listener: RequestListener) {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the server does not listen')
  return address.port
}
