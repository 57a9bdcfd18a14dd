import { monitorEventLoopDelay } from 'node:perf_hooks'

const resolutionMs = 5

/** Measures for how long this thread's own event loop stands still. */
export function watchLag(): {
  /** @returns the longest time, in milliseconds. */
  stop(): number
} {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  delay.enable()
  return {
    stop() {
      delay.disable()
      return delay.count === 0 ? 0 : Math.max(0, Math.round(delay.max / 1e6 - resolutionMs))
    },
  }
}
