/** A limit as it stands after a call. */
export interface Window {
  readonly name: 'rate' | 'day' | 'month'
  readonly limit: number
  readonly remaining: number
  /** Until it begins anew. */
  readonly resetMs: number
  /** How long it is. */
  readonly seconds: number
}

/**
 * What a reply says of the limits it was counted against: X-RateLimit-* (specification part 7) for the one that
 * is closest to its end, and all of them in RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers).
 * Without a limit it says nothing.
 */
export function limitHeaders(windows: readonly Window[]): Readonly<Record<string, string>> {
  let closest = windows[0]
  if (!closest) return {}
  for (const window of windows) if (window.remaining < closest.remaining) closest = window
  return {
    'x-ratelimit-limit': String(closest.limit),
    'x-ratelimit-remaining': String(closest.remaining),
    'x-ratelimit-reset': seconds(closest),
    ratelimit: windows.map((one) => `"${one.name}";r=${one.remaining};t=${seconds(one)}`).join(', '),
    'ratelimit-policy': windows.map((one) => `"${one.name}";q=${one.limit};w=${one.seconds}`).join(', '),
  }
}

/** Whole seconds until it begins anew, never too few. */
function seconds({ resetMs }: Window): string {
  return String(Math.ceil(resetMs / 1000))
}
