import type { Clock } from '../../core/clock.ts'
import type { Queries } from './database.ts'

/** The store, with the clock that gives the times written into it. */
export interface Books {
  readonly queries: Queries
  readonly clock: Clock
  /** This process: another word at each start. It stands in the payments that the process holds. */
  readonly gateway?: string
}
