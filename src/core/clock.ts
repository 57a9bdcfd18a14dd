/** The time. Code takes a clock as an argument, so that a test can move it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** Now in whole Unix seconds, as EIP-3009 windows and the specification's `createdAt` count them. */
export function unixNow(clock: Clock): number {
  return Math.floor(clock.now() / 1000)
}

/** A date in whole Unix seconds. */
export function unixSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}
