import type { LogEvent } from 'kysely'
import type { Dependency, Outages } from '../../core/outages.ts'

/**
 * What the log calls an outage of the store. A statement that the database refuses for its content is a fault of ours
 * and no outage.
 */

const means = 'calls that need a key, a quota, a payment or a scan are refused with 503'
export const postgres: Dependency = { name: 'PostgreSQL', means, code: 'BOOKS_UNAVAILABLE' }
export const embeddedStore: Dependency = { name: 'the embedded store', means, code: 'BOOKS_UNAVAILABLE' }

/** For Kysely, which calls this after each query: reports one that works, and one that fails because the store is down. */
export function reportQueries(outages: Outages, store: Dependency): (event: LogEvent) => void {
  return (event) => {
    if (event.level === 'query') outages.works(store)
    else if (isStoreDown(event.error)) outages.failed(store, event.error)
  }
}

/** Whether an error of the database driver says that the database cannot work now, whatever it is asked. */
export function isStoreDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && typeof error.code === 'string') return downCodes.test(error.code)
  return downMessages.test(error.message)
}

/**
 * Errors of the network, and the SQLSTATEs of a broken connection (08), missing resources such as disk space (53), a
 * stop by the operator (57P), an error of the system (58), and a server that became a replica (25006).
 */
const downCodes = /^(?:E[A-Z_]{4,}|08[0-9A-Z]{3}|53[0-9A-Z]{3}|57P[0-9A-Z]{2}|58[0-9A-Z]{3}|25006)$/

/** Errors that node-postgres makes without a code. */
const downMessages =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout)/
