import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Books } from '../../../platform/store/books.ts'

/**
 * Letters that were written to a folder because there is no mail server. Each names a recipient, so they go when their
 * scan is deleted or when addresses are forgotten. Every gateway has a folder of its own.
 */

/** Deletes the letters of these scans. */
export async function deleteLetters(folder: string, scanIds: readonly string[]): Promise<void> {
  for (const id of scanIds) await rm(join(folder, `scan-${id}.eml`), { force: true })
}

/**
 * Deletes letters that are older than `before`, and those whose scan another gateway has deleted.
 * @param before undefined: no age is too old.
 */
export async function sweepLetters(
  { queries }: Pick<Books, 'queries'>,
  folder: string,
  before: Date | undefined,
): Promise<void> {
  const kept: string[] = []
  for (const id of await letterIds(folder)) {
    if (before && (await writtenAt(folder, id)) < before.getTime()) await deleteLetters(folder, [id])
    else kept.push(id)
  }
  for (let from = 0; from < kept.length; from += asked) {
    const ids = kept.slice(from, from + asked)
    const rows = await queries.selectFrom('scans').select('id').where('id', 'in', ids).execute()
    const known = new Set(rows.map(({ id }) => id))
    await deleteLetters(
      folder,
      ids.filter((id) => !known.has(id)),
    )
  }
}

const asked = 500

async function letterIds(folder: string): Promise<string[]> {
  const names = await orIfMissing(readdir(folder), [])
  return names.flatMap(
    (name) => /^scan-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.eml$/.exec(name)?.[1] ?? [],
  )
}

/** Unix milliseconds; of a letter that is gone meanwhile, later than any. */
async function writtenAt(folder: string, id: string): Promise<number> {
  const info = await orIfMissing(stat(join(folder, `scan-${id}.eml`)), undefined)
  return info?.mtimeMs ?? Number.POSITIVE_INFINITY
}

/** No letter was ever written, or another run has deleted it. */
async function orIfMissing<Found, Else>(found: Promise<Found>, otherwise: Else): Promise<Found | Else> {
  try {
    return await found
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return otherwise
    throw error
  }
}
