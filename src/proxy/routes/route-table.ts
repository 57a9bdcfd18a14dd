import type { Catalog, Operation } from '../../core/catalog/catalog.ts'
import { GatewayError } from '../../core/errors.ts'
import { canonicalTarget } from './path.ts'
import { methods, type Patterns, patternsOf, type RouteEntry, routeAt } from './route-pattern.ts'

/**
 * Which request leads to which upstream, and as which operation. Every request of the gateway passes here first, so
 * one that is meant for none of them must cost next to nothing.
 */
export interface RouteTable {
  /**
   * @param method in upper case.
   * @param host the Host header; its port, its case and a dot at its end say nothing.
   * @param target as it stands in the request line.
   * @returns undefined when neither host nor prefix leads to an upstream.
   * @throws GatewayError PATH_AMBIGUOUS, NOT_FOUND, METHOD_NOT_ALLOWED naming the right ones.
   */
  find(method: string, host: string | undefined, target: string): Routed | Preflight | undefined
  /** Every operation that an upstream carries out, in the order of the catalogue. */
  routes(): readonly RouteEntry[]
}

/** A request that an upstream is to carry out. */
export interface Routed extends RouteEntry {
  readonly kind: 'routed'
  /** What stands in the path where the route names a parameter, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** Path and query behind the prefix: the text that is sent on. */
  readonly path: string
}

/** A browser asks what it may send. */
export interface Preflight {
  readonly kind: 'preflight'
  /** With HEAD where there is GET, and OPTIONS. */
  readonly methods: readonly string[]
}

export function createRouteTable({
  upstreams,
  operations,
}: Pick<Catalog, 'upstreams' | 'operations'>): RouteTable {
  const entries = Object.entries(operations).flatMap(([id, operation]) => entryOf(id, operation, upstreams))
  const byHost = new Map<string, Place>()
  const byFirstSegment = new Map<string, Place[]>()
  for (const [name, { host, prefix }] of Object.entries(upstreams)) {
    const patterns = patternsOf(entries.filter(({ upstreamName }) => upstreamName === name))
    if (host !== undefined) byHost.set(host, { prefix: '', patterns })
    if (prefix === undefined) continue
    const first = firstSegment(prefix)
    byFirstSegment.set(first, [...(byFirstSegment.get(first) ?? []), { prefix, patterns }])
  }

  function placeOf(host: string | undefined, target: string): Place | undefined {
    const place = byHost.size > 0 && host !== undefined ? byHost.get(hostName(host)) : undefined
    if (place) return place
    return byFirstSegment.get(firstSegment(target))?.find(({ prefix }) => isWithin(prefix, target))
  }

  return {
    find(method, host, target) {
      const place = placeOf(host, target)
      if (!place) return undefined
      const { path, query } = canonicalTarget(target)
      // Nothing behind the prefix is the root, as everywhere in HTTP.
      const behind = path.slice(place.prefix.length) || '/'
      if (method === 'OPTIONS') return { kind: 'preflight', methods: methodsAt(place.patterns, behind) }
      const found = routeAt(place.patterns, method, behind)
      if (!found) throw wrongMethod(methodsAt(place.patterns, behind))
      return { ...found.entry, kind: 'routed', params: found.params, path: `${behind}${query}` }
    },
    routes: () => entries,
  }
}

interface Place {
  /** Empty for a host. */
  readonly prefix: string
  readonly patterns: Patterns
}

function entryOf(id: string, operation: Operation, upstreams: Catalog['upstreams']): RouteEntry[] {
  if (!('route' in operation)) return []
  const { upstream: upstreamName, route } = operation
  const upstream = upstreamName === undefined ? undefined : upstreams[upstreamName]
  if (upstreamName === undefined || route === undefined || upstream === undefined) return []
  return [{ id, operation, upstreamName, upstream, route }]
}

/** Up to the next slash or the query. */
function firstSegment(target: string): string {
  for (let end = 1; end < target.length; end += 1) {
    const code = target.charCodeAt(end)
    if (code === slash || code === questionMark) return target.slice(0, end)
  }
  return target
}

const slash = 0x2f
const questionMark = 0x3f

/** Letter by letter and in whole segments: `/llm-free` is not within `/llm`. */
function isWithin(prefix: string, target: string): boolean {
  if (!target.startsWith(prefix)) return false
  const next = target.charCodeAt(prefix.length)
  return target.length === prefix.length || next === slash || next === questionMark
}

function hostName(host: string): string {
  return host.toLowerCase().replace(/\.?(?::\d*)?$/, '')
}

/** What the path answers. @throws GatewayError NOT_FOUND when it answers nothing. */
function methodsAt(patterns: Patterns, path: string): string[] {
  const found = methods.filter((method) => routeAt(patterns, method, path) !== undefined)
  if (found.length === 0) throw new GatewayError('NOT_FOUND')
  return [...found, 'OPTIONS']
}

function wrongMethod(allowed: readonly string[]): GatewayError {
  return new GatewayError('METHOD_NOT_ALLOWED', {}, { headers: { allow: allowed.join(', ') } })
}
