import type { Allowance } from '../../core/catalog/limits.ts'

/** A limit as it stands after a call. */
export interface Window {
  readonly name: 'rate' | 'day' | 'month'
  /** What is limited. */
  readonly unit: Allowance['unit']
  /** How many a call must find left: it is refused when fewer remain. */
  readonly units: number
  readonly limit: number
  readonly remaining: number
  /** Until it begins anew. */
  readonly resetMs: number
  /** How long it is. */
  readonly seconds: number
}

/**
 * What a reply says of the limits it was counted against: X-RateLimit-* (specification part 7) for the one that
 * lets the fewest further calls pass, and all of them in RateLimit and RateLimit-Policy
 * (draft-ietf-httpapi-ratelimit-headers). Without a limit it says nothing.
 */
export function limitHeaders(windows: readonly Window[]): Readonly<Record<string, string>> {
  let closest = windows[0]
  if (!closest) return {}
  for (const window of windows) if (callsLeft(window) < callsLeft(closest)) closest = window
  return {
    'x-ratelimit-limit': String(closest.limit),
    'x-ratelimit-remaining': String(closest.remaining),
    'x-ratelimit-reset': seconds(closest),
    ratelimit: windows.map((one) => `"${one.name}";r=${one.remaining};t=${seconds(one)}`).join(', '),
    'ratelimit-policy': windows.map(policy).join(', '),
  }
}

function policy({ name, limit, unit, seconds }: Window): string {
  return `"${name}";q=${limit}${quotaUnits[unit]};w=${seconds}`
}

/** `requests` is what the draft takes for granted, and it has a name of its own for bytes. */
const quotaUnits: Readonly<Record<Allowance['unit'], string>> = {
  calls: '',
  tokens: ';qu="tokens"',
  bytes: ';qu="content-bytes"',
  seconds: ';qu="seconds"',
  items: ';qu="items"',
}

function callsLeft({ remaining, units }: Window): number {
  return remaining / units
}

/** Whole seconds until it begins anew, never too few. */
function seconds({ resetMs }: Window): string {
  return String(Math.ceil(resetMs / 1000))
}
