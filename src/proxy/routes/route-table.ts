import type { Catalog, Operation, OptionalOperation } from '../../core/catalog/catalog.ts'
import type { PresetName } from '../../core/catalog/presets.ts'
import { GatewayError } from '../../core/errors.ts'
import { splitTarget } from './path.ts'
import { matchRoute, methods, type Patterns, patternsOf, type RouteEntry } from './route-pattern.ts'

/**
 * Finds the upstream and the operation of a request. Every request of the gateway passes here first, so a
 * request for our own paths costs only a comparison of its host and its first path segment.
 */
export interface RouteTable {
  /**
   * @param method in upper case.
   * @param host the Host header; its port, its case and a final dot do not matter.
   * @param target as in the request line.
   * @returns undefined when neither host nor prefix leads to an upstream.
   * @throws GatewayError PATH_AMBIGUOUS, NOT_FOUND, METHOD_NOT_ALLOWED with the allowed methods
   */
  find(method: string, host: string | undefined, target: string): Routed | Preflight | undefined
  /** Every operation of an upstream, in the order of the catalog. */
  routes(): readonly RouteEntry[]
}

/** A request that leads to an upstream. */
export interface Routed extends RouteEntry {
  readonly kind: 'routed'
  /** Decoded. */
  readonly params: Readonly<Record<string, string>>
  /** Path and query after the prefix: exactly the text that is forwarded. */
  readonly path: string
}

/** A browser's OPTIONS request. */
export interface Preflight {
  readonly kind: 'preflight'
  /** With HEAD for GET, and OPTIONS. */
  readonly methods: readonly string[]
}

export function createRouteTable({
  upstreams,
  operations,
}: Pick<Catalog, 'upstreams' | 'operations'>): RouteTable {
  const entries = Object.entries(operations).flatMap(([id, operation]) => entryOf(id, operation, upstreams))
  const byHost = new Map<string, Mount>()
  const byFirstSegment = new Map<string, Mount[]>()
  for (const [name, { host, prefix, preset }] of Object.entries(upstreams)) {
    const patterns = patternsOf(entries.filter(({ upstreamName }) => upstreamName === name))
    if (host !== undefined) byHost.set(host, { prefix: '', patterns, errorForm: preset })
    if (prefix === undefined) continue
    const first = firstSegment(prefix)
    byFirstSegment.set(first, [...(byFirstSegment.get(first) ?? []), { prefix, patterns, errorForm: preset }])
  }

  function mountOf(host: string | undefined, target: string): Mount | undefined {
    const mount = byHost.size > 0 && host !== undefined ? byHost.get(hostName(host)) : undefined
    if (mount) return mount
    return byFirstSegment.get(firstSegment(target))?.find(({ prefix }) => isWithin(prefix, target))
  }

  return {
    find(method, host, target) {
      const mount = mountOf(host, target)
      if (!mount) return undefined
      try {
        return findWithin(mount, method, target)
      } catch (error) {
        throw error instanceof GatewayError ? error.with({}, undefined, mount.errorForm) : error
      }
    },
    routes: () => entries,
  }
}

/** Where an upstream is mounted. */
interface Mount {
  /** Empty for a host. */
  readonly prefix: string
  readonly patterns: Patterns
  /** How its callers read errors. */
  readonly errorForm: PresetName | undefined
}

function findWithin({ prefix, patterns }: Mount, method: string, target: string): Routed | Preflight {
  const { path, query } = splitTarget(target)
  const behind = path.slice(prefix.length) || '/'
  if (method === 'OPTIONS') return { kind: 'preflight', methods: methodsAt(patterns, behind) }
  const match = matchRoute(patterns, method, behind)
  if (!match) throw wrongMethod(methodsAt(patterns, behind))
  return { ...match.entry, kind: 'routed', params: match.params, path: `${behind}${query}` }
}

function entryOf(id: string, operation: Operation, upstreams: Catalog['upstreams']): RouteEntry[] {
  const { upstream: upstreamName, route } = routeOf(operation)
  const upstream = upstreamName === undefined ? undefined : upstreams[upstreamName]
  if (upstreamName === undefined || route === undefined || upstream === undefined) return []
  return [{ id, operation, upstreamName, upstream, route }]
}

function routeOf(operation: Operation): Pick<OptionalOperation, 'upstream' | 'route'> {
  switch (operation.access) {
    case 'open':
    case 'optional':
    case 'key':
    case 'price':
      return operation
    case 'holder':
    case 'tier':
      return {}
  }
}

/** The path up to its second slash, or to the query. */
function firstSegment(target: string): string {
  for (let end = 1; end < target.length; end += 1) {
    const code = target.charCodeAt(end)
    if (code === slash || code === questionMark) return target.slice(0, end)
  }
  return target
}

const slash = 0x2f
const questionMark = 0x3f

/** Compares exactly and whole segments: `/llm-free` is not within `/llm`. */
function isWithin(prefix: string, target: string): boolean {
  if (!target.startsWith(prefix)) return false
  const next = target.charCodeAt(prefix.length)
  return target.length === prefix.length || next === slash || next === questionMark
}

function hostName(host: string): string {
  return host.toLowerCase().replace(/\.?(?::\d*)?$/, '')
}

/**
 * The methods of a path.
 * @throws GatewayError NOT_FOUND when it has none.
 */
function methodsAt(patterns: Patterns, path: string): string[] {
  const allowed = methods.filter((method) => matchRoute(patterns, method, path) !== undefined)
  if (allowed.length === 0) throw new GatewayError('NOT_FOUND')
  return [...allowed, 'OPTIONS']
}

function wrongMethod(allowed: readonly string[]): GatewayError {
  return new GatewayError('METHOD_NOT_ALLOWED', {}, { headers: { allow: allowed.join(', ') } })
}
