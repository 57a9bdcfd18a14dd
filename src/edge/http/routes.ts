import type { Express, NextFunction, Request, Response } from 'express'
import { type Call, withdrawn } from '../../core/call.ts'
import type { Catalog } from '../../core/catalog/catalog.ts'
import type { Endpoint } from '../../core/endpoint.ts'
import { GatewayError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import { discardReply, type Reply } from '../../core/reply.ts'
import { paymentHeaders } from '../../core/reserved-headers.ts'
import {
  expressPath,
  type FindUpstreamRoute,
  faultyEscape,
  methodNotAllowed,
  methodsAt,
} from '../../gateway/find-endpoint.ts'
import { errorReply } from './errors.ts'
import { checkFraming } from './framing.ts'
import { goneEndpoint } from './gone-endpoint.ts'
import { HttpIncomingRequest } from './incoming-request.ts'
import { refuse } from './refuse.ts'
import { type Audience, preflightReply, sendReply } from './reply.ts'
import { type Target, toCall } from './request.ts'
import { streamReply } from './stream.ts'
import { tunnelReply } from './tunnel.ts'

/** The two steps of stopping the gateway. */
export interface Shutdown {
  /** Aborted first: no new connections, and calls under way may finish. */
  readonly begun: AbortSignal
  /** Aborted when the time for calls under way is over. */
  readonly forced: AbortSignal
}

/** The parts that connect Express with the chain. */
export interface Routes {
  readonly endpoints: readonly Endpoint[]
  readonly findUpstreamRoute: FindUpstreamRoute
  readonly catalog: () => Catalog
  /** The chain. */
  readonly handle: (call: Call) => Promise<Reply>
  /** Counts a reply, by the endpoint's id or `none`, and the time it took. */
  readonly countCall: (operation: string, status: number, seconds: number | undefined) => void
  readonly shutdown: Shutdown
  readonly log: Log
}

/**
 * Adds the endpoint table to Express. Requests that match no path or method, or whose path cannot be read,
 * get the same error body as every other error.
 */
export function addRoutes(app: Express, routes: Routes): void {
  // Upstreams come first: their prefixes take one comparison, our own paths one for each path.
  app.use((req, res, next) => relay(req, res, next, routes))
  for (const [path, atPath] of Map.groupBy(routes.endpoints, (endpoint) => endpoint.path)) {
    addPath(app, expressPath(path), atPath, routes)
  }
  app.use((req, res) => refuseUnlessPaid(req, res, new GatewayError('NOT_FOUND'), routes))
  // Express recognizes an error handler by its four parameters. It throws a URIError for a faulty escape
  // (%zz).
  app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) =>
    refuse(res, error instanceof URIError ? faultyEscape(error) : error, 'public', routes),
  )
}

/** Answers a request to an upstream; passes all others to `next`. */
function relay(req: Request, res: Response, next: NextFunction, routes: Routes): void {
  checkFraming(req)
  const { method, url, host } = req
  let found: ReturnType<FindUpstreamRoute>
  try {
    found = routes.findUpstreamRoute({ method, target: url, host })
  } catch (error) {
    if (!(error instanceof GatewayError && isUnknown.has(error.code))) throw error
    refuseUnlessPaid(req, res, error, routes)
    return
  }
  if (!found) {
    next()
  } else if (found.kind === 'preflight') {
    const requested = req.headers['access-control-request-headers']
    sendReply(res, preflightReply(found.methods, 'public', requested), 'public')
  } else {
    void answer(req, res, { ...found, incoming: new HttpIncomingRequest(req, res, found.path) }, routes)
  }
}

function addPath(app: Express, path: string, atPath: readonly Endpoint[], routes: Routes): void {
  const route = app.route(path)
  const audience = audienceOf(atPath)
  for (const endpoint of atPath) {
    const serve = (req: Request, res: Response) => {
      const operation = endpoint.operation ?? routes.catalog().operations[endpoint.id]
      if (operation) return answer(req, res, { endpoint, operation }, routes)
      const notFound = new GatewayError('NOT_FOUND')
      if (!hasPayment(req)) throw notFound
      return answer(req, res, { endpoint, operation: withdrawn(notFound) }, routes)
    }
    if (endpoint.method === 'GET') route.get(serve)
    else route.post(serve)
  }
  route.options((_req, res) => sendReply(res, preflightReply(methodsAt(atPath), audience), audience))
  route.all((_req, res) => refuse(res, methodNotAllowed(atPath), audience, routes))
}

const isUnknown: ReadonlySet<string> = new Set(['NOT_FOUND', 'METHOD_NOT_ALLOWED'])

/**
 * Answers a request that reaches no endpoint. An operation of an upstream that left the catalog has no endpoint any
 * more, but what was paid for it before can still be fetched.
 */
function refuseUnlessPaid(req: Request, res: Response, refusal: GatewayError, routes: Routes): void {
  if (!hasPayment(req)) {
    refuse(res, refusal, 'public', routes)
    return
  }
  const { method, path, url } = req
  const target = { endpoint: goneEndpoint(method === 'HEAD' ? 'GET' : method, path), params: {} }
  const incoming = new HttpIncomingRequest(req, res, url)
  void answer(req, res, { ...target, operation: withdrawn(refusal), incoming }, routes)
}

function hasPayment({ headers }: Request): boolean {
  return paymentHeaders.some((name) => headers[name] !== undefined)
}

/** Runs the chain for a request and sends its reply. Never rejects. */
async function answer(req: Request, res: Response, target: Target, routes: Routes): Promise<void> {
  const { handle, countCall, log } = routes
  const { id: operation } = target.endpoint
  const startedAt = performance.now()
  const call = toCall(req, res, target)
  const isOperator = target.endpoint.operation?.access === 'operator'
  const reply = await handle(call).catch((error: unknown) => errorReply(error, call.id, log, isOperator))
  send(res, reply, call, routes)
  const durationMs = performance.now() - startedAt
  const { status } = reply
  countCall(operation, status, durationMs / 1000)
  // Any caller can ask for a price or a document as often as it likes, and several balancers probe every second:
  // they must not fill the disk with log lines.
  const { method, upstream } = target.endpoint
  const isDocument = target.operation.access === 'open' && method === 'GET' && !upstream
  const level = status === 402 || isDocument ? 'debug' : 'info'
  if (log.isLevelEnabled(level)) {
    log[level]({ call: call.id, operation, status, durationMs: Math.round(durationMs) }, 'call')
  }
}

function send(res: Response, reply: Reply, call: Call, { shutdown, log }: Routes): void {
  const { stream, tunnel } = reply
  const { id: callId, endpoint } = call
  const audience = audienceOf([endpoint])
  // An upstream's stream ends by itself and is paid for, so it may finish. Our event streams would never end.
  const closing = endpoint.upstream && !tunnel ? shutdown.forced : shutdown.begun
  // Node refuses to send some heads. That must end this call only, not the process.
  const fail = (error: unknown) => {
    log.error({ err: error, call: callId }, 'a reply could not be sent')
    res.destroy()
    void discardReply(reply)
  }
  try {
    if (tunnel) tunnelReply({ res, reply, tunnel, callId, closing, log })
    else if (stream) streamReply({ res, reply, stream, audience, callId, closing, log }).catch(fail)
    else sendReply(res, reply, audience, callId)
  } catch (error) {
    fail(error)
  }
}

/** All methods of one path have the same audience. */
function audienceOf(endpoints: readonly Endpoint[]): Audience {
  return endpoints.some(({ operation }) => operation?.access === 'operator') ? 'operator' : 'public'
}
