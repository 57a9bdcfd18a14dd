import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseDocument } from 'yaml'
import { projectRoot } from './process.ts'

/**
 * Writes a catalog like that of the tests into `folder`, with some keys of some operations changed.
 * @param tiers to add.
 * @returns its file.
 */
export async function writeCatalog(
  folder: string,
  operations: Readonly<Record<string, Readonly<Record<string, string | number | object>>>>,
  tiers: Readonly<Record<string, object>> = {},
): Promise<string> {
  const catalog = parseDocument(await readFile(join(projectRoot, 'test/fixtures/catalog.yaml'), 'utf8'))
  for (const [operation, change] of Object.entries(operations)) {
    for (const [key, value] of Object.entries(change)) catalog.setIn(['operations', operation, key], value)
  }
  for (const [name, tier] of Object.entries(tiers)) catalog.setIn(['tiers', name], tier)
  const file = join(folder, `${randomUUID()}.yaml`)
  await writeFile(file, String(catalog))
  return file
}
