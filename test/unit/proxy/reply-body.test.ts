import { text } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { collect } from '../../../src/proxy/pool/collect.ts'
import { ReplyBody } from '../../../src/proxy/pool/reply-body.ts'

const going = new AbortController().signal

function createBody() {
  const events: (Error | null | 'resumed')[] = []
  const body = new ReplyBody(
    () => void events.push('resumed'),
    (error) => void events.push(error),
  )
  body.on('error', () => undefined)
  return { body, events }
}

test('a body that has arrived is taken in one piece, and closed once', async () => {
  const { body, events } = createBody()
  body.add(Buffer.from('one '))
  body.add(Buffer.from('two'))
  body.end()
  const { chunks, bytes, isWhole } = await collect(body, 7, going)
  expect(Buffer.concat(chunks).toString()).toBe('one two')
  expect({ bytes, isWhole }).toEqual({ bytes: 7, isWhole: true })
  expect(events).toEqual([null])
})

test('a body that is still arriving is read to its end, with the chunks that came before', async () => {
  const { body, events } = createBody()
  body.add(Buffer.from('one '))
  const whole = collect(body, 100, going)
  await turn()
  body.add(Buffer.from('two'))
  body.end()
  expect(Buffer.concat((await whole).chunks).toString()).toBe('one two')
  await turn()
  expect(events.filter((one) => one === null)).toHaveLength(1)
})

test('a body larger than the limit keeps its bytes for the next reader', async () => {
  const { body } = createBody()
  body.add(Buffer.from('one '))
  body.end()
  const { chunks, isWhole } = await collect(body, 3, going)
  expect(isWhole).toBe(false)
  expect(Buffer.concat(chunks).toString() + (await text(body))).toBe('one ')
})

test('a body that was cut does not count as complete', async () => {
  const { body } = createBody()
  body.add(Buffer.from('one '))
  body.destroy(new Error('cut'))
  await expect(collect(body, 100, going)).rejects.toThrow()
})

test('an unread body asks its sender to pause at 64 KB', () => {
  const { body } = createBody()
  expect(body.add(Buffer.alloc(65_535))).toBe(true)
  expect(body.add(Buffer.alloc(1))).toBe(false)
})

test('small chunks that arrive in one turn are read as one, in their order with large ones', async () => {
  const { body } = createBody()
  const read: string[] = []
  body.on('data', (chunk: Buffer) => read.push(chunk.length > 9 ? 'large' : String(chunk)))
  await turn()
  for (const letter of 'abc') body.add(Buffer.from(letter))
  body.add(Buffer.alloc(4_096))
  for (const letter of 'def') body.add(Buffer.from(letter))
  await turn()
  expect(read).toEqual(['abc', 'large', 'def'])
  body.add(Buffer.from('g'))
  body.add(Buffer.from('h'))
  body.end()
  expect(read.at(-1)).toBe('gh')
})

test('a flood of small chunks asks its sender to pause, read or unread, and to resume in a later turn', async () => {
  const { body, events } = createBody()
  const flood = () => Array.from({ length: 256 }, () => body.add(Buffer.from('x')))
  const expected = [...Array(255).fill(true), false]
  expect(flood()).toEqual(expected)
  let bytes = 0
  body.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  await turn()
  expect(bytes).toBe(256)
  const resumed = events.length
  expect(flood()).toEqual(expected)
  expect(bytes).toBe(256)
  await turn()
  await turn()
  expect(bytes).toBe(512)
  expect(events.length).toBeGreaterThan(resumed)
})

test('what has arrived before a failure is read before it', async () => {
  const { body } = createBody()
  const read: string[] = []
  body.on('data', (chunk: Buffer) => read.push(String(chunk)))
  body.on('error', (error) => read.push(error.message))
  await turn()
  body.add(Buffer.from('last words'))
  body.fail(new Error('cut'))
  await turn()
  expect(read).toEqual(['last words', 'cut'])
})
