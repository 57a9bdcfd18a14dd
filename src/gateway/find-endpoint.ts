import type { Operation } from '../core/catalog/catalog.ts'
import type { Endpoint } from '../core/endpoint.ts'
import { GatewayError } from '../core/errors.ts'

/** Where a request leads. */
export type Found =
  | {
      readonly kind: 'endpoint'
      readonly endpoint: Endpoint
      readonly params: Readonly<Record<string, string>>
    }
  /** A browser asks what it may send: everybody is told. */
  | { readonly kind: 'preflight' }

interface RelayRequest {
  readonly method: string
  /** As received. */
  readonly target: string
  /** The host name it was sent to. */
  readonly host: string | undefined
}

type FoundRelay =
  | {
      readonly kind: 'routed'
      readonly endpoint: Endpoint
      readonly operation: Operation
      readonly params: Readonly<Record<string, string>>
      /** What the upstream gets: path and query. */
      readonly path: string
    }
  /** A browser asks what it may send. */
  | { readonly kind: 'preflight'; readonly methods: readonly string[] }

/** Finds what leads to an upstream; undefined for all that does not. @throws GatewayError for what leads nowhere there. */
export type FindRelay = (request: RelayRequest) => FoundRelay | undefined

/**
 * Finds the endpoint of a request that nobody makes, as Express finds it for one that is made: paths are
 * compared letter by letter, escapes and case and slashes included, and only what a parameter stands for
 * is decoded.
 * @param path without query string.
 * @throws GatewayError NOT_FOUND, METHOD_NOT_ALLOWED naming the right ones, VALIDATION_ERROR for a faulty escape.
 */
export function findEndpoint(endpoints: readonly Endpoint[], method: string, path: string): Found {
  for (const [pattern, atPath] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
    const match = expressionOf(pattern).exec(path)
    if (!match) continue
    const params = decoded(match.groups ?? {})
    if (method === 'OPTIONS') return { kind: 'preflight' }
    const wanted = method === 'HEAD' ? 'GET' : method
    const endpoint = atPath.find((one) => one.method === wanted)
    if (!endpoint) throw wrongMethod(atPath)
    return { kind: 'endpoint', endpoint, params }
  }
  throw new GatewayError('NOT_FOUND')
}

/** What the endpoints of one path answer. */
export function methodsAt(atPath: readonly Endpoint[]): string[] {
  return atPath.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).concat('OPTIONS')
}

export function wrongMethod(atPath: readonly Endpoint[]): GatewayError {
  return new GatewayError('METHOD_NOT_ALLOWED', {}, { headers: { allow: methodsAt(atPath).join(', ') } })
}

export function badPath(cause: unknown): GatewayError {
  const issues = [{ field: 'path', problem: 'holds an escape that is not UTF-8' }]
  return new GatewayError('VALIDATION_ERROR', { issues }, { cause })
}

/** Parameters stand in braces, and between them everything stands for itself. */
function expressionOf(pattern: string): RegExp {
  const parts = pattern.split(/\{(\w+)\}/)
  const source = parts.map((part, index) => (index % 2 === 0 ? literal(part) : `(?<${part}>[^/]+)`))
  return new RegExp(`^${source.join('')}$`)
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

function decoded(groups: Readonly<Record<string, string>>): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)]))
  } catch (cause) {
    throw badPath(cause)
  }
}
