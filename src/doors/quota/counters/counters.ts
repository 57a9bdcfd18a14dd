/**
 * How many units somebody has used in a day or month, and whether enough are left. A quota that is
 * looked up and then written down is given away twice to two calls at once, so units are taken in one
 * step, and given back when the call comes to nothing or to less than was set aside for it.
 */
export interface Counters {
  /** Its units from each, all or none. No counter is named twice, and all are of one subject. */
  take(counters: readonly Counter[]): Promise<TakeResult>
  /** Gives its units back to each, never below zero. */
  give(counters: readonly Counter[]): Promise<void>
  /** What a subject has used in these periods, without what it has not used. */
  used(subject: string, periods: readonly string[]): Promise<readonly Usage[]>
  /** Drops counters of periods that ended long ago: days after 3 days, months after 13 months. */
  forget(now: number): Promise<void>
  /** The counters first, then what they count in. */
  close(): Promise<void>
}

export interface Counter {
  /** `key:<id>`, `oidc:<subject>` or `client:<address>`. */
  readonly subject: string
  /** What is counted: calls of an operation by its id, and what they use as `countedAs` names it. */
  readonly operation: string
  /** As `periodOf` names it. */
  readonly period: string
  /** `Number.MAX_SAFE_INTEGER` when it is only counted. */
  readonly limit: number
  /** How many are taken or given back at once, a whole number above zero; a call counts as 1. */
  readonly units: number
}

export type TakeResult =
  /** `used` after it, by counter. */
  | { readonly kind: 'taken'; readonly used: readonly number[] }
  /** `at` is the index of the first counter with too few left; nothing was taken from any. */
  | { readonly kind: 'exhausted'; readonly at: number; readonly used: readonly number[] }

export interface Usage {
  readonly operation: string
  readonly period: string
  readonly used: number
}

/** The store or Redis cannot answer, so nobody knows whether enough units are left; the cause says why. */
export class QuotasUnavailable extends Error {
  override readonly name = 'QuotasUnavailable'

  constructor(cause: unknown) {
    super('units cannot be counted', { cause })
  }
}

/** @throws QuotasUnavailable for whatever the work throws. */
export async function orUnavailable<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (cause) {
    throw new QuotasUnavailable(cause)
  }
}
