import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Broadcasts } from '../../../src/edge/handlers/scans/broadcast.ts'
import type { ScanEvent } from '../../../src/products/scan/scans/scan-events.ts'

/** How the events of a scan get to many callers at once. */

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

const going = new AbortController().signal
const scan = { id: 'scan', owner: null }

/** Broadcasts whose scan has the events that the test sends. */
function open() {
  const sent: ScanEvent[] = []
  let readings = 0
  let abandoned = 0
  let failure: Error | undefined
  let more = Promise.withResolvers<void>()
  async function* read(_id: string, signal: AbortSignal) {
    readings += 1
    signal.addEventListener('abort', () => {
      abandoned += 1
      wake()
    })
    for (let next = 0; !signal.aborted; next += 1) {
      while (next >= sent.length && !signal.aborted) {
        if (failure) throw failure
        await more.promise
      }
      const event = sent[next]
      if (event) yield event
    }
  }
  const wake = () => {
    more.resolve()
    more = Promise.withResolvers()
  }
  return {
    broadcasts: new Broadcasts(read),
    send(message: string) {
      const seq = sent.length + 1
      sent.push({ seq, status: 'fetching', progress: 1, message, at: new Date(0) })
      wake()
    },
    fail(error: Error) {
      failure = error
      wake()
    },
    counts: () => ({ readings, abandoned }),
  }
}

/** Lets everything that is under way happen. */
async function settle() {
  for (let turns = 0; turns < 20; turns += 1) await turn()
}

test('an event goes to at most 32 followers in a turn, and other work passes between', async () => {
  const { broadcasts, send, counts } = open()
  let now = 0
  const writes = new Map<number, number>()
  for (let count = 0; count < 100; count += 1) {
    broadcasts.follow(scan, 0, going).on('data', (bytes) => {
      if (String(bytes).includes('news')) writes.set(now, (writes.get(now) ?? 0) + 1)
    })
  }
  await settle()
  send('news')
  for (; now < 20; now += 1) await turn()
  const perTurn = [...writes.values()]
  expect(perTurn.reduce((sum, count) => sum + count)).toBe(100)
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(32)
  expect(counts().readings).toBe(1)
})

test('followers get a heartbeat every 15 seconds, and one that does not read is cut off at the second', async () => {
  const { broadcasts, send } = open()
  let text = ''
  broadcasts.follow(scan, 0, going).on('data', (bytes) => {
    text += bytes
  })
  const idle = broadcasts.follow(scan, 0, going)
  idle.read(0)
  for (let count = 0; count < 100; count += 1) send('x'.repeat(2_000))
  await settle()
  expect(idle.readableLength).toBeLessThan(idle.readableHighWaterMark + 2_500)
  expect(text.match(/^id: /gm)).toHaveLength(100)

  vi.advanceTimersByTime(15_000)
  await settle()
  expect(text.endsWith('\n\n: still here\n\n')).toBe(true)
  expect(idle.destroyed).toBe(false)
  vi.advanceTimersByTime(15_000)
  await settle()
  expect([idle.destroyed, text.match(/^: still here$/gm)]).toEqual([true, [': still here', ': still here']])
})

test('a failed read breaks the streams that follow, and the next follower reads anew', async () => {
  const { broadcasts, send, fail, counts } = open()
  send('first')
  const follower = broadcasts.follow(scan, 0, going)
  const failed = Promise.withResolvers<Error>()
  let text = ''
  follower.on('error', failed.resolve).on('data', (bytes) => {
    text += bytes
  })
  await settle()
  fail(new Error('the store is down'))
  expect((await failed.promise).message).toBe('the store is down')
  expect(text).toContain('first')
  broadcasts.follow(scan, 0, going).on('error', () => undefined)
  expect(counts().readings).toBe(2)
})

test('the read ends when the last follower has left, and no earlier', async () => {
  const { broadcasts, counts } = open()
  const [one, other] = [new AbortController(), new AbortController()]
  const follower = broadcasts.follow(scan, 0, one.signal).resume()
  broadcasts.follow(scan, 0, other.signal).resume()
  await settle()
  one.abort()
  await settle()
  expect([follower.readableEnded, counts()]).toEqual([true, { readings: 1, abandoned: 0 }])
  other.abort()
  expect(counts()).toEqual({ readings: 1, abandoned: 1 })
  broadcasts.follow(scan, 0, going).resume()
  expect(counts().readings).toBe(2)
})
