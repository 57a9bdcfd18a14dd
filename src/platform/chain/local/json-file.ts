import { randomUUID } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import type { z } from 'zod'
import type { Log } from '../../../core/log.ts'

/**
 * Small JSON files that are whole or not there. A gateway can be killed at any moment and the next one
 * may start right after, so nobody may meet half a file, and a broken one must not stop a start.
 */

/** Writes so that a reader sees the old text or the new one. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}.tmp`
  await writeFile(draft, text)
  await rename(draft, file)
}

/** Reads JSON of the given shape; undefined if there is no file, or (with a warning) a broken one. */
export async function readWhole<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
  log: Log,
): Promise<z.output<Schema> | undefined> {
  const text = await readIfThere(file)
  if (text === undefined) return undefined
  try {
    return schema.parse(JSON.parse(text))
  } catch (error) {
    log.warn({ file, err: error }, 'this file is broken and is not used')
    return undefined
  }
}

/** A file's text; undefined if there is no such file. */
async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
