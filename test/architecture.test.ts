import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

/**
 * The plan of `src`, from the ground up. A file may import its own room and rooms that stand on an earlier line;
 * rooms on the same line do not import each other. A room without rows of its own here belongs to the nearest folder
 * above it that has one. `main.ts` stands on top of all.
 */
const plan: readonly (readonly string[])[] = [
  ['core'],
  ['platform/net', 'platform/threads'],
  ['platform/config', 'platform/store', 'platform/chain', 'client'],
  ['doors/ledger', 'doors/quota'],
  ['doors/keys', 'doors/x402/wire'],
  ['doors/x402/evidence'],
  ['doors/x402/settler', 'doors/x402/recovery'],
  ['doors/x402/accounts'],
  ['doors/x402/facilitators', 'doors/x402/door', 'doors/x402/spending'],
  ['proxy/routes', 'proxy/pool', 'products/text', 'products/directory', 'products/webhooks/events'],
  ['proxy/headers', 'proxy/counting', 'products/scan/site', 'products/webhooks/subscriptions'],
  ['proxy', 'products/scan/findings', 'products/webhooks/deliveries'],
  ['products/scan/crawl', 'products/scan/signals'],
  ['products/scan/agents'],
  ['products/scan/report'],
  ['products/scan/playbook', 'products/site-facts'],
  ['products/scan/scans'],
  ['products/scan/worker', 'products/search', 'products/analytics'],
  ['gateway'],
  ['edge/handlers'],
  ['edge/http', 'edge/discovery', 'edge/mcp', 'edge/metrics'],
  ['cli'],
  ['server'],
  ['demo'],
]

/** Folders that know nothing of each other, whatever stands on which line. */
const apart: readonly (readonly [string, string])[] = [
  ['products', 'doors'],
  ['products', 'proxy'],
  ['products/directory', 'products/scan'],
  ['proxy', 'doors'],
  ['gateway', 'products'],
  ['gateway', 'proxy'],
  ['products/webhooks', 'products/scan'],
]

const src = resolve(import.meta.dirname, '../src')
const entries = readdirSync(src, { recursive: true, withFileTypes: true })
const files = entries
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => relative(src, join(entry.parentPath, entry.name)))
const rankOf = new Map(plan.flatMap((rooms, rank) => rooms.map((room) => [room, rank] as const)))
const imports = new Map(files.map((file) => [file, importsOf(file)]))

function importsOf(file: string): string[] {
  const text = readFileSync(join(src, file), 'utf8')
  return [...text.matchAll(/(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g)].flatMap(([, target]) =>
    target ? [relative(src, resolve(src, dirname(file), target))] : [],
  )
}

/** What is loaded with a file: its imports without those of types alone, and without those at run time. */
function loadedWith(file: string): string[] {
  const text = readFileSync(join(src, file), 'utf8')
  const statement = /^(?:import|export)\s+(?!type\s)(?:[\w\s{},*$]*\sfrom\s+)?['"]([^'"]+)['"]/gm
  return [...text.matchAll(statement)].flatMap(([, target]) => target ?? [])
}

/** The nearest folder above a file that the plan names. */
function roomOf(file: string): string | undefined {
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) {
    if (rankOf.has(folder)) return folder
  }
  return undefined
}

test('every file of src but main.ts lies in a room of the plan, and every room exists', () => {
  expect(files.filter((file) => roomOf(file) === undefined)).toEqual(['main.ts'])
  const inUse = new Set(files.map(roomOf))
  expect([...rankOf.keys()].filter((room) => !inUse.has(room))).toEqual([])
})

test('a file imports only its own room and rooms of lower rank', () => {
  const broken = files.flatMap((file) => {
    const room = roomOf(file)
    if (room === undefined) return []
    return (imports.get(file) ?? [])
      .filter((target) => {
        const other = roomOf(target)
        if (other === room) return false
        return other === undefined || (rankOf.get(other) ?? 99) >= (rankOf.get(room) ?? -1)
      })
      .map((target) => `${file} imports ${target}`)
  })
  expect(broken).toEqual([])
})

test('folders that are kept apart do not import each other', () => {
  const broken = files.flatMap((file) =>
    (imports.get(file) ?? [])
      .filter((target) =>
        apart.some(([one, other]) =>
          [
            [one, other],
            [other, one],
          ].some(([from, to]) => file.startsWith(`${from}/`) && target.startsWith(`${to}/`)),
        ),
      )
      .map((target) => `${file} imports ${target}`),
  )
  expect(broken).toEqual([])
})

test('no file imports itself by way of others', () => {
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file)
    if (start !== -1) circles.push([...path.slice(start), file].join(' → '))
    if (start !== -1 || done.has(file)) return
    for (const target of imports.get(file) ?? []) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of files) visit(file, [])
  expect(circles).toEqual([])
})

/** Packages that files import when they need them, or in threads, because every start would wait for them. */
const loadedLater: Readonly<Record<string, string>> = {
  cheerio: 'websites are parsed in threads',
  eld: 'the threads that read websites have its 29 MB of letter frequencies',
  chardet: 'pages are fetched for scans, and for texts about a site',
  'fast-xml-parser': 'the sitemaps of others are read in threads',
  pg: 'the embedded store needs no driver',
  '@electric-sql/pglite': 'a gateway with PostgreSQL has no embedded store',
  openai: 'only a gateway with a model calls one',
  '@x402/core': 'few upstreams ask for payments',
  '@modelcontextprotocol/server': 'many gateways are never called by MCP',
}

test('a start loads no package before it knows that this gateway needs it', () => {
  const reached = new Set(['main.ts'])
  const broken: string[] = []
  // The set grows while it is walked.
  for (const file of reached) {
    for (const target of loadedWith(file)) {
      if (target.startsWith('.')) reached.add(relative(src, resolve(src, dirname(file), target)))
      const reason = loadedLater[nameOf(target)]
      if (reason !== undefined) broken.push(`${file} loads ${target}, but ${reason}`)
    }
  }
  expect(reached.size).toBeGreaterThan(500)
  expect(broken).toEqual([])
})

/** The package of an import: `eld` of `eld/extrasmall`. */
function nameOf(target: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(target)?.[0] ?? target
}

test('no folder of src or test holds more than twenty files', () => {
  const root = resolve(src, '..')
  const counts = new Map<string, number>()
  for (const top of ['src', 'test']) {
    for (const entry of readdirSync(join(root, top), { recursive: true, withFileTypes: true })) {
      const folder = relative(root, entry.parentPath)
      if (entry.isFile() && !folder.startsWith('test/fixtures/'))
        counts.set(folder, (counts.get(folder) ?? 0) + 1)
    }
  }
  expect([...counts].filter(([, count]) => count > 20)).toEqual([])
})

test('only the processes read the environment, and nothing writes it', () => {
  const readers = files.filter((file) => /process\.env/.test(readFileSync(join(src, file), 'utf8')))
  expect(readers.filter((file) => !['main.ts', 'cli/cli.ts', 'server/server.ts'].includes(file))).toEqual([])
})
