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
