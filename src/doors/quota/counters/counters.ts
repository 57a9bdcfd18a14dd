/**
 * How many units a subject has used in a day or month. A gateway that first read a counter and then wrote it
 * would give the last unit to two calls at once. So units are taken in one step, and given back when the call
 * fails or uses less than was reserved for it.
 */
export interface Counters {
  /**
   * Takes its units from each counter, or from none. All counters are of one subject, and no two are the
   * same.
   */
  take(counters: readonly Counter[]): Promise<TakeResult>
  /** Gives its units back to each counter, never below zero. */
  give(counters: readonly Counter[]): Promise<void>
  /** Reads what a subject has used in these periods. Counters at zero are left out. */
  used(subject: string, periods: readonly string[]): Promise<readonly Usage[]>
  /** Deletes counters of old periods: days after 3 days, months after 13 months. */
  forget(now: number): Promise<void>
  /** Closes the counters. The store or Redis that they use is closed after them. */
  close(): Promise<void>
}

export interface Counter {
  /** `key:<id>`, `oidc:<subject>` or `client:<address>`. */
  readonly subject: string
  /**
   * What is counted: the calls of an operation, by its id, or its units, by the name that `countedAs` gives.
   */
  readonly operation: string
  /** As `periodOf` names it. */
  readonly period: string
  /** `Number.MAX_SAFE_INTEGER` for a counter without a limit. */
  readonly limit: number
  /** How many units to take or give back: a whole number above zero. A call counts as 1. */
  readonly units: number
}

export type TakeResult =
  /** The units were taken. `used` has the new value of each counter. */
  | { readonly kind: 'taken'; readonly used: readonly number[] }
  /** Nothing was taken. `at` is the index of the first counter with too few units left. */
  | { readonly kind: 'exhausted'; readonly at: number; readonly used: readonly number[] }

export interface Usage {
  readonly operation: string
  readonly period: string
  readonly used: number
}

/** The store or Redis does not reply, so it is unknown whether enough units are left. */
export class QuotasUnavailable extends Error {
  override readonly name = 'QuotasUnavailable'

  constructor(cause: unknown) {
    super('units cannot be counted', { cause })
  }
}

/** Turns every error of the work into QuotasUnavailable. */
export async function orUnavailable<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (cause) {
    throw new QuotasUnavailable(cause)
  }
}
