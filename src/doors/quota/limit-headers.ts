import type { Allowance } from '../../core/catalog/limits.ts'

/** The state of a limit after a call. */
export interface LimitWindow {
  readonly name: 'rate' | 'day' | 'month'
  readonly unit: Allowance['unit']
  /** The units that a call reserves. It is refused when fewer remain. */
  readonly units: number
  readonly limit: number
  readonly remaining: number
  /** Milliseconds until the window ends. */
  readonly resetMs: number
  /** Length of the window. */
  readonly seconds: number
}

/**
 * Makes the headers about the limits that a call was counted against: X-RateLimit-* (specification part 7)
 * for the limit with the fewest calls left, and RateLimit and RateLimit-Policy
 * (draft-ietf-httpapi-ratelimit-headers) for all of them. Without a limit there are no headers.
 */
export function limitHeaders(windows: readonly LimitWindow[]): Readonly<Record<string, string>> {
  let closest = windows[0]
  if (!closest) return {}
  let left = ''
  let policies = ''
  for (const window of windows) {
    if (callsLeft(window) < callsLeft(closest)) closest = window
    const { name, remaining, limit, unit, seconds } = window
    const comma = left === '' ? '' : ', '
    left += `${comma}"${name}";r=${remaining};t=${secondsLeft(window)}`
    policies += `${comma}"${name}";q=${limit}${quotaUnits[unit]};w=${seconds}`
  }
  return {
    'x-ratelimit-limit': String(closest.limit),
    'x-ratelimit-remaining': String(closest.remaining),
    'x-ratelimit-reset': String(secondsLeft(closest)),
    ratelimit: left,
    'ratelimit-policy': policies,
  }
}

/** Units of the draft: `requests` is its default, and it has its own name for bytes. */
const quotaUnits: Readonly<Record<Allowance['unit'], string>> = {
  calls: '',
  tokens: ';qu="tokens"',
  bytes: ';qu="content-bytes"',
  seconds: ';qu="seconds"',
  items: ';qu="items"',
}

function callsLeft({ remaining, units }: LimitWindow): number {
  return remaining / units
}

/** Whole seconds until the window ends, rounded up. */
function secondsLeft({ resetMs }: LimitWindow): number {
  return Math.ceil(resetMs / 1000)
}
