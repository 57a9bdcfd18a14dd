import type { Operation } from '../../core/catalog/catalog.ts'
import type { Route, Upstream } from '../../core/catalog/upstreams.ts'
import { GatewayError } from '../../core/errors.ts'

/**
 * Compares a path with the routes of one upstream. The most specific one wins, segment by segment: what is written
 * out before a parameter, a parameter before `*`. Many servers take no notice of case or of a slash at the end, so a
 * path that differs from a route in nothing else must not fall through to a wider and cheaper one.
 */
interface RoutePattern {
  readonly entry: RouteEntry
  readonly segments: readonly Segment[]
  /** Whether one or more segments follow. */
  readonly isOpen: boolean
  /** Whether its path ends in a slash. */
  readonly isSlashed: boolean
}

/** A parameter has a name; everything else stands for itself. */
interface Segment {
  readonly name: string | undefined
  readonly text: string
  readonly folded: string
}

/** An operation that an upstream carries out. */
export interface RouteEntry {
  /** The key of the operation in the catalogue. */
  readonly id: string
  readonly operation: Operation
  readonly upstreamName: string
  readonly upstream: Upstream
  readonly route: Route
}

/** The routes of an upstream by the method they answer, the most specific first. */
export type Patterns = ReadonlyMap<string, readonly RoutePattern[]>

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export function patternsOf(entries: readonly RouteEntry[]): Patterns {
  const patterns = entries.map(patternOf)
  return new Map(
    methods.map((method) => {
      const named = patterns.filter(({ entry }) => entry.route.methods.includes(method))
      // Of two routes alike, the one that names HEAD itself is for HEAD: a sort keeps the order of equals.
      const others = method === 'HEAD' ? patterns.filter(({ entry }) => isGetOnly(entry)) : []
      return [method, [...named, ...others].sort(rank)] as const
    }),
  )
}

function isGetOnly({ route }: RouteEntry): boolean {
  return route.methods.includes('GET') && !route.methods.includes('HEAD')
}

function patternOf(entry: RouteEntry): RoutePattern {
  const parts = entry.route.path.split('/').slice(1)
  const isOpen = parts.at(-1) === '*'
  const isSlashed = parts.length > 1 && parts.at(-1) === ''
  const written = isOpen || isSlashed ? parts.slice(0, -1) : parts
  return { entry, isOpen, isSlashed, segments: written.map(segmentOf) }
}

function segmentOf(text: string): Segment {
  return { name: /^\{(\w+)\}$/.exec(text)?.[1], text, folded: text.toLowerCase() }
}

/**
 * @param path canonical, without query.
 * @returns undefined when no route of this method fits.
 * @throws GatewayError PATH_AMBIGUOUS when the path differs from a more specific route in case only, or from the one
 *   it fits in a slash at the end.
 */
export function routeAt(
  patterns: Patterns,
  method: string,
  path: string,
): { readonly entry: RouteEntry; readonly params: Readonly<Record<string, string>> } | undefined {
  const isSlashed = path.length > 1 && path.endsWith('/')
  const texts = (isSlashed ? path.slice(1, -1) : path.slice(1)).split('/')
  // Routes are written without escapes, so they are compared with what the escapes stand for.
  const segments = path.includes('%') ? texts.map(decodeURIComponent) : texts
  let nearly: RoutePattern | undefined
  let otherwiseSlashed: RoutePattern | undefined
  for (const pattern of patterns.get(method) ?? []) {
    const fit = fitOf(pattern, segments)
    if (fit === undefined) continue
    if (fit === 'folded') {
      nearly ??= pattern
      continue
    }
    if (!pattern.isOpen && isSlashed !== pattern.isSlashed) {
      otherwiseSlashed ??= pattern
      continue
    }
    // Its twin with the slash, or without it, may be there as well; anything wider may be cheaper.
    if (otherwiseSlashed && rank(otherwiseSlashed, pattern) !== 0) throw ambiguous(slash)
    if (nearly && rank(nearly, pattern) < 0) {
      throw ambiguous('it differs from the path of another operation in case only')
    }
    return { entry: pattern.entry, params: paramsOf(pattern, segments) }
  }
  if (otherwiseSlashed) throw ambiguous(slash)
  return undefined
}

const slash = 'it differs from the path of an operation in the slash at its end only'

function ambiguous(problem: string): GatewayError {
  return new GatewayError('PATH_AMBIGUOUS', { problem })
}

function fitOf({ segments, isOpen }: RoutePattern, path: readonly string[]): 'exact' | 'folded' | undefined {
  const { length } = segments
  if (isOpen ? path.length <= length : path.length !== length) return undefined
  if (isOpen && path[length] === '') return undefined
  let fit: 'exact' | 'folded' = 'exact'
  for (let index = 0; index < length; index += 1) {
    const segment = segments[index]
    const found = path[index] ?? ''
    if (segment === undefined) return undefined
    if (segment.name !== undefined ? found !== '' : found === segment.text) continue
    if (found.length !== segment.text.length || found.toLowerCase() !== segment.folded) return undefined
    fit = 'folded'
  }
  return fit
}

/** Negative when `one` is the more specific of two that fit the same path, 0 when they are alike. */
function rank(one: RoutePattern, other: RoutePattern): number {
  const length = Math.max(one.segments.length, other.segments.length)
  for (let index = 0; index < length; index += 1) {
    const difference = breadth(one, index) - breadth(other, index)
    if (difference !== 0) return difference
  }
  return Number(one.isOpen) - Number(other.isOpen)
}

function breadth({ segments }: RoutePattern, index: number): number {
  const segment = segments[index]
  if (!segment) return 2
  return segment.name === undefined ? 0 : 1
}

function paramsOf({ segments }: RoutePattern, path: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [index, { name }] of segments.entries()) if (name !== undefined) params[name] = path[index] ?? ''
  return params
}
