import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../../../src/core/log.ts'
import { LimitedThreads, TaskTooLarge } from '../../../src/platform/threads/limited-threads.ts'
import { temporaryFolder } from '../../support/chain/chain.ts'

/** A busy machine lets a thread wait for a processor, and that is no fault of its task. */

const limitMs = 1_000
let threads: LimitedThreads
let removeFolder: () => Promise<void>

beforeAll(async () => {
  const { folder, remove } = await temporaryFolder()
  removeFolder = remove
  const program = join(folder, 'waits.mjs')
  await writeFile(
    program,
    `export default ({ waitMs, workMs }) => new Promise((resolve) => {
      const end = Date.now() + workMs
      while (Date.now() < end);
      setTimeout(() => resolve('done'), waitMs)
    })`,
  )
  threads = new LimitedThreads(
    { program: pathToFileURL(program), threads: 1, maxHeapMb: 64, work: 'waits' },
    createLog('silent'),
  )
  // Its thread runs before the tests do.
  await threads.run({ waitMs: 0, workMs: 0 }, { limitMs: 60_000 })
})
afterAll(async () => {
  await threads.close()
  await removeFolder()
})

test('a task may take longer than its limit while the process does nothing', async () => {
  expect(await threads.run({ waitMs: limitMs * 1.5, workMs: 0 }, { limitMs })).toBe('done')
})

test.each([
  ['works beyond its limit', { waitMs: 0, workMs: 120_000 }],
  ['waits without end', { waitMs: 120_000, workMs: 0 }],
])('a task that %s is ended, and the next one runs', async (_, task) => {
  await expect(threads.run(task, { limitMs })).rejects.toThrow(TaskTooLarge)
  expect(await threads.run({ waitMs: 0, workMs: 0 }, { limitMs: 60_000 })).toBe('done')
})
