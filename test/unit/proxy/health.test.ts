import { expect, test } from 'vitest'
import { readUpstream, upstream } from '../../../src/core/catalog/upstreams.ts'
import { createHealth } from '../../../src/proxy/pool/health.ts'

const { health: settings } = readUpstream(
  upstream.parse({
    prefix: '/x',
    targets: ['http://a.example'],
    health: { failures: 3, eject_seconds: 10 },
  }),
)

test('only failures in a row count: a whole reply between them begins the count anew', () => {
  const health = createHealth(
    settings,
    () => 0,
    () => undefined,
  )
  health.failed()
  health.failed()
  health.completed()
  health.failed()
  health.failed()
  expect(health.isWell()).toBe(true)
  health.failed()
  expect(health.isWell()).toBe(false)
})

test('a target that came back is left alone again at its next failure, until it has given a whole reply', () => {
  let nowMs = 0
  const health = createHealth(
    settings,
    () => nowMs,
    () => undefined,
  )
  for (let failure = 0; failure < 3; failure++) health.failed()
  nowMs = 10_000
  health.begin()
  health.answered()
  expect(health.isWell()).toBe(true)
  health.failed()
  expect(health.isWell()).toBe(false)
})

test('a trial that fails leaves the target alone again, though a call from before ended well meanwhile', () => {
  let nowMs = 0
  const health = createHealth(
    settings,
    () => nowMs,
    () => undefined,
  )
  for (let failure = 0; failure < 3; failure++) health.failed()
  health.completed()
  nowMs = 10_000
  health.begin()
  health.failed()
  expect(health.isWell()).toBe(false)
  nowMs = 20_000
  expect(health.isWell()).toBe(true)
})

test('what a check finds bad is left alone until a check finds it good, whatever calls find', () => {
  const heard: boolean[] = []
  const health = createHealth(
    settings,
    () => 0,
    (isEjected) => heard.push(isEjected),
  )
  health.checked(false)
  health.answered()
  health.completed()
  expect(health.isWell()).toBe(false)
  health.checked(true)
  expect([health.isWell(), heard]).toEqual([true, [true, false]])
})
