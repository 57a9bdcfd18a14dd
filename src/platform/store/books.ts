import type { Clock } from '../../core/clock.ts'
import type { Queries } from './database.ts'

/** The store and the clock that everything written in the books goes by. */
export interface Books {
  readonly queries: Queries
  readonly clock: Clock
}
