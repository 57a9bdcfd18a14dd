/** The time. Code takes a clock as an argument, so that a test can move it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** The time in whole Unix seconds, the unit of EIP-3009 and of the specification's `createdAt`. */
export function unixNow(clock: Clock): number {
  return Math.floor(clock.now() / 1000)
}

/** A date in whole Unix seconds. */
export function unixSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}
