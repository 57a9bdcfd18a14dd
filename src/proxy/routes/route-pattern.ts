import type { Operation } from '../../core/catalog/catalog.ts'
import type { Route, Upstream } from '../../core/catalog/upstreams.ts'
import { GatewayError } from '../../core/errors.ts'

interface RoutePattern {
  readonly entry: RouteEntry
  readonly segments: readonly Segment[]
  /** Whether it ends in `*`: one or more segments follow. */
  readonly isOpen: boolean
  /** Whether its path ends in a slash. */
  readonly isSlashed: boolean
}

interface Segment {
  /** Of a parameter; undefined for fixed text. */
  readonly name: string | undefined
  readonly text: string
  readonly lowerCase: string
}

/** An operation that an upstream carries out. */
export interface RouteEntry {
  /** The operation id in the catalog. */
  readonly id: string
  readonly operation: Operation
  readonly upstreamName: string
  readonly upstream: Upstream
  readonly route: Route
}

/** The routes of an upstream. */
export interface Patterns {
  /** The most specific first. */
  readonly byMethod: ReadonlyMap<string, readonly RoutePattern[]>
  /** The length of the longest text that the segment of a path is compared with. */
  readonly longestText: number
}

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export function patternsOf(entries: readonly RouteEntry[]): Patterns {
  const patterns = entries.map(patternOf)
  const texts = patterns.flatMap(({ segments }) => segments.map(({ text }) => text.length))
  const byMethod = new Map(
    methods.map((method) => {
      const named = patterns.filter(({ entry }) => entry.route.methods.includes(method))
      // Of two equal routes the one that names HEAD is for HEAD, since a sort keeps the order of equals.
      const others = method === 'HEAD' ? patterns.filter(({ entry }) => isGetOnly(entry)) : []
      return [method, [...named, ...others].sort(rank)] as const
    }),
  )
  return { byMethod, longestText: Math.max(0, ...texts) }
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
  return { name: /^\{(\w+)\}$/.exec(text)?.[1], text, lowerCase: text.toLowerCase() }
}

/**
 * Finds the route of a path. The most specific route wins, segment by segment: fixed text before a parameter,
 * a parameter before `*`. Many servers ignore case, forms of letters and a final slash, so a path that differs from a
 * route only in these must not match a wider and cheaper route.
 *
 * @param path as `splitTarget` returns it
 * @returns undefined when no route of this method matches
 * @throws GatewayError PATH_AMBIGUOUS when the path differs from a more specific route in case only, or from
 *   the route it matches in a final slash only
 */
export function matchRoute(
  patterns: Patterns,
  method: string,
  path: string,
): { readonly entry: RouteEntry; readonly params: Readonly<Record<string, string>> } | undefined {
  const isSlashed = path.length > 1 && path.endsWith('/')
  const texts = (isSlashed ? path.slice(1, -1) : path.slice(1)).split('/')
  // Routes contain no escapes, so they are compared with the decoded path.
  const segments = path.includes('%') ? texts.map(decodeURIComponent) : texts
  const folded = segments.map((segment) => fold(segment, patterns.longestText))
  let differsInCase: RoutePattern | undefined
  let differsInSlash: RoutePattern | undefined
  for (const pattern of patterns.byMethod.get(method) ?? []) {
    const fit = fitOf(pattern, segments, folded)
    if (fit === undefined) continue
    if (fit === 'in another case') {
      differsInCase ??= pattern
      continue
    }
    if (!pattern.isOpen && isSlashed !== pattern.isSlashed) {
      differsInSlash ??= pattern
      continue
    }
    // The same route with, or without, the slash may exist too; any other route is wider and may be cheaper.
    if (differsInSlash && rank(differsInSlash, pattern) !== 0) throw ambiguous(slash)
    if (differsInCase && rank(differsInCase, pattern) < 0) {
      throw ambiguous('it differs from the path of another operation in case only')
    }
    return { entry: pattern.entry, params: paramsOf(pattern, segments) }
  }
  if (differsInSlash) throw ambiguous(slash)
  return undefined
}

const slash = 'it differs from the path of an operation in the slash at its end only'

function ambiguous(problem: string): GatewayError {
  return new GatewayError('PATH_AMBIGUOUS', { problem })
}

type Fit = 'exact' | 'in another case'

/** @param folded the segments of the path as `fold` makes them. */
function fitOf(
  { segments, isOpen }: RoutePattern,
  path: readonly string[],
  folded: readonly string[],
): Fit | undefined {
  const { length } = segments
  if (isOpen ? path.length <= length : path.length !== length) return undefined
  if (isOpen && path[length] === '') return undefined
  let fit: Fit = 'exact'
  for (let index = 0; index < length; index += 1) {
    const segment = segments[index]
    const text = path[index] ?? ''
    if (segment === undefined) return undefined
    if (segment.name !== undefined ? text !== '' : text === segment.text) continue
    if (folded[index] !== segment.lowerCase) return undefined
    fit = 'in another case'
  }
  return fit
}

/**
 * As file systems compare names that ignore case, forms of a letter (U+212A is a K) and characters
 * without width. Routes are ASCII, so most texts need only their lower case.
 *
 * A character with width becomes one or more in ASCII, so a text of more characters than any route has stays as it is.
 * Some letters stand for eighteen others, and to write out 8 kB of them takes about 0.1 ms.
 */
function fold(text: string, longest: number): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase()
  const visible = text.replaceAll(/\p{DI}/gu, '')
  // A character takes two units at most.
  if (visible.length > 2 * longest) return text
  return text
    .normalize('NFKC')
    .replaceAll(/\p{DI}/gu, '')
    .toUpperCase()
    .toLowerCase()
}

/** Negative when `one` is the more specific of two that match the same path, 0 when they are equal. */
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
