import { expect, test } from 'vitest'
import { createSlotsByKey } from '../../../src/core/slots-by-key.ts'

const patient = new AbortController().signal

test('tasks get a slot in the order of their calls, and a task that fails frees its slot', async () => {
  const slots = createSlotsByKey(1)
  const order: string[] = []
  const first = slots.run('a.example', patient, async () => {
    order.push('first')
    throw new Error('it failed')
  })
  const others = ['second', 'third'].map((name) =>
    slots.run('a.example', patient, async () => order.push(name)),
  )

  await expect(first).rejects.toThrow('it failed')
  await Promise.all(others)

  expect(order).toEqual(['first', 'second', 'third'])
})

test('a task whose caller aborts during the wait is never run', async () => {
  const slots = createSlotsByKey(1)
  const impatient = new AbortController()
  const held = Promise.withResolvers<void>()
  const ran: string[] = []
  const first = slots.run('a.example', patient, () => held.promise)
  const second = slots.run('a.example', impatient.signal, async () => ran.push('second'))
  const third = slots.run('a.example', patient, async () => ran.push('third'))

  impatient.abort(new Error('enough'))

  await expect(second).rejects.toThrow('enough')
  held.resolve()
  await Promise.all([first, third])
  expect(ran).toEqual(['third'])
})

test('a task of one host does not wait for tasks of another', async () => {
  const slots = createSlotsByKey(1)
  const held = Promise.withResolvers<void>()
  const first = slots.run('a.example', patient, () => held.promise)

  expect(await slots.run('b.example', patient, async () => 'done')).toBe('done')

  held.resolve()
  await first
})
