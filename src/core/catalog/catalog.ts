import type { Allowance, Rate } from './limits.ts'
import type { Listing } from './listing.ts'
import type { PricedOperation } from './priced-operation.ts'
import type { Route, Upstream } from './upstreams.ts'

/**
 * What is offered, to whom, and for how much: `pricing/catalog.yaml` as the program uses it
 * (`catalog-schema.ts` reads it). Every document that names a price and every stage that charges one reads
 * this value, so they cannot disagree. It holds plain values only and is never changed: a reload makes
 * another catalog, and a call keeps the operation that it began with.
 */
export interface Catalog {
  readonly provider: {
    readonly name: string
    readonly description: string
    readonly website?: string | undefined
    /** `mailto:` or https. */
    readonly contact?: string | undefined
    /** Address of an image. */
    readonly icon?: string | undefined
    readonly tags?: readonly string[] | undefined
    /** Who the operator is, in some sentences. */
    readonly about?: string | undefined
    /** In one line. */
    readonly address?: string | undefined
    readonly phone?: string | undefined
    /** Pages about the operator elsewhere. */
    readonly profiles?: readonly string[] | undefined
    /** Addresses of pages. */
    readonly terms?: string | undefined
    readonly privacy?: string | undefined
  }
  /** By name. */
  readonly upstreams: Readonly<Record<string, Upstream>>
  /** By operation id. */
  readonly operations: Readonly<Record<string, Operation>>
  /** By name. */
  readonly tiers: Readonly<Record<string, Tier>>
}

export type Operation =
  | OpenOperation
  | OptionalOperation
  | KeyOperation
  | HolderOperation
  | SoldOperation
  | TierOperation

interface OperationBase {
  readonly description: string
  /** How long the handler may take, in seconds. */
  readonly deadlineSeconds: number
  /** What a payment pays for; undefined where no payment opens the operation. */
  readonly priced?: PricedOperation | undefined
}

/** Of an operation that an upstream carries out. */
interface Routed {
  readonly upstream?: string | undefined
  readonly route?: Route | undefined
}

/** Every caller may use it; nothing is counted or charged. */
interface OpenOperation extends OperationBase, Routed {
  readonly access: 'open'
  readonly priced?: undefined
}

/** Callers without a key have a free quota. */
export interface OptionalOperation extends OperationBase, Routed {
  readonly access: 'optional'
  /** Undefined: no limit in a day. */
  readonly free?: Allowance | undefined
  readonly rate?: Rate | undefined
}

/** Only for keys whose tier covers it. */
interface KeyOperation extends OperationBase, Routed {
  readonly access: 'key'
  readonly priced?: undefined
}

/** For every key, of any tier; nothing is counted. */
interface HolderOperation extends OperationBase {
  readonly access: 'holder'
  readonly priced?: undefined
}

/** Needs a payment, or the key of a tier that covers it. */
export interface SoldOperation extends OperationBase, Routed {
  readonly access: 'price'
  readonly priced: PricedOperation
}

/** Sells keys: a call of it becomes one of these offers, by the tier that it asks for. */
export interface TierOperation extends OperationBase {
  readonly access: 'tier'
  readonly validitySeconds: number
  readonly priced?: undefined
  /** By the name of the tier; only tiers that have a price. */
  readonly offers: Readonly<Record<string, SoldOperation>>
}

/** The longest time for which a 402 of this catalog asks a payment to be valid; 0 where nothing is sold. */
export function longestValiditySeconds({ operations }: Pick<Catalog, 'operations'>): number {
  const sold = Object.values(operations).map((one) => (one.access === 'tier' ? one : one.priced))
  return Math.max(0, ...sold.map((one) => one?.validitySeconds ?? 0))
}

/** Who lists an operation; undefined where it is not to be listed. */
export function listingOf(operation: Operation): Listing | undefined {
  if (operation.access !== 'tier') return operation.priced?.listing
  return Object.values(operation.offers)[0]?.priced.listing
}

/** What the holder of a key has. */
export interface Tier {
  readonly description: string
  /** Price of a key in decimal USDC; undefined where only the operator gives out keys. */
  readonly price?: string | undefined
  /** How long a purchase or renewal of a key lasts. */
  readonly days: number
  /** Limits the rate of a key, over all its operations. */
  readonly rate?: Rate | undefined
  /** Background work of a higher number goes first. */
  readonly priority: number
  /** The ids of the operations that a key may call; an empty list allows all. */
  readonly operations: Readonly<Record<string, readonly Allowance[]>>
}

/** Finds a tier by the name in a token or a request. Ignores inherited properties such as `constructor`. */
export function findTier(tiers: Catalog['tiers'], name: string): Tier | undefined {
  return Object.hasOwn(tiers, name) ? tiers[name] : undefined
}
