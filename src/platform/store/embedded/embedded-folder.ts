import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { cpSync, existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'

/**
 * Creates the embedded database on the first start. It is created under another name and then renamed, so that
 * an interrupted start leaves no half-made database. Creating one takes seconds and copying one a tenth of
 * that (the rows "first 402" of `npm run bench -- start`), so `cacheDir` keeps one with the tables and no rows.
 * @param cacheDir the same as `dataDir` when nothing is to be kept.
 * @returns the folder of the database.
 */
export async function prepareFolder(dataDir: string, cacheDir: string): Promise<string> {
  const folder = join(dataDir, 'store')
  if (existsSync(folder)) return folder
  await mkdir(dataDir, { recursive: true })
  const unfinished = join(dataDir, 'store.unfinished')
  await rm(unfinished, { recursive: true, force: true })
  if (cacheDir === dataDir) await create(unfinished)
  // Over a thousand small files: `cp` of node:fs/promises takes several times the processor time.
  else cpSync(await emptyStore(cacheDir), unfinished, { recursive: true })
  await rename(unfinished, folder)
  return folder
}

/** A database without rows that this version of PGlite and these migrations made, and that nothing else opened. */
async function emptyStore(cacheDir: string): Promise<string> {
  const kept = join(cacheDir, `store-${await version()}-${await migrationsHash()}`)
  if (existsSync(kept)) return kept
  await mkdir(cacheDir, { recursive: true })
  const draft = `${kept}.${randomUUID()}.tmp`
  await create(draft)
  try {
    await rename(draft, kept)
  } catch (error) {
    // Another process was faster; its database is as good.
    await rm(draft, { recursive: true, force: true })
    if (!existsSync(kept)) throw error
  }
  return kept
}

const run = promisify(execFile)

async function create(folder: string): Promise<void> {
  const program = new URL('create-embedded.ts', import.meta.url).pathname
  // --liftoff-only skips the optimizing compiler for code that runs once. It saves about a second; no
  // measurement kept.
  await run(process.execPath, ['--liftoff-only', program, folder], { timeout: 120_000 })
}

async function version(): Promise<string> {
  const file = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'))
  return z.object({ version: z.string() }).parse(JSON.parse(await readFile(file, 'utf8'))).version
}

/** Changes with each change to a migration, so that a kept database never has the tables of another version. */
async function migrationsHash(): Promise<string> {
  const folder = new URL('../migrations/', import.meta.url)
  const hash = createHash('sha256')
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = files.filter((file) => file.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  for (const path of paths.sort())
    hash.update(path.slice(folder.pathname.length)).update(await readFile(path))
  return hash.digest('hex').slice(0, 16)
}
