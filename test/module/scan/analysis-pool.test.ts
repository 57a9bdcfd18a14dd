import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '../../../src/core/log.ts'
import { reading } from '../../../src/products/scan/crawl/readings.ts'
import { ScanFailure } from '../../../src/products/scan/findings/scan-failure.ts'
import type { Capture, Depth, SiteReply } from '../../../src/products/scan/site/capture.ts'
import { noFiles } from '../../../src/products/scan/site/html/scripted/included-parts.ts'
import { AnalysisPool } from '../../../src/products/scan/worker/analysis-pool.ts'
import { analyze } from '../../../src/products/scan/worker/analyze.ts'
import { temporaryFolder } from '../../support/chain/chain.ts'

const now = 1_750_000_000_000
const never = new AbortController().signal
/** Enough for a small site in a thread that is running already. */
const smallSiteMs = 200

const toClose: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})

type Settings = ConstructorParameters<typeof AnalysisPool>[1]

const create = (settings: Settings, write: (line: string) => void = () => {}) =>
  new AnalysisPool(createLog('info', { write }), settings)

function open(...how: Parameters<typeof create>): AnalysisPool {
  const pool = create(...how)
  toClose.push(() => pool.close())
  return pool
}

const limits = (change: Partial<Record<Depth, number>>) => ({
  ...{ light: 50_000, basic: 50_000, full: 50_000 },
  ...change,
})

function page(paragraphs: number): SiteReply {
  const paragraph = '<div><p>We sell <a href="/chairs">chairs</a> in Berlin.</p></div>'
  return {
    ...{ purpose: 'home', url: 'https://shop.example/', finalUrl: 'https://shop.example/' },
    ...{ outcome: 'replied', status: 200, redirects: [], isCut: false, bytes: 1, firstByteMs: 1 },
    headers: { 'content-type': ['text/html'] },
    body: `<!doctype html><title>Shop</title><main>${paragraph.repeat(paragraphs)}</main>`,
  }
}

function capture(depth: Depth, paragraphs: number): Capture {
  const exchanges = [page(paragraphs)]
  return { depth, url: 'https://shop.example/', domain: 'shop.example', takenAt: now, exchanges }
}

/** As many paragraphs as take seconds to read and judge. */
const manyParagraphs = 60_000

describe('the threads that judge and read sites', () => {
  let pool: AnalysisPool
  // The thread runs before the tests do, so that the limits below end the work and not the start of a thread.
  beforeAll(async () => {
    // A full scan outlasts the start of the next thread, which takes many seconds on a busy machine.
    pool = create({ analysisMs: limits({ basic: smallSiteMs, full: 120_000 }), readingMs: smallSiteMs })
    await pool.analyze(capture('light', 3), now, never)
  })
  afterAll(() => pool.close())

  test('a thread judges and reads a site as the same functions do in this thread', async () => {
    const small = capture('full', 3)
    expect(await pool.analyze(small, now, never)).toEqual(analyze(small, now))
    const home = { reply: page(3), files: noFiles }
    expect(await pool.reader('full')('home', home, never)).toEqual(reading({ name: 'home', sources: home }))
  })

  test('a light scan waits for no full scan and for at most one basic scan', async () => {
    const over = new AbortController()
    const ended: string[] = []
    const judge = (depth: Depth, paragraphs: number) =>
      pool
        .analyze(capture(depth, paragraphs), now, over.signal)
        .catch(() => {
          // Some are too complex, and the others still wait when the test ends.
        })
        .finally(() => ended.push(depth))
    const full = [judge('full', manyParagraphs), judge('full', manyParagraphs)]
    const basic = [judge('basic', manyParagraphs), judge('basic', manyParagraphs)]
    await setImmediate()
    await judge('light', 3)
    expect(ended).toEqual(['basic', 'light'])
    over.abort()
    await Promise.all([...full, ...basic])
  })

  test('a site that takes too long to judge is reported as too complex, and the next site is judged', async () => {
    const failure = await pool
      .analyze(capture('basic', manyParagraphs), now, never)
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ScanFailure)
    expect(failure).toMatchObject({ code: 'SITE_TOO_COMPLEX' })
    expect(await pool.analyze(capture('light', 3), now, never)).toMatchObject({ faults: [] })
  })

  test('a page that takes too long to read is reported as too complex, and the next page is read', async () => {
    const read = () => pool.reader('full')('home', { reply: page(manyParagraphs), files: noFiles }, never)
    expect(await Promise.allSettled([read(), read()])).toMatchObject([
      { status: 'rejected', reason: { code: 'SITE_TOO_COMPLEX' } },
      { status: 'rejected', reason: { code: 'SITE_TOO_COMPLEX' } },
    ])
  })
})

test('a thread that cannot be loaded is logged and not reported as the fault of a site', async () => {
  const lines: string[] = []
  const program = new URL('file:///nowhere/thread.ts')
  const pool = open({ program, analysisMs: limits({ light: 1_000 }) }, (line) => lines.push(line))
  await expect(pool.analyze(capture('light', 3), now, never)).rejects.toThrow('no thread took the work up')
  expect(lines).toEqual([expect.stringContaining('a thread that reads websites has died')])
})

test('a thread that dies while it is idle is logged, and another thread does the next work', async () => {
  const { folder, remove } = await temporaryFolder()
  toClose.push(remove)
  const file = join(folder, 'dies-later.mjs')
  await writeFile(
    file,
    `export default () => {
      setTimeout(() => { throw new Error('no listener') }, 20)
      return { kind: 'analyzed', analyzed: 'judged' }
    }`,
  )
  const died = Promise.withResolvers<string>()
  const pool = open({ program: pathToFileURL(file) }, died.resolve)
  expect(await pool.analyze(capture('light', 3), now, never)).toBe('judged')
  expect(await died.promise).toMatch(/no listener.*has died/)
  expect(await pool.analyze(capture('light', 3), now, never)).toBe('judged')
})
