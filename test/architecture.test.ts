import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

/**
 * The import rule: a file imports its own folder and folders of lower rank. Files at the root of `src`
 * may import all, and nobody imports them from below.
 */
const ranks: Record<string, number> = {
  core: 0,
  config: 1,
  store: 1,
  chain: 1,
  client: 1,
  net: 1,
  ledger: 2,
  quota: 2,
  text: 2,
  keys: 3,
  proxy: 3,
  x402: 3,
  scan: 3,
  gateway: 4,
  handlers: 4,
  discovery: 5,
  pages: 5,
  http: 5,
  commands: 6,
}

const src = resolve(import.meta.dirname, '../src')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))

function importsOf(file: string): string[] {
  const text = readFileSync(join(src, file), 'utf8')
  return [...text.matchAll(/(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g)].flatMap(([, target]) =>
    target ? [relative(src, resolve(src, dirname(file), target))] : [],
  )
}

function folderOf(file: string): string | undefined {
  const [folder, ...rest] = file.split('/')
  return rest.length > 0 ? folder : undefined
}

test('every folder of src has a rank', () => {
  const folders = new Set(files.map(folderOf).filter((folder) => folder !== undefined))
  expect([...folders].sort()).toEqual(Object.keys(ranks).sort())
})

test('a file imports only its own folder and folders of lower rank', () => {
  const broken = files.flatMap((file) => {
    const folder = folderOf(file)
    if (folder === undefined) return []
    return importsOf(file)
      .filter((target) => {
        const other = folderOf(target)
        if (other === folder) return false
        return other === undefined || (ranks[other] ?? 99) >= (ranks[folder] ?? -1)
      })
      .map((target) => `${file} imports ${target}`)
  })
  expect(broken).toEqual([])
})

test('only the configuration and the processes read the environment', () => {
  const readers = files.filter((file) => /process\.env/.test(readFileSync(join(src, file), 'utf8')))
  expect(readers.filter((file) => folderOf(file) !== undefined)).toEqual([])
})
