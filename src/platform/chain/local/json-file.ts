import { readFile } from 'node:fs/promises'
import writeFileAtomic from 'write-file-atomic'
import type { z } from 'zod'
import type { Log } from '../../../core/log.ts'

/**
 * Small JSON files of the local chain. A gateway can be killed at any moment and the next one may start right
 * after, so a file is written whole or not at all, and a broken one must not stop a start.
 */

/** Writes a file so that a reader sees the old text or the new one, and never a part. */
export async function writeJsonFile(file: string, value: unknown): Promise<void> {
  await writeFileAtomic(file, JSON.stringify(value))
}

/** Reads JSON of the given shape; undefined when there is no file, or (with a warning) when it is broken. */
export async function readJsonFile<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
  log: Log,
): Promise<z.output<Schema> | undefined> {
  const text = await readIfThere(file)
  if (text === undefined) return undefined
  try {
    return schema.parse(JSON.parse(text))
  } catch (error) {
    log.warn({ file, err: error }, 'this file cannot be read and is ignored')
    return undefined
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
