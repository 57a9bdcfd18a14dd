import { join } from 'node:path'
import { createLog } from '../../../src/core/log.ts'
import { type Database, openEmbedded, openPostgres } from '../../../src/platform/store/database.ts'
import { cacheDir, temporaryFolder } from '../../support/chain/chain.ts'
import { seedListings } from '../../support/scans/seed-listings.ts'
import { seedScans } from '../../support/scans/seed-scans.ts'
import { seedSearch } from '../../support/scans/seed-search.ts'
import { startPostgres } from '../postgres.ts'

/** A store with many scans, and how a gateway opens it. */
export interface SeededStore {
  readonly settings: Readonly<Record<string, string>>
  close(): Promise<void>
}

export const storeNames = ['postgres', 'embedded'] as const
export type StoreName = (typeof storeNames)[number]

/** For each store the rate, in requests a second, and the time that 99 of 100 replies may take. */
export const measures: Readonly<Record<StoreName, { readonly rate: number; readonly p99Ms: number }>> = {
  postgres: { rate: 50, p99Ms: 50 },
  embedded: { rate: 10, p99Ms: 200 },
}

export async function seedStore(name: StoreName, scans: number): Promise<SeededStore> {
  return name === 'postgres' ? await seedPostgres(scans) : await seedFolder(scans)
}

async function seedPostgres(scans: number): Promise<SeededStore> {
  const postgres = await startPostgres()
  try {
    const url = await postgres.createDatabase('insights')
    await seed(await openPostgres(url, createLog('silent')), scans)
    return { settings: { DATABASE_URL: url }, close: () => postgres.stop() }
  } catch (error) {
    await postgres.stop()
    throw error
  }
}

async function seedFolder(scans: number): Promise<SeededStore> {
  const { folder, remove } = await temporaryFolder()
  const dataDir = join(folder, 'data')
  try {
    await seed(await openEmbedded(dataDir, cacheDir), scans)
    return { settings: { DATA_DIR: dataDir }, close: remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function seed(database: Database, scans: number): Promise<void> {
  const now = Date.now()
  try {
    await seedScans(database.queries, scans, now)
    await seedSearch(database.queries, scans, now)
    await seedListings(database.queries)
  } finally {
    await database.close()
  }
}
