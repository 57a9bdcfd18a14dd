import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'

/**
 * Creates the embedded database on the first start, under another name first: a start that is cut short leaves
 * no half database behind for the next one to stumble over. To create one takes some seconds and to copy one a tenth
 * of that, so an empty one is kept where there is a folder for what can be made again.
 * @param cacheDir the same folder when nothing is to be kept.
 * @returns the folder of the database.
 */
export async function prepareFolder(dataDir: string, cacheDir: string): Promise<string> {
  const folder = join(dataDir, 'store')
  if (existsSync(folder)) return folder
  await mkdir(dataDir, { recursive: true })
  const unfinished = join(dataDir, 'store.unfinished')
  await rm(unfinished, { recursive: true, force: true })
  if (cacheDir === dataDir) await create(unfinished)
  else await cp(await emptyStore(cacheDir), unfinished, { recursive: true })
  await rename(unfinished, folder)
  return folder
}

/** One that was never opened since it was made, by this version of its program. */
async function emptyStore(cacheDir: string): Promise<string> {
  const kept = join(cacheDir, `store-${await version()}`)
  if (existsSync(kept)) return kept
  await mkdir(cacheDir, { recursive: true })
  const draft = `${kept}.${randomUUID()}.tmp`
  await create(draft)
  try {
    await rename(draft, kept)
  } catch (error) {
    // Somebody else was faster, and theirs is as good.
    await rm(draft, { recursive: true, force: true })
    if (!existsSync(kept)) throw error
  }
  return kept
}

const run = promisify(execFile)

async function create(folder: string): Promise<void> {
  const program = new URL('create-embedded.ts', import.meta.url).pathname
  // What runs once is not worth optimising: --liftoff-only saves a second.
  await run(process.execPath, ['--liftoff-only', program, folder], { timeout: 120_000 })
}

async function version(): Promise<string> {
  const file = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'))
  return z.object({ version: z.string() }).parse(JSON.parse(await readFile(file, 'utf8'))).version
}
