import pLimit from 'p-limit'
import type { Depth } from '../site/capture.ts'

/** Waits for a free place and then does the work. */
type Turn = <Result>(work: () => Promise<Result>) => Promise<Result>

/** One thread judges full scans, and one judges all others. */
export function judgingTurns(): Readonly<Record<Depth, Turn>> {
  return takeTurns(pLimit(1), pLimit(1))
}

/** One thread reads for scans that are fetching. */
export function readingTurns(): Readonly<Record<Depth, Turn>> {
  const reader = pLimit(1)
  return takeTurns(reader, reader)
}

/**
 * A scan waits behind scans of its own depth and behind at most one of a greater depth. Only one basic scan
 * and one full scan at a time may stand in a queue beside light scans. So a light scan starts within seconds,
 * however many full scans wait, and a full scan waits only for earlier ones.
 */
function takeTurns(quick: Turn, slow: Turn): Readonly<Record<Depth, Turn>> {
  const oneBasic = pLimit(1)
  const oneFull = pLimit(1)
  return {
    light: quick,
    basic: (work) => oneBasic(() => quick(work)),
    full: (work) => oneFull(() => slow(work)),
  }
}
