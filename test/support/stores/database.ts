import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

/**
 * Makes an empty database in the run's PostgreSQL, which lasts as long as the server.
 * @returns its address.
 */
export function emptyDatabase(): Promise<string> {
  return createDatabase('')
}

/**
 * Makes a database with the gateway's tables and no rows. A test of the first start takes an empty one.
 * @returns its address.
 */
export function freshDatabase(): Promise<string> {
  return copyDatabase(inject('templateUrl'))
}

/**
 * Makes a copy of a database that nothing is connected to, as a backup has it. PostgreSQL copies its files: the usual
 * way through the write-ahead log takes twice the processor time.
 * @returns its address.
 */
export function copyDatabase(url: string): Promise<string> {
  return createDatabase(`template ${new URL(url).pathname.slice(1)} strategy file_copy`)
}

async function createDatabase(options: string): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  try {
    await client.query(`create database ${name} ${options}`)
  } finally {
    await client.end()
  }
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  return url.href
}
