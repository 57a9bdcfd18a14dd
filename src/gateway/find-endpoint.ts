import { match } from 'path-to-regexp'
import type { Call } from '../core/call.ts'
import type { Operation } from '../core/catalog/catalog.ts'
import type { Endpoint } from '../core/endpoint.ts'
import { faultyField, GatewayError } from '../core/errors.ts'

/** What a request to one of our own paths matches. */
export type EndpointMatch =
  | { readonly kind: 'endpoint'; readonly endpoint: Endpoint; readonly params: Call['params'] }
  /** A CORS preflight, which every caller gets an answer to. */
  | { readonly kind: 'preflight' }

interface RouteLookup {
  readonly method: string
  /** Path with query string, as received. */
  readonly target: string
  /** The host name that the request was sent to. */
  readonly host: string | undefined
}

/** What a request to an upstream matches. */
type UpstreamRoute =
  | {
      readonly kind: 'routed'
      readonly endpoint: Endpoint
      readonly operation: Operation
      readonly params: Readonly<Record<string, string>>
      /** Path and query for the upstream. */
      readonly path: string
    }
  | { readonly kind: 'preflight'; readonly methods: readonly string[] }

/**
 * Finds the endpoint of a request to an upstream; undefined for a request that is not for an upstream.
 * @throws GatewayError for a request to an upstream that no route of it covers.
 */
export type FindUpstreamRoute = (request: RouteLookup) => UpstreamRoute | undefined

/**
 * Finds the endpoint that Express would find, for a call that is only explained: with the same path matcher
 * and options (`edge/http/routes`). Only parameters are decoded; case, escapes and slashes must match
 * exactly.
 * @param path without query string.
 * @throws GatewayError NOT_FOUND, METHOD_NOT_ALLOWED naming the allowed methods, VALIDATION_ERROR for a
 *   faulty escape.
 */
export function findEndpoint(endpoints: readonly Endpoint[], method: string, path: string): EndpointMatch {
  for (const [pattern, atPath] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
    const params = matchPath(pattern, path)
    if (!params) continue
    if (method === 'OPTIONS') return { kind: 'preflight' }
    const wanted = method === 'HEAD' ? 'GET' : method
    const endpoint = atPath.find((one) => one.method === wanted)
    if (!endpoint) throw methodNotAllowed(atPath)
    return { kind: 'endpoint', endpoint, params }
  }
  throw new GatewayError('NOT_FOUND')
}

export function hasParameters(path: string): boolean {
  return path.includes('{')
}

/** Documents write parameters in braces, Express with a colon. */
export function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

/** The methods that the endpoints of one path answer. */
export function methodsAt(atPath: readonly Endpoint[]): string[] {
  return atPath.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).concat('OPTIONS')
}

export function methodNotAllowed(atPath: readonly Endpoint[]): GatewayError {
  return new GatewayError('METHOD_NOT_ALLOWED', {}, { headers: { allow: methodsAt(atPath).join(', ') } })
}

export function faultyEscape(cause: unknown): GatewayError {
  return faultyField('path', 'has an escape that is not UTF-8', cause)
}

function matchPath(pattern: string, path: string): Call['params'] | undefined {
  return matcherOf(pattern)(path)
}

/** @returns gives the decoded parameters of a path; undefined if it does not match the pattern. */
export function matcherOf(pattern: string): (path: string) => Record<string, string> | undefined {
  const find = match<Record<string, string>>(expressPath(pattern), {
    sensitive: true,
    trailing: false,
  })
  return (path) => {
    try {
      const matched = find(path)
      return matched ? matched.params : undefined
    } catch (cause) {
      throw faultyEscape(cause)
    }
  }
}
