import { expect, test } from 'vitest'
import { reuseForASecond } from '../../../src/edge/handlers/service/reuse.ts'

test('many callers share one result, also when it failed, and a later caller gets a new one', async () => {
  let made = 0
  const number = reuseForASecond(async () => {
    made += 1
    if (made === 2) throw new Error('the second fails')
    return made
  })
  expect(new Set(await Promise.all(Array.from({ length: 100 }, number)))).toEqual(new Set([1]))
  expect(await number()).toBe(1)
  const outcome = () => number().catch(({ message }: Error) => message)
  await expect.poll(outcome).toBe('the second fails')
  await expect.poll(outcome).toBe(3)
})

test('callers get the last result while the next one is made', async () => {
  const second = Promise.withResolvers<string>()
  let made = 0
  const result = reuseForASecond(() => {
    made += 1
    return made === 1 ? Promise.resolve('first') : second.promise
  })
  expect(await result()).toBe('first')
  const outcome = () => result().then((one) => `${one} of ${made}`)
  await expect.poll(outcome).toBe('first of 2')
  second.resolve('second')
  await expect.poll(outcome).toBe('second of 2')
})
