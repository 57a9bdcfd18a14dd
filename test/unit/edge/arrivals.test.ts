import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Arrivals } from '../../../src/edge/http/connections/arrivals.ts'

test('connections arrive until a turn of the event loop has passed without one', async () => {
  const arrivals = new Arrivals()
  expect(arrivals.areOn).toBe(false)
  arrivals.add()
  expect(arrivals.areOn).toBe(true)
  await nextTurn()
  expect(arrivals.areOn).toBe(true)
  await nextTurn()
  expect(arrivals.areOn).toBe(false)
})

test('connections of many turns in a row are a crowd, those with turns between them are not', async () => {
  const arrivals = new Arrivals()
  for (let n = 0; n < 20; n += 1) {
    arrivals.add()
    await nextTurn()
    await nextTurn()
    expect(arrivals.areCrowd).toBe(false)
  }
  for (let n = 0; n < 20; n += 1) {
    arrivals.add()
    await nextTurn()
  }
  expect(arrivals.areCrowd).toBe(true)
  await nextTurn()
  await nextTurn()
  expect(arrivals.areCrowd).toBe(false)
})

test('a crowd that does not end is none after a while, so that callers who are served already go on', async () => {
  const clock = { ms: 0 }
  const arrivals = new Arrivals(() => clock.ms)
  const arrive = async () => {
    for (let n = 0; n < 20; n += 1) {
      arrivals.add()
      await nextTurn()
    }
  }
  await arrive()
  expect(arrivals.areCrowd).toBe(true)
  clock.ms += 200
  await arrive()
  expect(arrivals.areCrowd).toBe(false)
  expect(arrivals.areOn).toBe(true)
})
