import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Use } from './use.ts'

/**
 * Bounds what large requests cost us that fail by their caller's making. Such a call gives its units back, and
 * reading megabytes that the upstream then refuses is work all the same: without a bound, a caller with one
 * unit left could have it done for ever. The same bound holds for payers (`MAX_FAILED_RUNS`).
 */
export class LargeRefusals {
  readonly #limiter = new RateLimiterMemory({ points: perMinute, duration: 60 })

  /** Whether a failed call of this use is given back: a small one always, and so many large ones a minute. */
  async isGivenBack(use: Use): Promise<boolean> {
    if (bytesOf(use) <= maxSmallBytes) return true
    const { consumedPoints } = await this.#limiter.penalty(use.subject)
    return consumedPoints <= perMinute
  }
}

/** What stays taken of a call that failed. */
export interface Kept {
  readonly calls: number
  /** Of an allowance in units. */
  readonly units: number
}

export const nothingKept: Kept = { calls: 0, units: 0 }

/** The call, and the units of its request by its length. */
export function ofLargeRequest(use: Use): Kept {
  switch (use.meter?.per) {
    case 'tokens':
      return { calls: 1, units: Math.ceil(bytesOf(use) / 4) }
    case 'bytes':
      return { calls: 1, units: bytesOf(use) }
    case 'seconds':
    case 'items':
    case undefined:
      return { calls: 1, units: 1 }
  }
}

function bytesOf({ requestBytes }: Use): number {
  return requestBytes?.() ?? 0
}

const perMinute = 6
/** Reading so few bytes costs no more than any call. */
const maxSmallBytes = 16_384
