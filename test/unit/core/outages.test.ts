import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createLog, type Log } from '../../../src/core/log.ts'
import { DependencyDown } from '../../../src/core/outages.ts'

/** What the log of a gateway says about an outage, at the level it has by default. */

const redis = { name: 'Redis', means: 'quotas are not counted' }
const chain = { name: 'the chain', means: 'no payments' }
const payments = { name: 'payments', means: 'no payments' }

let log: Log
let lines: z.infer<typeof line>[]
const line = z.looseObject({ level: z.int(), msg: z.string() })
const messages = () => lines.map(({ msg }) => msg)

beforeEach(() => {
  vi.useFakeTimers()
  lines = []
  log = createLog('info', { write: (text: string) => void lines.push(line.parse(JSON.parse(text))) })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A call that a dependency has failed, as the parts of the gateway report it. */
function failCall(dependency = redis): void {
  const error = new Error('connect ECONNREFUSED')
  log.outages.failed(dependency, error)
  const refusal = new Error('the call is refused', { cause: error })
  log.outages.countCall(refusal)
  log.error({ err: refusal }, 'a call failed')
}

test('an outage logs one line when it begins, one a minute with the number of failed calls, and one when it is over', () => {
  for (let calls = 0; calls < 100; calls += 1) failCall()
  expect(lines).toMatchObject([
    { level: 50, msg: 'an outage has begun: Redis', dependency: 'Redis', means: redis.means },
  ])
  expect(lines[0]?.err).toMatchObject({
    message: 'connect ECONNREFUSED',
    stack: expect.stringContaining('at '),
  })

  vi.advanceTimersByTime(59_000)
  failCall()
  vi.advanceTimersByTime(1_000)
  expect(lines.slice(1)).toMatchObject([
    { level: 40, msg: 'an outage lasts: Redis', seconds: 60, calls: 101, reason: 'connect ECONNREFUSED' },
  ])
  vi.advanceTimersByTime(5_000)
  log.outages.works(redis)
  vi.advanceTimersByTime(10_000)
  expect(lines.slice(2)).toMatchObject([
    { level: 30, msg: 'an outage is over: Redis', seconds: 65, calls: 101 },
  ])
  vi.advanceTimersByTime(600_000)
  expect(lines).toHaveLength(3)
})

test('an outage whose dependency no call has asked for since is not reported again', () => {
  failCall()
  vi.advanceTimersByTime(600_000)
  expect(messages()).toEqual(['an outage has begun: Redis'])
})

test('a dependency that fails and works in turns has one outage, until it works for two seconds', () => {
  for (let times = 0; times < 10; times += 1) {
    failCall()
    log.outages.works(redis)
    vi.advanceTimersByTime(1_500)
  }
  expect(messages()).toEqual(['an outage has begun: Redis'])
  vi.advanceTimersByTime(500)
  expect(messages()).toEqual(['an outage has begun: Redis', 'an outage is over: Redis'])
})

test('errors that are no outage are logged each time, also during an outage', () => {
  failCall()
  for (let times = 0; times < 3; times += 1) log.error({ err: new Error('a bug') }, 'a call failed')
  log.error('without an error')
  expect(messages().slice(1)).toEqual(['a call failed', 'a call failed', 'a call failed', 'without an error'])
})

test('a late line about an error of an outage that is over is not written', () => {
  const error = new Error('connect ECONNREFUSED')
  log.outages.failed(redis, error)
  log.outages.works(redis)
  vi.advanceTimersByTime(2_000)
  log.warn({ err: error }, 'late')
  expect(messages()).toEqual(['an outage has begun: Redis', 'an outage is over: Redis'])
})

test('lines about errors of an outage are written at level debug', () => {
  log.level = 'debug'
  failCall()
  expect(lines[1]).toMatchObject({ level: 20, msg: 'a call failed', err: { message: 'the call is refused' } })
})

test('what is down because of another dependency has no outage of its own, and its calls count for the other', () => {
  const lost = new Error('fetch failed')
  log.outages.failed(chain, lost)
  log.outages.failed(payments, new DependencyDown(payments, 'the chain does not answer', { cause: lost }))
  const refusal = new Error('refused', { cause: new DependencyDown(payments, 'the chain does not answer') })
  log.outages.countCall(refusal)
  log.error({ err: refusal }, 'a call failed')
  expect(messages()).toEqual(['an outage has begun: the chain'])

  log.outages.works(chain)
  vi.advanceTimersByTime(2_000)
  expect(lines.at(-1)).toMatchObject({ msg: 'an outage is over: the chain', calls: 1 })

  // The same dependency is down for a reason of its own now.
  log.outages.failed(payments, new DependencyDown(payments, 'no gas'))
  expect(lines.at(-1)).toMatchObject({ msg: 'an outage has begun: payments', err: { message: 'no gas' } })
})

test('a gateway that closes its own parts logs no outage of them', () => {
  failCall()
  log.outages.stop()
  failCall(chain)
  vi.advanceTimersByTime(60_000)
  expect(messages()).toEqual(['an outage has begun: Redis'])
})

test('each line names its gateway', () => {
  const written: string[] = []
  createLog('info', { write: (text: string) => void written.push(text) }, 'gateway-2').info('x')
  expect(JSON.parse(written.join(''))).toMatchObject({ instance: 'gateway-2', msg: 'x' })
})
