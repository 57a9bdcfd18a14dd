import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { open, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Catalog } from '../../../src/core/catalog/catalog.ts'
import { createLog } from '../../../src/core/log.ts'
import { CatalogError, loadCatalog } from '../../../src/platform/config/catalog-file.ts'
import { ConfigError } from '../../../src/platform/config/config-error.ts'
import { type LiveCatalog, openLiveCatalog } from '../../../src/platform/config/live-catalog.ts'
import { temporaryFolder } from '../../support/chain/chain.ts'
import { patienceMs } from '../../support/patience.ts'

/** The catalog in use follows its file, however operators and editors change it. */

const own = { operationIds: ['analyzeBusiness', 'getPricing'], prefixes: ['/api/analyze', '/pricing'] }
const intervalMs = 20

let folder: string
let remove: () => Promise<void>
let file: string
let logged: string[]
let now = 0

beforeEach(async () => {
  ;({ folder, remove } = await temporaryFolder())
  file = join(folder, 'catalog.yaml')
  logged = []
  await writeFile(file, priced('0.10'))
})
afterEach(() => remove())

const priced = (price: string) => `provider:
  name: Example
  description: Sells examples.
operations:
  analyzeBusiness:
    access: price
    description: An analysis.
    price: "${price}"
`

async function openFile(check?: (catalog: Catalog) => string[]): Promise<LiveCatalog> {
  const log = createLog('info', { write: (line: string) => void logged.push(line) })
  const live = await openLiveCatalog({
    file,
    own,
    log,
    clock: { now: () => now },
    ...(check ? { check } : {}),
  })
  onTestFinished(live.close)
  return live
}

function priceIn(live: LiveCatalog): string | undefined {
  return live.current().operations.analyzeBusiness?.priced?.price
}

/** Puts a new file in the place of the old one, as most editors do. */
async function replaceFile(text: string): Promise<void> {
  await writeFile(`${file}.new`, text)
  await rename(`${file}.new`, file)
}

const refusals = () => logged.filter((line) => line.includes('cannot be used'))

test('a reload takes the file into use and names the operations that changed', async () => {
  const live = await openFile()
  await writeFile(file, `${priced('0.20')}  getPricing: { access: open, description: The prices. }\n`)
  expect(priceIn(live)).toBe('0.10')
  expect(await live.reload()).toEqual({ changed: true })
  expect(priceIn(live)).toBe('0.20')
  expect(JSON.parse(logged.at(-1) ?? '')).toMatchObject({ operations: ['analyzeBusiness', 'getPricing'] })
})

test('a route that may give away what another sells is warned of when its catalog comes into use, once', async () => {
  const wide = `upstreams: { web: { prefix: /web, targets: ["https://web.example"] } }
${priced('0.10')}  buyPage: { access: price, upstream: web, route: GET /a.html, price: "0.10", description: A. }
  getPages: { access: open, upstream: web, route: GET /*, description: B. }
`
  const live = await openFile()
  await writeFile(file, wide)
  await live.reload()
  await live.reload()
  expect(logged.filter((line) => line.includes('"level":40'))).toEqual([
    expect.stringMatching(/catalog\.yaml:10:\d+ operations\.buyPage\.route: .*getPages/),
  ])
})

test('a file with the same content in another form keeps the same catalog object in use', async () => {
  const live = await openFile()
  const before = live.current()
  await writeFile(file, `# a comment\n${priced('0.10')}    deadline_seconds: 60\n`)
  expect(await live.reload()).toEqual({ changed: false })
  expect(live.current()).toBe(before)
})

test('a faulty file is refused with line and reason of every fault, also in the log, and nothing in it is used', async () => {
  const live = await openFile()
  const before = live.current()
  await writeFile(file, `${priced('0.20').replace('"0.20"', '0.20')}    prize: 1\n`)

  const refused = await live.reload().catch((error: unknown) => error)

  expect(refused).toBeInstanceOf(CatalogError)
  const faults = [
    { line: 8, column: 12, path: 'operations.analyzeBusiness.price', message: expect.any(String) },
    { line: 9, column: 5, path: 'operations.analyzeBusiness.prize', message: expect.any(String) },
  ]
  expect(refused).toMatchObject({ faults })
  expect(refusals().map((line) => JSON.parse(line))).toMatchObject([{ level: 50, file, faults }])
  expect(live.current()).toBe(before)
})

test('a catalog that contradicts the settings is refused at the start and at every reload', async () => {
  const check = ({ provider }: Catalog) => (provider.name === 'Example' ? [] : ['provider: is not ours'])
  const live = await openFile(check)
  const before = live.current()
  await writeFile(file, priced('0.20').replace('Example', 'Impostor'))

  await expect(live.reload()).rejects.toMatchObject({ faults: [`${file}: provider: is not ours`] })
  expect(live.current()).toBe(before)
  expect(refusals()).toHaveLength(1)
  await expect(openFile(check)).rejects.toBeInstanceOf(ConfigError)
})

test('opening fails without a catalog file', async () => {
  file = join(folder, 'nowhere.yaml')
  await expect(openFile()).rejects.toBeInstanceOf(CatalogError)
})

test('of two reloads at the same time, a slow read of the old file does not replace the new catalog', async () => {
  const live = await openFile()
  const pipe = join(folder, 'pipe')
  await promisify(execFile)('mkfifo', [pipe])
  await rename(pipe, file)
  const slow = live.reload()
  // Opens once the other end is read.
  const writer = await vi.waitFor(() => open(file, constants.O_WRONLY | constants.O_NONBLOCK), patienceMs)
  await replaceFile(priced('0.30'))
  const quick = live.reload()
  // A read that began meanwhile would have ended after two reads here.
  await loadCatalog(file, own)
  await loadCatalog(file, own)
  await writer.writeFile(priced('0.20'))
  await writer.close()

  expect(await slow).toEqual({ changed: true })
  expect(await quick).toEqual({ changed: true })
  expect(priceIn(live)).toBe('0.30')
})

test('a reload succeeds after one that was refused, and the file counts as faulty from the first refusal until then', async () => {
  const live = await openFile()
  expect(live.state().faultySince).toBeUndefined()
  await writeFile(file, 'provider:')
  now = Date.UTC(2026, 4, 1, 12)
  await expect(live.reload()).rejects.toBeInstanceOf(CatalogError)
  now += 60_000
  await expect(live.reload()).rejects.toBeInstanceOf(CatalogError)
  expect(live.state().faultySince).toEqual(new Date('2026-05-01T12:00:00Z'))
  await writeFile(file, priced('0.20'))
  expect(await live.reload()).toEqual({ changed: true })
  expect(live.state().faultySince).toBeUndefined()
})

test.each([
  ['is written in place', (text: string) => writeFile(file, text)],
  ['is replaced by another', replaceFile],
])('a watched file that %s is taken into use after each change', async (_how, write) => {
  const live = await openFile()
  live.watch(intervalMs)
  for (const price of ['0.20', '0.30', '0.40']) {
    await write(priced(price))
    await expect.poll(() => priceIn(live)).toBe(price)
  }
})

test('a change between opening and watching is taken into use', async () => {
  const live = await openFile()
  await writeFile(file, priced('0.20'))
  live.watch(intervalMs)
  await expect.poll(() => priceIn(live)).toBe('0.20')
})

test('half a file and a missing file are refused, and the whole file is used once it exists', async () => {
  const live = await openFile()
  live.watch(intervalMs)
  await writeFile(file, priced('0.20').slice(0, 60))
  await expect.poll(refusals).toHaveLength(1)
  await rename(file, `${file}.away`)
  await expect.poll(refusals).toHaveLength(2)
  expect(priceIn(live)).toBe('0.10')
  await writeFile(file, priced('0.20'))
  await expect.poll(() => priceIn(live)).toBe('0.20')
})

test('the same faults of a watched file are logged once, until it was valid or a reload was requested', async () => {
  let reads = 0
  const live = await openFile(({ provider }) => {
    reads += 1
    return provider.name === 'Example' ? [] : ['provider: is not ours']
  })
  const faulty = priced('0.20').replace('Example', 'Impostor')
  live.watch(intervalMs)
  await expect.poll(() => reads).toBe(2)

  await replaceFile(faulty)
  await expect.poll(refusals).toHaveLength(1)
  const before = reads
  await replaceFile(`${faulty}# touched\n`)
  await expect.poll(() => reads).toBeGreaterThan(before)
  await expect(live.reload()).rejects.toBeInstanceOf(ConfigError)
  expect(refusals()).toHaveLength(2)

  await replaceFile(priced('0.20'))
  await expect.poll(() => priceIn(live)).toBe('0.20')
  await replaceFile(faulty)
  await expect.poll(refusals).toHaveLength(3)
})

test('after closing, a change of the file is not read', async () => {
  const [closed, other] = [await openFile(), await openFile()]
  closed.watch(intervalMs)
  other.watch(intervalMs)
  closed.close()
  await writeFile(file, priced('0.20'))
  await expect.poll(() => priceIn(other)).toBe('0.20')
  await other.reload()
  expect(priceIn(closed)).toBe('0.10')
})
