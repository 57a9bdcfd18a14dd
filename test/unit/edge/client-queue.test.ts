import { expect, test } from 'vitest'
import { ClientQueue } from '../../../src/edge/http/connections/client-queue.ts'

function queueOf<Item>(waiting: Readonly<Record<string, readonly Item[]>>) {
  const clock = { ms: 1_000 }
  const queue = new ClientQueue<Item>(() => clock.ms)
  for (const [client, items] of Object.entries(waiting)) for (const item of items) queue.add(client, item)
  return { queue, clock }
}

test('each client gets one item before any gets a second one', () => {
  const { queue } = queueOf({ a: ['a1', 'a2', 'a3'], b: ['b1'], c: ['c1', 'c2'] })
  const taken: string[] = []
  while (!queue.isEmpty) taken.push(...queue.take(1))
  expect(taken).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3'])
})

test('a client of which nothing waited comes next, ahead of clients with many, which still have a quarter of the turns', () => {
  const many = Object.fromEntries(['a', 'b', 'c', 'd'].map((client) => [client, Array(9).fill(client)]))
  const { queue } = queueOf(many)
  queue.take(4)
  queue.add('new', 'new')
  expect(queue.take(1)).toEqual(['new'])
  const taken: string[] = []
  for (let n = 0; n < 12; n += 1) {
    queue.add(`new ${n}`, 'new')
    taken.push(...queue.take(1))
  }
  expect(taken.filter((item) => item !== 'new')).toEqual(['a', 'b', 'c'])
})

test('a client whose item took long lets others pass for as long as it took', () => {
  const { queue, clock } = queueOf({ slow: ['s1', 's2'], quick: ['q1', 'q2', 'q3', 'q4', 'q5', 'q6'] })
  expect(queue.take(1)).toEqual(['s1'])
  queue.charge('slow', 20)
  expect(queue.take(1)).toEqual(['q1'])
  clock.ms += 19
  expect(queue.take(1)).toEqual(['q2'])
  clock.ms += 1
  expect(queue.take(1)).toEqual(['s2'])
})

test('a client that lets others pass is served while nobody else waits, unless others are about to come', () => {
  const { queue, clock } = queueOf({ slow: ['s1', 's2', 's3'] })
  queue.take(1)
  queue.charge('slow', 20)
  expect(queue.take(8, true)).toEqual([])
  expect(queue.take(8)).toEqual(['s2'])
  clock.ms += 20
  expect(queue.take(8, true)).toEqual(['s3'])
})

test('of clients that all let others pass, the one that has to do so the shortest is served', () => {
  const { queue } = queueOf({ slow: ['s1', 's2'], slower: ['t1', 't2'], quick: ['q1', 'q2'] })
  queue.take(3)
  queue.charge('slow', 30)
  queue.charge('slower', 40)
  queue.charge('quick', 2)
  expect(queue.take(8)).toEqual(['q2'])
  expect(queue.take(8)).toEqual(['s2'])
})

test('items that are given back are the next ones of their client, which comes first, with one item at once', () => {
  const { queue } = queueOf({ a: ['a1', 'a2', 'a3', 'a4'], b: ['b1', 'b2'] })
  queue.take(1)
  expect(queue.take(6)).toEqual(['b1', 'a2', 'a3', 'a4'])
  queue.putBack(new Map([['a', ['a2', 'a3', 'a4']]]))
  expect(queue.size).toBe(4)
  expect(queue.take(2)).toEqual(['a2', 'b2'])
  expect(queue.take(6)).toEqual(['a3', 'a4'])
})

test('a client whose items are small gets several at once, and one at a time after a large one', () => {
  const items = Array.from({ length: 40 }, (_, n) => `i${n}`)
  const { queue, clock } = queueOf({ client: items })
  expect(queue.take(512).length).toBe(1)
  expect(queue.take(512).length).toBe(4)
  expect(queue.take(512).length).toBe(16)
  expect(queue.take(3).length).toBe(3)
  queue.charge('client', 5)
  clock.ms += 5
  expect(queue.take(512).length).toBe(1)
})

test('a client that sends a short item after the other comes before those whose items go on, which keep a quarter of the turns', () => {
  const { queue } = queueOf({ a: ['a', 'a', 'a'], b: ['b', 'b', 'b'], short: Array(8).fill('s') })
  for (const [item = ''] of [queue.take(1), queue.take(1), queue.take(1)]) if (item !== 's') queue.begun(item)
  const taken = Array.from({ length: 8 }, () => queue.take(1)[0])
  expect(taken.filter((item) => item === 's')).toHaveLength(6)
  expect(new Set(taken)).toEqual(new Set(['s', 'a', 'b']))
})

test('a client whose items are all over is one of those that come before the others again', () => {
  const { queue } = queueOf({ a: ['a1', 'a2'], b: ['b1', 'b2'] })
  queue.take(2)
  for (const client of ['a', 'a', 'b']) queue.begun(client)
  queue.ended('b', 2)
  expect(queue.take(1)).toEqual(['b2'])
  queue.ended('a', 9)
  queue.add('b', 'b3')
  queue.take(1)
  queue.begun('b')
  queue.add('b', 'b4')
  queue.ended('a', 1)
  expect(queue.take(1)).toEqual(['a2'])
})

test('of clients of which nothing is under way, the one whose items took the shortest time together comes next', () => {
  const { queue, clock } = queueOf({ longest: Array(4).fill(90), long: Array(9).fill(20) })
  const takeOne = () => {
    const [item = 0] = queue.take(1)
    const client = item === 90 ? 'longest' : 'long'
    queue.begun(client)
    queue.ended(client, item)
    return item
  }
  expect(Array.from({ length: 8 }, takeOne)).toEqual([90, ...Array(7).fill(20)])
  clock.ms += 60_000
  expect(takeOne()).toBe(90)
})

test('one that is known to send short items comes before fifty new clients, which come before each second of its items', () => {
  const { queue } = queueOf({ known: ['known', 'known'] })
  queue.take(1)
  queue.begun('known')
  queue.ended('known', 1)
  queue.take(1)
  for (let n = 0; n < 50; n += 1) queue.add(`new ${n}`, 'new')
  for (let n = 0; n < 8; n += 1) queue.add('known', 'known')
  const taken = Array.from({ length: 8 }, () => queue.take(1)[0])
  expect(taken).toEqual(['known', 'new', 'known', 'new', 'known', 'new', 'known', 'new'])
})

test('one that was known to send short items waits like others while something of it is under way', () => {
  const { queue } = queueOf({ known: ['known'] })
  queue.take(1)
  queue.begun('known')
  queue.ended('known', 1)
  queue.begun('known')
  queue.add('new', 'new')
  queue.add('known', 'known')
  expect([queue.take(1), queue.take(1)]).toEqual([['new'], ['known']])
})
