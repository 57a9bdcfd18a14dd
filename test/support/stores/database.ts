import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

/**
 * Makes an empty database in the run's PostgreSQL, which lasts as long as the server.
 * @returns its address.
 */
export async function emptyDatabase(): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  try {
    await client.query(`create database ${name}`)
  } finally {
    await client.end()
  }
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  return url.href
}
