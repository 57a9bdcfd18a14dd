import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Counter, Counters, TakeResult } from '../../../src/doors/quota/counters/counters.ts'
import { periodOf } from '../../../src/doors/quota/counters/period.ts'
import { drivers, type OpenedCounting, storeOverPGlite } from '../../support/stores/counting.ts'

/** The guarantees of every driver, with two gateways; the embedded store has one gateway only. */

const now = Date.now()
const day = periodOf('day', now)
const month = periodOf('month', now)

/** A new subject. */
const newSubject = () => `key:${randomBytes(8).toString('hex')}`
const counterOf = (subject: string, change: Partial<Counter> = {}): Counter => ({
  subject,
  operation: 'writeBlog',
  period: day,
  limit: 3,
  units: 1,
  ...change,
})
const kindsOf = (all: readonly TakeResult[]) => ({
  taken: all.filter(({ kind }) => kind === 'taken').length,
  exhausted: all.filter(({ kind }) => kind === 'exhausted').length,
})

describe.each([...drivers, storeOverPGlite])('units counted in %s', (_driver, open) => {
  let opened: OpenedCounting
  let one: Counters
  let other: Counters

  beforeAll(async () => {
    opened = await open()
    one = opened.one.counters
    other = opened.other.counters
  })
  afterAll(() => opened.close())

  const takeAtOnce = (times: number, counters: readonly Counter[]) =>
    Promise.all(Array.from({ length: times }, (_, n) => (n % 2 ? one : other).take(counters)))

  test('units are taken up to the limit, and each take returns the used units', async () => {
    const counter = counterOf(newSubject())
    expect(await one.take([counter])).toEqual({ kind: 'taken', used: [1] })
    expect(await other.take([counter])).toEqual({ kind: 'taken', used: [2] })
    expect(await one.take([counter])).toEqual({ kind: 'taken', used: [3] })
    expect(await other.take([counter])).toEqual({ kind: 'exhausted', at: 0, used: [3] })
  })

  test('units are taken from all counters or from none, and the first full one is named', async () => {
    const subject = newSubject()
    const wide = counterOf(subject, { limit: 100 })
    const narrow = counterOf(subject, { period: month, limit: 1 })
    const counted = counterOf(subject, { operation: 'all', limit: Number.MAX_SAFE_INTEGER })
    expect(await one.take([wide, narrow, counted])).toEqual({ kind: 'taken', used: [1, 1, 1] })
    expect(await one.take([wide, narrow, counted])).toEqual({ kind: 'exhausted', at: 1, used: [1, 1, 1] })
    expect(await one.take([narrow, { ...wide, limit: 1 }])).toMatchObject({ kind: 'exhausted', at: 0 })
    expect(await one.take([wide])).toEqual({ kind: 'taken', used: [2] })
  })

  test('a limit of zero gives no unit', async () => {
    const counter = counterOf(newSubject(), { limit: 0 })
    expect(await one.take([counter])).toEqual({ kind: 'exhausted', at: 0, used: [0] })
  })

  test('a take without counters succeeds', async () => {
    expect(await one.take([])).toEqual({ kind: 'taken', used: [] })
    await one.give([])
  })

  test.each([1, 30])(
    'of a hundred takes at once with %i units left, exactly so many succeed',
    async (left) => {
      const subject = newSubject()
      const counters = [
        counterOf(subject, { limit: 1_000 }),
        counterOf(subject, { period: month, limit: left + 2 }),
      ]
      await one.take(counters)
      await other.take(counters)
      expect(kindsOf(await takeAtOnce(100, counters))).toEqual({ taken: left, exhausted: 100 - left })
      expect(await one.used(subject, [day])).toEqual([
        { operation: 'writeBlog', period: day, used: left + 2 },
      ])
    },
  )

  test('a hundred first takes at once are counted exactly', async () => {
    const subject = newSubject()
    const counters = [counterOf(subject, { limit: 30 }), counterOf(subject, { period: month, limit: 30 })]
    const all = await takeAtOnce(100, counters)
    expect(kindsOf(all)).toEqual({ taken: 30, exhausted: 70 })
    const told = all.flatMap((taken) => (taken.kind === 'taken' ? taken.used[0] : []))
    expect(told.toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual(Array.from({ length: 30 }, (_, n) => n + 1))
  })

  test('takes that name the same counters in another order do not deadlock', async () => {
    const subject = newSubject()
    const counters = ['a', 'b', 'c', 'd'].map((operation) => counterOf(subject, { operation, limit: 200 }))
    const all = await Promise.all(
      Array.from({ length: 100 }, (_, n) => (n % 2 ? one.take(counters) : other.take(counters.toReversed()))),
    )
    expect(kindsOf(all)).toEqual({ taken: 100, exhausted: 0 })
  })

  test('units that are given back can be taken again, once', async () => {
    const subject = newSubject()
    const counters = [counterOf(subject), counterOf(subject, { period: month, limit: 10 })]
    await takeAtOnce(3, counters)
    await other.give(counters)
    expect(await one.used(subject, [day, month])).toEqual(
      expect.arrayContaining([
        { operation: 'writeBlog', period: day, used: 2 },
        { operation: 'writeBlog', period: month, used: 2 },
      ]),
    )
    expect(kindsOf(await takeAtOnce(10, counters))).toEqual({ taken: 1, exhausted: 9 })
  })

  test('gives and takes at once lose no unit', async () => {
    const subject = newSubject()
    const counter = counterOf(subject, { limit: 1_000 })
    await takeAtOnce(20, [counter])
    await Promise.all([
      ...Array.from({ length: 40 }, (_, n) => (n % 2 ? one : other).take([counter])),
      ...Array.from({ length: 10 }, (_, n) => (n % 2 ? one : other).give([counter])),
    ])
    expect(await one.used(subject, [day])).toEqual([{ operation: 'writeBlog', period: day, used: 50 }])
  })

  test('a counter never falls below zero, not even an unused one', async () => {
    const counter = counterOf(newSubject(), { limit: 1 })
    await one.give([counter])
    expect(await one.take([counter])).toEqual({ kind: 'taken', used: [1] })
    await one.give([counter])
    await one.give([counter])
    expect(kindsOf(await takeAtOnce(5, [counter]))).toEqual({ taken: 1, exhausted: 4 })
  })

  test('reservations at once never exceed the limit, and returned units are free for others', async () => {
    const subject = newSubject()
    const counters = [
      counterOf(subject, { limit: 1_000 }),
      counterOf(subject, { operation: 'writeBlog.tokens', limit: 100_000, units: 8_000 }),
    ]
    expect(kindsOf(await takeAtOnce(50, counters))).toEqual({ taken: 12, exhausted: 38 })
    const used = async () =>
      Object.fromEntries((await one.used(subject, [day])).map((usage) => [usage.operation, usage.used]))
    expect(await used()).toEqual({ writeBlog: 12, 'writeBlog.tokens': 96_000 })
    const rest = [counterOf(subject, { operation: 'writeBlog.tokens', units: 7_500 })]
    await Promise.all(Array.from({ length: 12 }, (_, n) => (n % 2 ? one : other).give(rest)))
    expect(await used()).toEqual({ writeBlog: 12, 'writeBlog.tokens': 6_000 })
    expect(kindsOf(await takeAtOnce(50, counters))).toEqual({ taken: 11, exhausted: 39 })
  })

  test('a take of more units than are left is refused, and a smaller one succeeds', async () => {
    const subject = newSubject()
    const calls = counterOf(subject, { limit: 10 })
    const tokens = counterOf(subject, { operation: 'writeBlog.tokens', limit: 1_000, units: 600 })
    expect(await one.take([calls, tokens])).toEqual({ kind: 'taken', used: [1, 600] })
    expect(await other.take([calls, tokens])).toEqual({ kind: 'exhausted', at: 1, used: [1, 600] })
    expect(await one.take([calls, { ...tokens, units: 400 }])).toEqual({ kind: 'taken', used: [2, 1_000] })
    expect(await other.take([calls, { ...tokens, units: 1 }])).toMatchObject({ kind: 'exhausted', at: 1 })
  })

  test('counters are exact for the largest allowance', async () => {
    const limit = 999_999_999_999
    const bytes = counterOf(newSubject(), { limit, units: limit - 1 })
    expect(await one.take([bytes])).toEqual({ kind: 'taken', used: [limit - 1] })
    await other.give([{ ...bytes, units: limit - 2 }])
    expect(await one.take([bytes])).toEqual({ kind: 'taken', used: [limit] })
    await other.give([{ ...bytes, units: limit + 5 }])
    expect(await one.take([bytes])).toEqual({ kind: 'taken', used: [limit - 1] })
  })

  test('usage is listed by operation and period, of one subject, without zeros', async () => {
    const subject = newSubject()
    await one.take([counterOf(subject), counterOf(subject, { period: month })])
    await one.take([counterOf(subject, { operation: 'researchLead' })])
    const given = [counterOf(subject, { operation: 'analyzeBusiness' })]
    await one.take(given)
    await one.give(given)
    await one.take([counterOf(`${subject}0`)])
    const used = await other.used(subject, [day])
    expect(used.toSorted((a, b) => a.operation.localeCompare(b.operation))).toEqual([
      { operation: 'researchLead', period: day, used: 1 },
      { operation: 'writeBlog', period: day, used: 1 },
    ])
    expect(await other.used(subject, [])).toEqual([])
  })

  test('a new day starts at zero, and the month goes on', async () => {
    const subject = newSubject()
    const tomorrow = periodOf('day', now + 86_400_000)
    const monthly = counterOf(subject, { period: month, limit: 100 })
    await one.take([counterOf(subject, { limit: 1 }), monthly])
    expect(await one.take([counterOf(subject, { limit: 1 }), monthly])).toMatchObject({ kind: 'exhausted' })
    expect(await one.take([counterOf(subject, { limit: 1, period: tomorrow }), monthly])).toEqual({
      kind: 'taken',
      used: [1, 2],
    })
  })

  test('subjects, operations and periods with similar names are counted apart', async () => {
    const names = ['oidc:a b', 'oidc:a', 'oidc:a}:x', 'oidc:{a}', "oidc:'", 'oidc:"\\', 'oidc:é']
    const subjects = names.map((name) => `${name}${randomBytes(4).toString('hex')}`)
    for (const subject of subjects) {
      expect(await one.take([counterOf(subject, { limit: 1 })])).toMatchObject({ kind: 'taken' })
      expect(await one.used(subject, [day])).toMatchObject([{ used: 1 }])
    }
  })

  test('counters of recent periods are never deleted', async () => {
    const subject = newSubject()
    const periods = [day, month, periodOf('day', now - 3 * 86_400_000)]
    await one.take(periods.map((period) => counterOf(subject, { period })))
    await one.forget(now)
    expect(await one.used(subject, periods)).toHaveLength(3)
  })
})
