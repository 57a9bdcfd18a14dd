import ipaddr from 'ipaddr.js'
import { parseUsdc } from '../money.ts'
import type { Allowance } from './limits.ts'
import type { MeterUnit, WrittenPrice } from './prices.ts'
import type { Route, WrittenUpstream } from './upstreams.ts'

/** Finds contradictions between entries of a catalog that are each valid alone. */

interface CatalogFault {
  readonly path: readonly string[]
  readonly message: string
}

interface Leads {
  readonly upstream?: string | undefined
  readonly route?: Route | undefined
}

interface Entry extends Leads {
  readonly price?: WrittenPrice | undefined
  readonly settle?: 'after' | 'before' | 'before_for_new_payers'
  readonly charge_failed?: string | undefined
  readonly free?: Allowance | undefined
}

/** The entries that are valid in the keys that count here. */
export interface CatalogParts {
  readonly upstreams: Readonly<
    Record<string, Pick<WrittenUpstream, 'prefix' | 'host' | 'targets' | 'private'>>
  >
  readonly operations: Readonly<Record<string, Entry>>
  /** Where operations lead, whatever else is wrong with them. */
  readonly routes: Readonly<Record<string, Leads>>
  readonly tiers: Readonly<
    Record<string, { readonly operations: Readonly<Record<string, readonly Allowance[]>> }>
  >
  /** Of all entries, the faulty ones too. */
  readonly names: { readonly upstreams: readonly string[]; readonly operations: readonly string[] }
}

/** @param ownPrefixes the prefixes of our own paths. */
export function* crossFaults(
  { upstreams, operations, routes, tiers, names }: CatalogParts,
  ownPrefixes: readonly string[],
): Generator<CatalogFault> {
  yield* sharedPlaces(upstreams, ownPrefixes)
  yield* hiddenTargets(upstreams)
  yield* routeFaults(routes, names.upstreams)
  for (const [id, operation] of Object.entries(operations)) {
    const at = (key: string) => ['operations', id, key]
    const { upstream, price, settle, free } = operation
    if (typeof price === 'object' && upstream === undefined) {
      yield { path: at('price'), message: 'only an operation of an upstream can have a price per unit' }
    }
    if (unitOf(price) !== undefined && settle === 'before') {
      yield {
        path: at('settle'),
        message: 'a metered call is settled at its end: leave settle out, or write before_for_new_payers',
      }
    }
    const chargeFault = chargeFailedFault(operation)
    if (chargeFault) yield { path: at('charge_failed'), message: chargeFault }
    if (free) yield* unitFaults(free, price, at('free'))
  }
  for (const [name, tier] of Object.entries(tiers)) {
    for (const [id, allowances] of Object.entries(tier.operations)) {
      const isFaulty = names.operations.includes(id) && !Object.hasOwn(operations, id)
      if (isFaulty) continue
      for (const allowance of allowances) {
        yield* unitFaults(allowance, operations[id]?.price, ['tiers', name, 'operations', id])
      }
    }
  }
}

function* routeFaults(
  leads: CatalogParts['routes'],
  upstreams: CatalogParts['names']['upstreams'],
): Generator<CatalogFault> {
  const taken = new Map<string, string>()
  for (const [id, { upstream, route }] of Object.entries(leads)) {
    const at = (key: string) => ['operations', id, key]
    const isKnown = upstream === undefined || upstreams.includes(upstream)
    if (!isKnown) {
      const message = `there is no upstream with this name; there are: ${upstreams.join(', ') || 'none'}`
      yield { path: at('upstream'), message }
    }
    if (upstream === undefined && route !== undefined) {
      yield { path: at('route'), message: 'upstream is missing: upstream and route go together' }
    }
    // The preset of an upstream with the right name may set it.
    if (isKnown && upstream !== undefined && route === undefined) {
      yield { path: at('upstream'), message: 'route is missing: upstream and route go together' }
    }
    for (const method of route?.methods ?? []) {
      // Paths that differ only in the names of parameters are the same.
      const place = `${upstream} ${method} ${route?.path.replace(/\{\w+\}/g, '{}')}`
      const other = taken.get(place)
      if (other !== undefined) yield { path: at('route'), message: `${other} has the same route` }
      taken.set(place, id)
    }
  }
}

/**
 * A path must belong to one upstream only, and our own paths to none. The gateway tries the routes of
 * upstreams first, so an upstream at `/operator` or `/api` would receive the operator's requests or our own
 * paid calls.
 */
function* sharedPlaces(
  upstreams: CatalogParts['upstreams'],
  ownPrefixes: readonly string[],
): Generator<CatalogFault> {
  const named = Object.entries(upstreams)
  for (const [index, [name, one]] of named.entries()) {
    const own = ownPrefixes.find((path) => one.prefix !== undefined && areNested(one.prefix, path))
    if (own !== undefined) {
      yield {
        path: ['upstreams', name, 'prefix'],
        message: `would hide our own paths, such as ${own}: choose another`,
      }
    }
    for (const [other, two] of named.slice(0, index)) {
      if (one.host !== undefined && one.host === two.host) {
        yield { path: ['upstreams', name, 'host'], message: `${other} has the same host` }
      }
      if (one.prefix !== undefined && two.prefix !== undefined && areNested(one.prefix, two.prefix)) {
        yield {
          path: ['upstreams', name, 'prefix'],
          message: `overlaps with the prefix of ${other}`,
        }
      }
    }
  }
}

/**
 * Finds targets with a private address: no call would ever reach them. A host name is checked later, each
 * time that it is resolved.
 */
function* hiddenTargets(upstreams: CatalogParts['upstreams']): Generator<CatalogFault> {
  for (const [name, { targets, private: isPrivate }] of Object.entries(upstreams)) {
    for (const [index, target] of targets.entries()) {
      if (isPrivate || !isHidden(URL.parse(target)?.hostname ?? '')) continue
      yield {
        path: ['upstreams', name, 'targets', String(index)],
        message: 'is on this machine or in a private network, which needs private: true',
      }
    }
  }
}

/** @param host as in a URL: addresses in normal form, IPv6 in brackets. */
function isHidden(host: string): boolean {
  if (/(^|\.)localhost$/.test(host)) return true
  const address = host.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(address) && ipaddr.process(address).range() !== 'unicast'
}

function areNested(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`)
}

function* unitFaults(
  { unit, limit }: Allowance,
  price: WrittenPrice | undefined,
  path: readonly string[],
): Generator<CatalogFault> {
  if (unit === 'calls') return
  const meter = typeof price === 'object' && price.per !== 'request' ? price : undefined
  if (meter?.per !== unit) {
    yield { path, message: `counts ${unit}, and the price of this operation is not per ${unit}` }
  } else if (meter.max_units === undefined) {
    yield { path, message: `counts ${unit}, so the price of the operation needs max_units` }
  } else if (limit < meter.max_units) {
    yield { path, message: `no call could pass: each reserves ${meter.max_units} ${unit} (max_units)` }
  }
}

function chargeFailedFault({ charge_failed: charged, upstream, price }: Entry): string | undefined {
  if (charged === undefined) return undefined
  if (upstream === undefined) {
    return 'only an operation of an upstream can charge for failed calls: ours refuse a wrong request before it is paid'
  }
  if (price === undefined) return 'nothing is sold here: leave it out'
  if (charged === 'price') return undefined
  if (typeof price === 'string' || price.per === 'request') {
    return 'must be `price`: a payment of a fixed amount moves all of it'
  }
  return parseUsdc(charged) > parseUsdc(price.max) ? `must not be above max (${price.max})` : undefined
}

function unitOf(price: WrittenPrice | undefined): MeterUnit | undefined {
  return typeof price === 'object' && price.per !== 'request' ? price.per : undefined
}
