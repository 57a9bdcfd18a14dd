import type { Clock } from '../../core/clock.ts'
import type { Queries } from './database.ts'

/** The store, with the clock that gives the times written into it. */
export interface Books {
  readonly queries: Queries
  readonly clock: Clock
}
