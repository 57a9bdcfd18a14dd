import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { TestProject } from 'vitest/node'

/**
 * One real PostgreSQL for the whole run, started before the first test file and stopped after the last,
 * unless TEST_DATABASE_URL names one. Each test file makes its databases in it (`database.ts`).
 */
declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
  }
}

export default async function startPostgres(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL
  if (given) {
    project.provide('postgresUrl', given)
    return async () => {}
  }
  const program = new URL('postgres-child.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [address] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`PostgreSQL for the tests ended with ${code}`)
    }),
  ])
  project.provide('postgresUrl', String(address))
  return async () => {
    child.stdin.end()
    if (child.exitCode === null) await once(child, 'exit')
  }
}
