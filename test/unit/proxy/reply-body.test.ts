import { text } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { collect } from '../../../src/proxy/pool/collect.ts'
import { ReplyBody } from '../../../src/proxy/pool/reply-body.ts'

const going = new AbortController().signal

function arriving() {
  const told: (Error | null | 'resumed')[] = []
  const body = new ReplyBody(
    () => void told.push('resumed'),
    (error) => void told.push(error),
  )
  body.on('error', () => undefined)
  return { body, told }
}

test('a body that has come whole is taken in one piece, and its end is told', async () => {
  const { body, told } = arriving()
  body.add(Buffer.from('one '))
  body.add(Buffer.from('two'))
  body.end()
  const { chunks, bytes, isWhole } = await collect(body, 7, going)
  expect(Buffer.concat(chunks).toString()).toBe('one two')
  expect({ bytes, isWhole }).toEqual({ bytes: 7, isWhole: true })
  expect(told).toEqual([null])
})

test('a body that is still coming is read to its end, with what had come before', async () => {
  const { body, told } = arriving()
  body.add(Buffer.from('one '))
  const whole = collect(body, 100, going)
  await turn()
  body.add(Buffer.from('two'))
  body.end()
  expect(Buffer.concat((await whole).chunks).toString()).toBe('one two')
  await turn()
  expect(told.filter((one) => one === null)).toHaveLength(1)
})

test('a body larger than is asked for is not lost', async () => {
  const { body } = arriving()
  body.add(Buffer.from('one '))
  body.end()
  const { chunks, isWhole } = await collect(body, 3, going)
  expect(isWhole).toBe(false)
  expect(Buffer.concat(chunks).toString() + (await text(body))).toBe('one ')
})

test('a body that broke off is not taken for whole', async () => {
  const { body } = arriving()
  body.add(Buffer.from('one '))
  body.destroy(new Error('cut'))
  await expect(collect(body, 100, going)).rejects.toThrow()
})

test('whoever brings more than is read is told to wait', () => {
  const { body } = arriving()
  expect(body.add(Buffer.alloc(65_535))).toBe(true)
  expect(body.add(Buffer.alloc(1))).toBe(false)
})
