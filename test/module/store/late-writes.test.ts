import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from '../../../src/core/log.ts'
import { LateWrites } from '../../../src/platform/store/late-writes.ts'

/** Writes that are kept in memory while the store is down. */

interface Count {
  readonly name: string
  readonly units: number
}

let lines: string[]
let isDown: boolean
let tries: number
let written: Map<string, number>
let writes: LateWrites<Count>

beforeEach(() => {
  vi.useFakeTimers()
  lines = []
  isDown = false
  tries = 0
  written = new Map()
  writes = new LateWrites<Count>({
    what: 'the count',
    async write(items) {
      tries += 1
      if (isDown) throw new Error('down')
      for (const { name, units } of items) written.set(name, (written.get(name) ?? 0) + units)
    },
    keyOf: ({ name }) => name,
    merge: (one, other) => ({ ...one, units: one.units + other.units }),
    maxWaiting: 3,
    log: createLog('info', { write: (line: string) => void lines.push(line) }),
  })
})
afterEach(() => {
  vi.useRealTimers()
})

test('what is added is written immediately while the store works', async () => {
  await writes.add([
    { name: 'a', units: 1 },
    { name: 'b', units: 2 },
  ])
  expect([...written]).toEqual([
    ['a', 1],
    ['b', 2],
  ])
  expect(lines).toEqual([])
})

test('while the store is down items with one key are merged, the store is tried seldom, and all is written when it is back', async () => {
  isDown = true
  for (let calls = 0; calls < 100; calls += 1) await writes.add([{ name: 'a', units: 1 }])
  await writes.add([{ name: 'b', units: 1 }])
  expect(tries).toBe(1)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(tries).toBeLessThan(40)
  isDown = false
  await vi.advanceTimersByTimeAsync(5_000)
  expect(Object.fromEntries(written)).toEqual({ a: 100, b: 1 })
  expect(lines.filter((line) => line.includes('"level":50'))).toHaveLength(1)
})

test('what does not fit in memory is lost and its number logged, and what was kept is written', async () => {
  isDown = true
  for (const name of ['a', 'b', 'c', 'd', 'e', 'a']) await writes.add([{ name, units: 1 }])
  isDown = false
  await writes.flush()
  expect(Object.fromEntries(written)).toEqual({ a: 2, b: 1, c: 1 })
  expect(lines.map((line) => JSON.parse(line)).at(-1)).toMatchObject({ level: 50, lost: 2 })
})

test('what cannot be written when the gateway closes is lost and its number logged', async () => {
  isDown = true
  await writes.add([{ name: 'a', units: 1 }])
  await writes.close()
  expect(lines.map((line) => JSON.parse(line)).at(-1)).toMatchObject({ level: 50, lost: 1, reason: 'down' })
  const before = tries
  await vi.advanceTimersByTimeAsync(60_000)
  expect(tries).toBe(before)
})
