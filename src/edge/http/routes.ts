import type { IncomingMessage } from 'node:http'
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
  hasParameters,
  matcherOf,
  methodNotAllowed,
  methodsAt,
} from '../../gateway/find-endpoint.ts'
import { checkFraming } from './framing.ts'
import { goneEndpoint } from './gone-endpoint.ts'
import { HttpIncomingRequest } from './incoming-request.ts'
import type { AnswerDocument } from './open-document.ts'
import { refuse } from './refuse.ts'
import { type Audience, preflightReply, sendReply } from './reply.ts'
import { type Target, toCall } from './request.ts'
import type { RunCall } from './run-call.ts'
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
  readonly run: RunCall
  readonly answerDocument: AnswerDocument
  /** Counts a reply, by the endpoint's id or `none`, and the time it took. */
  readonly countCall: (operation: string, status: number, seconds: number | undefined) => void
  readonly shutdown: Shutdown
  /** Sees every request first. */
  readonly watch?: ((req: IncomingMessage) => void) | undefined
  readonly log: Log
}

/**
 * Adds the endpoint table to Express. Requests that match no path or method, or whose path cannot be read,
 * get the same error body as every other error.
 */
export function addRoutes(app: Express, routes: Routes): void {
  const serveByPath = new Map<string, Serve>()
  const serveByHost = new Map<string, Serve>()
  const documents: { readonly match: ReturnType<typeof matcherOf>; readonly serve: Serve }[] = []
  const patterns: { readonly path: string; readonly serve: Serve }[] = []
  for (const endpoint of routes.endpoints) {
    if (endpoint.host === undefined) continue
    serveByHost.set(endpoint.host + endpoint.path, servePath([endpoint], routes))
  }
  const ofAnyHost = routes.endpoints.filter(({ host }) => host === undefined)
  for (const [path, atPath] of Map.groupBy(ofAnyHost, (endpoint) => endpoint.path)) {
    const serve = servePath(atPath, routes)
    const isDocument = atPath.some((endpoint) => endpoint.document !== undefined)
    if (!hasParameters(path)) serveByPath.set(path, serve)
    else if (isDocument) documents.push({ match: matcherOf(path), serve })
    else patterns.push({ path: expressPath(path), serve })
  }
  /** A document takes so little time itself that each step of Express's router counts. */
  const findDocument = (req: Request): Serve | undefined => {
    for (const { match, serve } of documents) {
      const params = match(req.path)
      if (!params) continue
      req.params = params
      return serve
    }
    return undefined
  }
  // Express compares the path of a request with one route after the other. Upstreams and paths without parameters,
  // which most calls ask for, are found in one step each.
  app.use((req, res, next) => {
    routes.watch?.(req)
    if (relay(req, res, routes)) return
    const ofHost = serveByHost.size > 0 ? serveByHost.get(req.host + req.path) : undefined
    const serve = ofHost ?? serveByPath.get(req.path) ?? findDocument(req)
    if (serve) serve(req, res)
    else next()
  })
  for (const { path, serve } of patterns) app.all(path, serve)
  app.use((req, res) => refuseUnlessPaid(req, res, new GatewayError('NOT_FOUND'), routes))
  // Express recognizes an error handler by its four parameters. It throws a URIError for a faulty escape
  // (%zz).
  app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) =>
    refuse(res, error instanceof URIError ? faultyEscape(error) : error, 'public', routes),
  )
}

/**
 * Answers a request to an upstream.
 * @returns false for any other.
 */
function relay(req: Request, res: Response, routes: Routes): boolean {
  const { method, url, host } = req
  try {
    checkFraming(req)
  } catch (error) {
    throw error instanceof GatewayError ? error.with({}, undefined, errorFormAt(req, routes)) : error
  }
  let found: ReturnType<FindUpstreamRoute>
  try {
    found = routes.findUpstreamRoute({ method, target: url, host })
  } catch (error) {
    if (!(error instanceof GatewayError && isUnknown.has(error.code))) throw error
    refuseUnlessPaid(req, res, error, routes)
    return true
  }
  if (!found) return false
  if (found.kind === 'preflight') {
    const requested = req.headers['access-control-request-headers']
    sendReply(res, preflightReply(found.methods, 'public', requested), 'public')
  } else {
    void answer(req, res, { ...found, incoming: new HttpIncomingRequest(req, res, found.path) }, routes)
  }
  return true
}

/** The form of errors at the request's path. */
function errorFormAt({ method, url, host }: Request, { findUpstreamRoute }: Routes): GatewayError['form'] {
  try {
    const found = findUpstreamRoute({ method, target: url, host })
    return found?.kind === 'preflight' ? undefined : found?.endpoint.upstream?.errorForm
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return error.form
  }
}

type Serve = (req: Request, res: Response) => void

/** @returns answers the requests to one path, whatever their method. */
function servePath(atPath: readonly Endpoint[], routes: Routes): Serve {
  const audience = audienceOf(atPath)
  const byMethod = new Map(atPath.map((endpoint) => [endpoint.method, endpoint]))
  return (req, res) => {
    const endpoint = byMethod.get(req.method === 'HEAD' ? 'GET' : req.method)
    if (endpoint) serveEndpoint(req, res, endpoint, routes)
    else if (req.method === 'OPTIONS') sendReply(res, preflightReply(methodsAt(atPath), audience), audience)
    else refuse(res, methodNotAllowed(atPath), audience, routes)
  }
}

function serveEndpoint(req: Request, res: Response, endpoint: Endpoint, routes: Routes): void {
  const operation = endpoint.operation ?? routes.catalog().operations[endpoint.id]
  if (operation) {
    const isOpen = operation.access === 'open'
    if (!routes.answerDocument(req, res, endpoint, isOpen))
      void answer(req, res, { endpoint, operation }, routes)
    return
  }
  const notFound = new GatewayError('NOT_FOUND')
  if (!hasPayment(req)) throw notFound
  void answer(req, res, { endpoint, operation: withdrawn(notFound) }, routes)
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
  const endpoint = goneEndpoint(method === 'HEAD' ? 'GET' : method, path, refusal.form)
  const target = { endpoint, params: {} }
  const incoming = new HttpIncomingRequest(req, res, url)
  void answer(req, res, { ...target, operation: withdrawn(refusal), incoming }, routes)
}

function hasPayment({ headers }: Request): boolean {
  return paymentHeaders.some((name) => headers[name] !== undefined)
}

/** Runs the chain for a request and sends its reply. Never rejects. */
async function answer(req: Request, res: Response, target: Target, routes: Routes): Promise<void> {
  const call = toCall(req, res, target)
  send(res, await routes.run(call), call, routes)
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
