import type { Migration } from 'kysely/migration'
import { up as payments } from './migrations/0001-payments.ts'
import { up as sales } from './migrations/0002-sales.ts'

/**
 * How the tables came to be, oldest first. A migration that has shipped is never edited: stores in
 * the field have run it already.
 */
export const migrations: Record<string, Migration> = {
  '0001_payments': { up: payments },
  '0002_sales': { up: sales },
}
