import { type RateLimiterMemory, type RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Rate } from '../../../core/catalog/limits.ts'

/**
 * How fast a subject may call, in windows that begin with its first call. Rates are counted in Redis for all
 * gateways together, otherwise in each gateway's memory. A rate protects the service from overload and is not
 * what callers pay for. So a call passes when its rate cannot be counted; when a quota cannot be counted, the
 * call is refused.
 */
export interface Rates {
  /**
   * Counts one call, unless the window is full: a refused call is not counted.
   * @param subject what is limited together. The same subject at another rate is counted apart.
   */
  take(subject: string, rate: Rate): Promise<RateState>
  /** Gives back a call that failed, unless its window has ended. */
  give(subject: string, rate: Rate): Promise<void>
  /** Reads the window and counts nothing; undefined while rates cannot be counted. */
  look(subject: string, rate: Rate): Promise<RateState | undefined>
}

export interface RateState {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Milliseconds until the window ends. */
  readonly resetMs: number
}

/** The Redis key of a window. */
export function rateKey(rate: Rate, subject: string): string {
  return `${limiterOptions(rate).keyPrefix}:${subject}`
}

/**
 * The options of the limiter for a rate. The rate is a part of the key, so a rate that the catalog changes
 * while the gateway runs begins new windows.
 */
export function limiterOptions(rate: Rate) {
  return { keyPrefix: `tollgate:rate:${limiterName(rate)}`, points: rate.calls, duration: rate.seconds }
}

/** Names the limiter of a rate: rates that allow the same share one. */
export function limiterName({ calls, seconds }: Rate): string {
  return `${calls}/${seconds}`
}

/** Counts one call. The library rejects with a `RateLimiterRes`, which is not an error, when the window is full. */
export async function consume(
  limiter: RateLimiterMemory | RateLimiterRedis,
  subject: string,
): Promise<RateState> {
  try {
    return stateOf(true, limiter.points, await limiter.consume(subject))
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return stateOf(false, limiter.points, refusal)
    throw refusal
  }
}

/** The state of a window that was only read. A window without calls, or one that has ended, is whole. */
export function stateNow(limit: number, window: RateLimiterRes | null): RateState {
  if (window && window.msBeforeNext > 0) return stateOf(window.remainingPoints > 0, limit, window)
  return { allowed: true, limit, remaining: limit, resetMs: 0 }
}

function stateOf(
  allowed: boolean,
  limit: number,
  { remainingPoints, msBeforeNext }: RateLimiterRes,
): RateState {
  return { allowed, limit, remaining: remainingPoints, resetMs: Math.max(msBeforeNext, 0) }
}
