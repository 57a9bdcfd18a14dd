import { isDeepStrictEqual } from 'node:util'
import { parseUsdc } from '../money.ts'
import { type Catalog, listingOf, type Operation } from './catalog.ts'
import { keptDays } from './listing.ts'
import type { PricedOperation } from './priced-operation.ts'
import type { Route } from './upstreams.ts'

/** Something in a catalog that is allowed and that may give away what is sold, or not do what it is for. */
export interface CatalogWarning {
  readonly path: readonly string[]
  readonly message: string
}

/**
 * Finds the protected routes of a server beside which a wider route costs less. Many servers answer `/premium`
 * with the file of `/premium.html`, or `/premium.html` with that of `/premium.html/x`. No gateway can know which
 * names a server takes for one, so a call of the second name passes by the wider route, free or cheaper.
 */
export function routeWarnings({
  operations,
  upstreams,
}: Pick<Catalog, 'operations' | 'upstreams'>): CatalogWarning[] {
  const isOneServer = (one: string, other: string) =>
    one === other ||
    (upstreams[one]?.targets ?? []).some((target) => upstreams[other]?.targets.includes(target))
  const routed = Object.entries(operations).flatMap(([id, operation]) => routedOf(id, operation))
  return routed.flatMap((one) => {
    const wider = routed.filter(
      (other) =>
        isOneServer(one.upstream, other.upstream) &&
        isBeside(one, other) &&
        isCheaper(other.operation, one.operation),
    )
    if (wider.length === 0) return []
    const names = wider.map(({ id, route }) => `${id} (${route.path})`).join(', ')
    const message = `an open or cheaper route stands beside it: ${names}. A server that has the same under another name, such as the path without its suffix, gives it away there. List what is open instead, or make sure that the server knows one name only`
    return [{ path: ['operations', one.id, 'route'], message }]
  })
}

/** Finds the operations that their facilitator would drop before the next payment goes through it. */
export function listingWarnings({ operations }: Pick<Catalog, 'operations'>): CatalogWarning[] {
  return Object.entries(operations).flatMap(([id, operation]) => {
    const { everyDays = 0 } = listingOf(operation) ?? {}
    if (everyDays <= keptDays) return []
    const message = `facilitators drop what they have not settled for ${keptDays} days: write ${keptDays}d or less, better 14d`
    return [{ path: ['operations', id, 'listing', 'every'], message }]
  })
}

interface RoutedOperation {
  readonly id: string
  readonly operation: Operation
  readonly upstream: string
  readonly route: Route
  readonly segments: readonly string[]
  /** Whether its path ends in `*`, which the segments leave out. */
  readonly isOpen: boolean
}

function routedOf(id: string, operation: Operation): RoutedOperation[] {
  if (operation.access === 'holder' || operation.access === 'tier') return []
  const { upstream, route } = operation
  if (upstream === undefined || route === undefined) return []
  const segments = route.path.split('/').filter((segment) => segment !== '')
  const isOpen = segments.at(-1) === '*'
  return [{ id, operation, upstream, route, segments: isOpen ? segments.slice(0, -1) : segments, isOpen }]
}

/** Whether `wide` serves other names of what `narrow` serves. */
function isBeside(narrow: RoutedOperation, wide: RoutedOperation): boolean {
  if (narrow.id === wide.id) return false
  if (!narrow.route.methods.some((method) => serves(wide.route, method))) return false
  const { length } = wide.segments
  if (wide.isOpen) return length <= narrow.segments.length && fits(wide.segments, narrow.segments)
  if (narrow.isOpen || !isParameter(wide.segments.at(-1))) return false
  const last = narrow.segments.at(-1) ?? ''
  if (length === narrow.segments.length) return !isParameter(last) && fits(wide.segments, narrow.segments)
  // `/premium` serves the file `/premium/index.html`.
  return (
    /^(?:index|default)\b/.test(last) &&
    length === narrow.segments.length - 1 &&
    fits(wide.segments, narrow.segments)
  )
}

function serves({ methods }: Route, method: string): boolean {
  return methods.includes(method) || (method === 'HEAD' && methods.includes('GET'))
}

/** Whether the segments of a wider route match those of a narrower one, as far as they go. */
function fits(wide: readonly string[], narrow: readonly string[]): boolean {
  return wide.every((segment, index) => isParameter(segment) || segment === narrow[index])
}

function isParameter(segment: string | undefined): boolean {
  return segment?.startsWith('{') ?? false
}

/** Whether callers get the calls of `one` for less than those of `other`. */
function isCheaper(one: Operation, other: Operation): boolean {
  const isFree = one.access === 'open' || one.access === 'optional'
  if (other.access === 'key') return isFree
  if (other.priced === undefined) return false
  if (one.access === 'open') return true
  // A key's calls cost nothing each.
  if (one.access === 'key') return other.access === 'price'
  if (isFree && (other.access === 'price' || one.priced === undefined)) return true
  return one.priced !== undefined && costsLess(one.priced, other.priced)
}

/** Whether a call of `one` can cost less than a call of `other` can. */
function costsLess(one: PricedOperation, other: PricedOperation): boolean {
  const isSame = isDeepStrictEqual(
    [one.price, one.meter, one.expression],
    [other.price, other.meter, other.expression],
  )
  return !isSame && leastOf(one) < parseUsdc(other.price)
}

function leastOf({ price, meter, expression }: PricedOperation): bigint {
  const counted = meter ?? expression
  if (!counted) return parseUsdc(price)
  if (expression?.freeWhen !== undefined) return 0n
  return counted.base === undefined ? 0n : parseUsdc(counted.base)
}
