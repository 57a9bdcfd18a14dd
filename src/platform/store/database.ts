import type { PGlite } from '@electric-sql/pglite'
import {
  CamelCasePlugin,
  type Dialect,
  Kysely,
  type LogConfig,
  PGliteDialect,
  PostgresDialect,
  type PostgresPool,
  sql,
} from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Pool } from 'pg'
import type { Log } from '../../core/log.ts'
import { prepareFolder } from './embedded/embedded-folder.ts'
import { migrations } from './migrations.ts'
import type { Tables } from './schema.ts'
import { embeddedStore, postgres, reportQueries } from './store-outage.ts'

/**
 * The durable store: PostgreSQL, or PGlite in the data folder. Both run the same SQL on the same tables, so
 * the code above does not know which one it has. A start loads the driver of its store alone.
 */
export type Queries = Kysely<Tables>

export interface Database {
  readonly queries: Queries
  /** For `jobs.ts` only, whose library opens its own connections. All other code uses `queries`. */
  readonly engine: Engine
  /** Resolves when the store replies; rejects when it does not. */
  ping(): Promise<void>
  close(): Promise<void>
}

export type Engine =
  | { readonly kind: 'embedded'; readonly client: PGlite }
  | { readonly kind: 'postgres'; readonly url: string }

/** The store could not be opened. The message tells the operator what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

const int8 = 20
const bytea = 17

/**
 * Opens PostgreSQL at `url` and migrates its tables. Replicas that start together migrate one after the
 * other.
 */
export async function openPostgres(url: string, log: Log): Promise<Database> {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({
    connectionString: url,
    max: 20,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 15_000,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === int8 ? (text: string) => BigInt(text) : pg.types.getTypeParser(oid, format ?? 'text'),
    },
  })
  // The pool replaces a broken connection, and the next query tells whether the database is down. Without
  // these listeners the error would end the process: the pool reports errors of idle connections, and a
  // connection in use reports its own.
  pool.on('error', (error) => log.debug({ err: error }, 'an idle database connection broke'))
  pool.on('connect', (client) => {
    client.on('error', (error) => log.debug({ err: error }, 'a database connection broke'))
  })
  try {
    const dialect = new PostgresDialect({ pool: reportConnects(pool, log) })
    return await openTables(dialect, { kind: 'postgres', url }, reportQueries(log.outages, postgres))
  } catch (error) {
    await pool.end()
    throw new StoreError(
      'PostgreSQL at DATABASE_URL cannot be used. Check that it runs, that the address is right, and that the user may create tables.',
      { cause: error },
    )
  }
}

/** The pool, with its failures to connect reported: no query runs then that could be reported. */
function reportConnects(pool: Pool, { outages }: Log): PostgresPool {
  return {
    options: pool.options,
    async connect() {
      try {
        return await pool.connect()
      } catch (error) {
        outages.failed(postgres, error)
        throw error
      }
    },
    end: () => pool.end(),
  }
}

/**
 * Opens the embedded store in `dataDir`. The caller holds the folder's lock (`folder-lock.ts`).
 * @param cacheDir keeps a store without rows that the next first start, in another data folder, copies.
 * @param log where its outages are reported, such as a full disk.
 */
export async function openEmbedded(dataDir: string, cacheDir = dataDir, log?: Log): Promise<Database> {
  try {
    return await openStoreIn(await prepareFolder(dataDir, cacheDir), log)
  } catch (cause) {
    throw new StoreError(
      `The embedded store in ${dataDir} cannot be opened. Move the folder away to start with an empty one.`,
      { cause },
    )
  }
}

/** Opens the PGlite database of this folder, which is created when it is missing, and migrates its tables. */
export async function openStoreIn(folder: string, log?: Log): Promise<Database> {
  const { PGlite } = await import('@electric-sql/pglite')
  const client = await PGlite.create(folder, {
    // PGlite's default of 128 MB stays in memory from the first query on: see the row "resident MB" of
    // `npm run bench -- start`.
    startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'],
    parsers: {
      [int8]: (text: string) => BigInt(text),
      [bytea]: (text: string) => new Uint8Array(Buffer.from(text.slice(2), 'hex')),
    },
    // PGlite's own serializer works byte by byte and takes longer than the write itself. No measurement
    // kept.
    serializers: { [bytea]: (bytes: Uint8Array) => `\\x${Buffer.from(bytes).toString('hex')}` },
  })
  return openTables(
    new PGliteDialect({ pglite: client }),
    { kind: 'embedded', client },
    log && reportQueries(log.outages, embeddedStore),
  )
}

async function openTables(dialect: Dialect, engine: Engine, log: LogConfig | undefined): Promise<Database> {
  // Columns are snake_case in SQL and camelCase in code. Keys inside a JSON column stay as they are.
  const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })]
  const queries = new Kysely<Tables>({ dialect, plugins, ...(log && { log }) })
  const migrator = new Migrator({
    db: queries.withoutPlugins(),
    provider: { getMigrations: async () => migrations },
  })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
  return {
    queries,
    engine,
    ping: async () => void (await sql`select 1`.execute(queries)),
    close: () => queries.destroy(),
  }
}
