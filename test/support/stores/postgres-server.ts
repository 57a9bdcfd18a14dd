import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { createLog } from '../../../src/core/log.ts'
import { openPostgres } from '../../../src/platform/store/database.ts'

/**
 * One real PostgreSQL for the whole run, started before the first test file and stopped after the last,
 * unless TEST_DATABASE_URL names one. Each test file makes its databases in it (`database.ts`): empty ones, or copies
 * of one that the gateway's migrations have run on once, which saves running them for each gateway.
 */
declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
    templateUrl: string
  }
}

export default async function providePostgres(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL
  const server = given ? { address: given, stop: async () => {} } : await startPostgres()
  const template = `test_${randomBytes(8).toString('hex')}`
  await run(server.address, `create database ${template}`)
  const templateUrl = new URL(server.address)
  templateUrl.pathname = `/${template}`
  const migrated = await openPostgres(templateUrl.href, createLog('silent'))
  await migrated.close()
  project.provide('postgresUrl', server.address)
  project.provide('templateUrl', templateUrl.href)
  return async () => {
    await run(server.address, `drop database ${template}`)
    await server.stop()
  }
}

async function run(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/**
 * The vacuum would go round the databases of all files that have run, in which nothing happens any more. Each copy of a
 * database is a checkpoint, after which whole pages would be written again; they serve only to survive a crash.
 */
const frugal = ['autovacuum=off', 'full_page_writes=off']

async function startPostgres(): Promise<{ address: string; stop: () => Promise<void> }> {
  const program = new URL('postgres-child.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [program, ...frugal], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [address] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`PostgreSQL for the tests ended with ${code}`)
    }),
  ])
  return {
    address: String(address),
    async stop() {
      child.stdin.end()
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}
