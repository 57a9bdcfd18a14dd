import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import pg from 'pg'

/** A PostgreSQL server that the soak starts and stops. */
export interface OwnPostgres {
  /**
   * Creates an empty database.
   * @returns its address.
   */
  createDatabase(name: string): Promise<string>
  stop(): Promise<void>
}

export async function startPostgres(): Promise<OwnPostgres> {
  const program = new URL('../support/stores/postgres-child.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const [address] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    ended.then(([code]) => {
      throw new Error(`PostgreSQL for the soak ended with ${code}`)
    }),
  ])
  const server = String(address)
  return {
    async createDatabase(name) {
      const client = new pg.Client({ connectionString: server })
      await client.connect()
      try {
        await client.query(`create database ${pg.escapeIdentifier(name)}`)
      } finally {
        await client.end()
      }
      const url = new URL(server)
      url.pathname = `/${name}`
      return url.href
    },
    async stop() {
      child.stdin.end()
      await ended
    },
  }
}
