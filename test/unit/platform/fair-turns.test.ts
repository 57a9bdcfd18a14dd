import { expect, test } from 'vitest'
import { FairTurns } from '../../../src/platform/threads/fair-turns.ts'

const limits = { running: 1, waitingBytes: 1_000, waitingBytesPerCaller: 300 }

/** Tasks that run until they are ended, in the order in which they began. */
function tasksOf(turns: FairTurns) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const add = (caller: string, name: string, bytes = 1) =>
    turns.run(caller, bytes, () => {
      begun.push(name)
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
    })
  return { begun, add, end: (name: string) => ends.get(name)?.() }
}

test('callers take turns: one with many tasks delays another one by a single task', async () => {
  const { begun, add, end } = tasksOf(new FairTurns(limits))
  const many = ['a1', 'a2', 'a3'].map((name) => add('a', name))
  const other = add('b', 'b1')
  const third = add('c', 'c1')
  for (const [name, done] of [
    ['a1', many[0]],
    ['b1', other],
    ['a2', many[1]],
    ['c1', third],
    ['a3', many[2]],
  ] as const) {
    expect(begun.at(-1)).toBe(name)
    end(name)
    expect(await done).toBe(name)
  }
  expect(begun).toEqual(['a1', 'b1', 'a2', 'c1', 'a3'])
})

test('a task beyond the bytes that one caller, or all callers, may have waiting is refused and does not run', async () => {
  const { begun, add, end } = tasksOf(new FairTurns(limits))
  const running = add('a', 'a1', 5_000)
  const waiting = add('a', 'a2', 300)
  await expect(add('a', 'a3', 1)).rejects.toMatchObject({ of: 'caller' })
  const others = ['b', 'c'].map((caller) => add(caller, caller, 300))
  await expect(add('d', 'd', 200)).rejects.toMatchObject({ of: 'all' })
  for (const name of ['a1', 'b', 'a2', 'c']) {
    end(name)
    await Promise.resolve()
    await new Promise(setImmediate)
  }
  await Promise.all([running, waiting, ...others])
  expect(begun).toEqual(['a1', 'b', 'a2', 'c'])
  const after = add('a', 'a4', 300)
  end('a4')
  expect(await after).toBe('a4')
})

test('a task that fails passes its turn on', async () => {
  const turns = new FairTurns(limits)
  const failing = turns.run('a', 1, () => Promise.reject(new Error('failed')))
  const next = turns.run('b', 1, async () => 'ran')
  await expect(failing).rejects.toThrow('failed')
  expect(await next).toBe('ran')
})
