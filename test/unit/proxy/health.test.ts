import { expect, test } from 'vitest'
import { readUpstream, upstream } from '../../../src/core/catalog/upstreams.ts'
import { TargetHealth } from '../../../src/proxy/pool/health.ts'

const { health: settings } = readUpstream(
  upstream.parse({
    prefix: '/x',
    targets: ['http://a.example'],
    health: { failures: 3, eject_seconds: 10 },
  }),
)

test('only failures in a row count: a whole reply between them restarts the count', () => {
  const health = new TargetHealth(
    settings,
    () => 0,
    () => undefined,
  )
  health.failed()
  health.failed()
  health.completed()
  health.failed()
  health.failed()
  expect(health.isAvailable()).toBe(true)
  health.failed()
  expect(health.isAvailable()).toBe(false)
})

test('a target that came back is ejected at its next failure, unless it gave a whole reply before', () => {
  let nowMs = 0
  const health = new TargetHealth(
    settings,
    () => nowMs,
    () => undefined,
  )
  for (let failure = 0; failure < 3; failure++) health.failed()
  nowMs = 10_000
  health.started()
  health.replied()
  expect(health.isAvailable()).toBe(true)
  health.failed()
  expect(health.isAvailable()).toBe(false)
})

test('a failed trial ejects the target again, even when an earlier call has ended well meanwhile', () => {
  let nowMs = 0
  const health = new TargetHealth(
    settings,
    () => nowMs,
    () => undefined,
  )
  for (let failure = 0; failure < 3; failure++) health.failed()
  health.completed()
  nowMs = 10_000
  health.started()
  health.failed()
  expect(health.isAvailable()).toBe(false)
  nowMs = 20_000
  expect(health.isAvailable()).toBe(true)
})

test('a target that fails a health check is ejected until it passes one, whatever its calls return', () => {
  const reported: boolean[] = []
  const health = new TargetHealth(
    settings,
    () => 0,
    (isEjected) => reported.push(isEjected),
  )
  health.checked(false)
  health.replied()
  health.completed()
  expect(health.isAvailable()).toBe(false)
  health.checked(true)
  expect([health.isAvailable(), reported]).toEqual([true, [true, false]])
})
