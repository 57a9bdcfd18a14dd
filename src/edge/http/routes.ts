import type { Express, NextFunction, Request, Response } from 'express'
import type { Call } from '../../core/call.ts'
import type { Catalog } from '../../core/catalog/catalog.ts'
import type { Endpoint } from '../../core/endpoint.ts'
import { GatewayError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import { discardReply, type Reply } from '../../core/reply.ts'
import {
  expressPath,
  type FindRelay,
  faultyEscape,
  methodNotAllowed,
  methodsAt,
} from '../../gateway/find-endpoint.ts'
import { errorReply } from './errors.ts'
import { checkFraming } from './framing.ts'
import { toIncoming } from './incoming.ts'
import { type Audience, preflightReply, sendReply } from './reply.ts'
import { type Addressed, toCall } from './request.ts'
import { streamReply } from './stream.ts'
import { tunnelReply } from './tunnel.ts'

/** How far the gateway has come with stopping. */
export interface Stopping {
  /** Aborted when it is told to: calls under way may finish. */
  readonly begun: AbortSignal
  /** Aborted when they have had their time. */
  readonly over: AbortSignal
}

/** What leads a request to the chain and its reply back. */
export interface Routes {
  readonly endpoints: readonly Endpoint[]
  readonly findRelay: FindRelay
  readonly catalog: () => Catalog
  readonly handle: (call: Call) => Promise<Reply>
  /** Told of every answer, by the endpoint's id, and how long it took; `none` where there is no endpoint. */
  readonly countCall: (operation: string, status: number, seconds: number | undefined) => void
  readonly stopping: Stopping
  readonly log: Log
}

/**
 * The endpoint table as Express routes. Whatever matches no row, or not its method, or cannot be read as
 * a path, is answered here as well, in the one form that errors have.
 */
export function addRoutes(app: Express, routes: Routes): void {
  const { endpoints, findRelay, countCall, log } = routes

  // Upstreams before our own paths: that is one look at the beginning of the path, and the other way round each call
  // of an upstream would be compared with every path of ours.
  app.use((req, res, next) => {
    checkFraming(req)
    const { method, url, host } = req
    const found = findRelay({ method, target: url, host })
    if (!found) next()
    else if (found.kind === 'preflight') {
      const asked = req.headers['access-control-request-headers']
      sendReply(res, preflightReply(found.methods, 'everyone', asked), 'everyone')
    } else {
      void answer(req, res, { ...found, incoming: toIncoming(req, res, found.path) }, routes)
    }
  })
  for (const [path, atPath] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
    const route = app.route(expressPath(path))
    const audience = audienceOf(atPath)
    for (const endpoint of atPath) {
      const serve = serving(endpoint, routes)
      if (endpoint.method === 'GET') route.get(serve)
      else route.post(serve)
    }
    route.options((_req, res) => sendReply(res, preflightReply(methodsAt(atPath), audience), audience))
    route.all((_req, res) => refuse(res, methodNotAllowed(atPath), audience))
  }
  app.use((_req, res) => refuse(res, new GatewayError('NOT_FOUND'), 'everyone'))
  // Express knows an error handler by its four parameters.
  app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
    refuse(res, isBadPath(error) ? faultyEscape(error) : error, 'everyone')
  })

  function refuse(res: Response, error: unknown, audience: Audience): void {
    const id = crypto.randomUUID()
    const reply = errorReply(error, id, log)
    sendReply(res, reply, audience, id)
    countCall('none', reply.status, undefined)
  }
}

function serving(endpoint: Endpoint, routes: Routes) {
  return async (req: Request, res: Response) => {
    const operation = endpoint.operation ?? routes.catalog().operations[endpoint.id]
    if (!operation) throw new GatewayError('NOT_FOUND')
    return answer(req, res, { endpoint, operation }, routes)
  }
}

/** Runs the chain for a request and sends what comes of it. Never rejects. */
async function answer(
  req: Request,
  res: Response,
  addressed: Addressed,
  { handle, countCall, stopping, log }: Routes,
): Promise<void> {
  const { endpoint } = addressed
  const audience = audienceOf([endpoint])
  const startedAt = performance.now()
  const call = toCall(req, res, addressed)
  const reply = await handle(call).catch((error: unknown) => errorReply(error, call.id, log))
  const { stream, tunnel } = reply
  // A head that Node refuses to send: for this caller it is the end, and must not be for everybody.
  const unsent = (error: unknown) => {
    log.error({ err: error, call: call.id }, 'a reply could not be sent')
    res.destroy()
    void discardReply(reply)
  }
  try {
    // What an upstream sends comes to an end, and is paid for; what we tell of our own goes on for ever.
    const closing = endpoint.relays && !tunnel ? stopping.over : stopping.begun
    if (tunnel) tunnelReply({ res, reply, tunnel, callId: call.id, closing, log })
    else if (stream)
      streamReply({ res, reply, stream, audience, callId: call.id, closing, log }).catch(unsent)
    else sendReply(res, reply, audience, call.id)
  } catch (error) {
    unsent(error)
  }
  const durationMs = performance.now() - startedAt
  countCall(endpoint.id, reply.status, durationMs / 1000)
  // Anyone can ask for a price as often as they like; that must not fill the disk.
  const level = reply.status === 402 ? 'debug' : 'info'
  if (log.isLevelEnabled(level)) {
    const { status } = reply
    log[level]({ call: call.id, operation: endpoint.id, status, durationMs: Math.round(durationMs) }, 'call')
  }
}

/** A path is the operator's, or everyone's, with all its methods. */
function audienceOf(endpoints: readonly Endpoint[]): Audience {
  return endpoints.some(({ operation }) => operation?.access === 'operator') ? 'operator' : 'everyone'
}

/** Express meets escapes that are none (%zz) before any endpoint does. */
function isBadPath(error: unknown): boolean {
  return error instanceof URIError
}
