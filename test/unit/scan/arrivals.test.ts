import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Arrivals } from '../../../src/edge/handlers/scans/arrivals.ts'

test('sixteen callers pass in a turn, in the order in which they came, and one that comes alone passes at once', async () => {
  const arrivals = new Arrivals()
  const passed: number[] = []
  const come = (caller: number) => void arrivals.pass().then(() => passed.push(caller))
  for (let caller = 0; caller < 40; caller += 1) come(caller)
  for (let step = 0; step < 10; step += 1) await Promise.resolve()
  const after = [passed.length]
  for (let turns = 0; turns < 4; turns += 1) {
    await turn()
    after.push(passed.length)
  }
  expect(after).toEqual([16, 32, 40, 40, 40])
  expect(passed).toEqual(Array.from({ length: 40 }, (_, caller) => caller))
  await arrivals.pass()
  come(40)
  await Promise.resolve()
  await Promise.resolve()
  expect(passed).toContain(40)
})
