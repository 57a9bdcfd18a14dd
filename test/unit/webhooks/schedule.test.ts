import { describe, expect, test } from 'vitest'
import {
  type Answer,
  judge,
  readRetryAfter,
  retryDelaysMs,
} from '../../../src/products/webhooks/deliveries/schedule.ts'

const answered = (status: number, retryAfterMs?: number): Answer => ({
  kind: 'answered',
  status,
  text: '',
  retryAfterMs,
})
const failed: Answer = { kind: 'failed', problem: 'The server accepts no connection.' }
const dayMs = 86_400_000

describe('a delivery', () => {
  test('is accepted by every status from 200 to 299 and by no other', () => {
    for (const status of [200, 201, 202, 204, 299]) {
      expect(judge(answered(status), 1, 0.5)).toEqual({ kind: 'delivered' })
    }
    for (const status of [100, 199, 300, 301, 302, 307, 308, 400, 401, 404, 429, 500, 503]) {
      expect(judge(answered(status), 1, 0.5)).toMatchObject({ kind: 'retry' })
    }
  })

  test('is tried eight times, after the pauses of the documentation, and then given up', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7].map((attempts) => judge(failed, attempts, 0.5))
    expect(pauses.map((verdict) => (verdict.kind === 'retry' ? verdict.inMs / 1_000 : verdict))).toEqual([
      5, 300, 1_800, 7_200, 18_000, 36_000, 36_000,
    ])
    expect(judge(failed, 8, 0.5)).toEqual({ kind: 'given up', problem: 'The server accepts no connection.' })
  })

  test('waits up to a fifth less or more than the pause, by chance', () => {
    for (const [index, delayMs] of retryDelaysMs.entries()) {
      expect(judge(failed, index + 1, 0)).toMatchObject({ inMs: delayMs * 0.8 })
      expect(judge(failed, index + 1, 1)).toMatchObject({ inMs: delayMs * 1.2 })
    }
  })

  test('waits as long as Retry-After says with 429 and 503, up to a day, and not with any other status', () => {
    for (const status of [429, 503]) {
      expect(judge(answered(status, 90_000), 1, 0.5)).toMatchObject({ inMs: 90_000 })
      expect(judge(answered(status, 10 * dayMs), 1, 0.5)).toMatchObject({ inMs: dayMs })
    }
    expect(judge(answered(500, 90_000), 1, 0.5)).toMatchObject({ inMs: 5_000 })
    expect(judge(answered(429, 90_000), 8, 0.5)).toMatchObject({ kind: 'given up' })
  })

  test('is not tried sooner because of a Retry-After, so a receiver that is down does not use up all attempts', () => {
    for (const status of [429, 503]) {
      expect(judge(answered(status, 0), 4, 0.5)).toMatchObject({ inMs: 7_200_000 })
      expect(judge(answered(status, 1_000), 1, 0)).toMatchObject({ inMs: 4_000 })
    }
  })

  test('that is answered with 410 ends the subscription, at whichever attempt', () => {
    expect(judge(answered(410), 1, 0.5)).toEqual({ kind: 'gone' })
    expect(judge(answered(410), 8, 0.5)).toEqual({ kind: 'gone' })
  })
})

test('Retry-After is read as seconds or as a date of HTTP, and ignored in any other form', () => {
  const now = Date.UTC(2026, 10, 21, 12)
  expect(readRetryAfter('120', now)).toBe(120_000)
  expect(readRetryAfter(' 0 ', now)).toBe(0)
  expect(readRetryAfter('Sat, 21 Nov 2026 12:10:00 GMT', now)).toBe(600_000)
  expect(readRetryAfter('Sat, 21 Nov 2026 11:00:00 GMT', now)).toBe(0)
  const faulty = [undefined, '', '-1', '1e3', '0x10', '1.5', 'soon', '2026-11-21', '9'.repeat(400)]
  for (const text of faulty) expect(readRetryAfter(text, now)).toBeUndefined()
})
