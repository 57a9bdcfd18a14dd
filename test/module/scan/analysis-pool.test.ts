import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '../../../src/core/log.ts'
import { reading } from '../../../src/products/scan/crawl/readings.ts'
import { ScanFailure } from '../../../src/products/scan/findings/scan-failure.ts'
import type { Answered, Capture, Depth } from '../../../src/products/scan/site/capture.ts'
import { type AnalysisPool, createAnalysisPool } from '../../../src/products/scan/worker/analysis-pool.ts'
import { analyze } from '../../../src/products/scan/worker/analyze.ts'
import { temporaryFolder } from '../../support/chain/chain.ts'

const now = 1_750_000_000_000
const never = new AbortController().signal
/** Enough for a small site, in a thread that is there. */
const quickly = 200

const toClose: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})

type Settings = Parameters<typeof createAnalysisPool>[1]

const create = (settings: Settings, write: (line: string) => void = () => {}) =>
  createAnalysisPool(createLog('info', { write }), settings)

function open(...how: Parameters<typeof create>): AnalysisPool {
  const pool = create(...how)
  toClose.push(() => pool.close())
  return pool
}

const limits = (change: Partial<Record<Depth, number>>) => ({
  ...{ light: 20_000, basic: 20_000, full: 20_000 },
  ...change,
})

function page(paragraphs: number): Answered {
  const paragraph = '<div><p>We sell <a href="/chairs">chairs</a> in Berlin.</p></div>'
  return {
    ...{ purpose: 'home', url: 'https://shop.example/', finalUrl: 'https://shop.example/' },
    ...{ outcome: 'answered', status: 200, redirects: [], isCut: false, bytes: 1, firstByteMs: 1 },
    headers: { 'content-type': ['text/html'] },
    body: `<!doctype html><title>Shop</title><main>${paragraph.repeat(paragraphs)}</main>`,
  }
}

function capture(depth: Depth, paragraphs: number): Capture {
  const exchanges = [page(paragraphs)]
  return { depth, url: 'https://shop.example/', domain: 'shop.example', takenAt: now, exchanges }
}

/** What takes seconds to read and judge. */
const fat = 60_000

describe('threads that run what the gateway runs', () => {
  let pool: AnalysisPool
  // One that is there already: what is too long below is the work, not the beginning.
  beforeAll(async () => {
    pool = create({ analysisMs: limits({ basic: quickly }), readingMs: quickly })
    await pool.analyze(capture('light', 3), now, never)
  })
  afterAll(() => pool.close())

  test('a thread judges and reads as it would be done here', async () => {
    const small = capture('full', 3)
    expect(await pool.analyze(small, now, never)).toEqual(analyze(small, now))
    const home = page(3)
    expect(await pool.reader('full')('home', home, never)).toEqual(reading({ name: 'home', asked: home }))
  })

  test('a light scan does not wait for full ones, however many, and for one basic one at most', async () => {
    const over = new AbortController()
    const ended: string[] = []
    const judge = (depth: Depth, paragraphs: number) =>
      pool
        .analyze(capture(depth, paragraphs), now, over.signal)
        .catch(() => {
          // Those that are too complex, and those that are still waiting in the end.
        })
        .finally(() => ended.push(depth))
    const full = [judge('full', fat), judge('full', fat)]
    const basic = [judge('basic', fat), judge('basic', fat)]
    await setImmediate()
    await judge('light', 3)
    expect(ended).toEqual(['basic', 'light'])
    over.abort()
    await Promise.all([...full, ...basic])
  })

  test('a site that takes too long to judge is too complex, and the next one is judged', async () => {
    const failure = await pool.analyze(capture('basic', fat), now, never).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ScanFailure)
    expect(failure).toMatchObject({ code: 'SITE_TOO_COMPLEX' })
    expect(await pool.analyze(capture('light', 3), now, never)).toMatchObject({ faults: [] })
  })

  test('a page that takes too long to read is too complex, and the next one has its turn', async () => {
    const read = () => pool.reader('full')('home', page(fat), never)
    expect(await Promise.allSettled([read(), read()])).toMatchObject([
      { status: 'rejected', reason: { code: 'SITE_TOO_COMPLEX' } },
      { status: 'rejected', reason: { code: 'SITE_TOO_COMPLEX' } },
    ])
  })
})

test('a thread that cannot be loaded is logged and is not taken for the fault of a site', async () => {
  const lines: string[] = []
  const program = new URL('file:///nowhere/thread.ts')
  const pool = open({ program, analysisMs: limits({ light: 1_000 }) }, (line) => lines.push(line))
  await expect(pool.analyze(capture('light', 3), now, never)).rejects.toThrow('no thread took the work up')
  expect(lines).toEqual([expect.stringContaining('a thread that reads websites has died')])
})

test('a thread that dies with nothing to do is logged, and another one does the next work', async () => {
  const { folder, remove } = await temporaryFolder()
  toClose.push(remove)
  const file = join(folder, 'dies-later.mjs')
  await writeFile(
    file,
    `export default () => {
      setTimeout(() => { throw new Error('nobody is listening') }, 20)
      return { kind: 'analyzed', analyzed: 'judged' }
    }`,
  )
  const died = Promise.withResolvers<string>()
  const pool = open({ program: pathToFileURL(file) }, died.resolve)
  expect(await pool.analyze(capture('light', 3), now, never)).toBe('judged')
  expect(await died.promise).toMatch(/nobody is listening.*has died/)
  expect(await pool.analyze(capture('light', 3), now, never)).toBe('judged')
})
