import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Gathering } from '../../../src/platform/threads/gathering.ts'

test('what comes in one turn of the event loop is run once, and what comes later is run again', async () => {
  let came = 0
  const runs: number[] = []
  let ran = Promise.withResolvers<void>()
  const gathering = new Gathering(() => {
    runs.push(came)
    came = 0
    ran.resolve()
  })
  const come = () => {
    came += 1
    gathering.add()
  }

  for (let i = 0; i < 3; i++) come()
  await ran.promise
  await setImmediate()
  ran = Promise.withResolvers<void>()
  come()
  await ran.promise

  expect(runs).toEqual([3, 1])
})
