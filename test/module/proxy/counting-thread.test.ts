import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import type { Usage } from '../../../src/core/catalog/metering.ts'
import type { Meter } from '../../../src/core/catalog/prices.ts'
import { createLog } from '../../../src/core/log.ts'
import type { Counting } from '../../../src/proxy/counting/contract.ts'
import { createCounting } from '../../../src/proxy/counting/counting.ts'
import { createCountingReader, readHere } from '../../../src/proxy/counting/reading/reader.ts'

/** Large bodies are read in a thread: with the same counts, and without stopping other calls. */

const reader = createCountingReader(createLog('silent'))
afterAll(() => reader.close())
const read = reader.of('a caller')

const perToken: Meter = { per: 'tokens', units: 1, input: '0.01', output: '0.03', max: '100000' }
const perItem: Meter = { per: 'items', units: 1, output: '0.03', max: '1', items: '$.data[*]' }
const none = { body: undefined, contentType: undefined }
const path = '/v1/chat/completions'

/** Passes a whole reply. What is not read at once, on the event loop, gives a promise. */
function count(counting: Counting, type: string, body: Uint8Array, encoding?: string) {
  const reply = counting.countReply({
    status: 200,
    headers: { 'content-type': [type], ...(encoding !== undefined && { 'content-encoding': [encoding] }) },
  })
  return reply.usage(reply.push(body).length + reply.end().length)
}

const words = 'Why is the sky blue, and the sunset red? '.repeat(2_000)
const chat = Buffer.from(JSON.stringify({ stream: true, messages: [{ role: 'user', content: words }] }))
const event = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`

describe('a thread counts as the event loop does', () => {
  test.each<[string, Meter, string, Uint8Array, string?]>([
    ['a JSON reply', perToken, 'application/json', Buffer.from(JSON.stringify({ text: words }))],
    [
      'a JSON reply that reports its usage',
      perToken,
      'application/json',
      Buffer.from(JSON.stringify({ text: words, usage: { prompt_tokens: 7, completion_tokens: 9 } })),
    ],
    ['large events', perToken, 'text/event-stream', Buffer.from(event(words) + event('more') + event(words))],
    [
      'a large event that reports usage',
      perToken,
      'text/event-stream',
      Buffer.from(
        `data: ${JSON.stringify({ type: 'response.completed', response: { output: words, usage: { input_tokens: 7, output_tokens: 9 } } })}\n\n`,
      ),
    ],
    ['a compressed reply', perToken, 'application/json', gzipSync(JSON.stringify({ text: words })), 'gzip'],
    ['items', perItem, 'application/json', Buffer.from(JSON.stringify({ data: [words, words] }))],
    [
      'compressed items',
      perItem,
      'application/json',
      gzipSync(JSON.stringify({ data: Array.from({ length: 30 }, (_, id) => ({ id })) })),
      'gzip',
    ],
  ])('%s', async (_label, meter, type, body, encoding) => {
    const request = { body: chat, contentType: 'application/json', path }
    const inThread = count(await createCounting(meter, request, read), type, body, encoding)
    expect(inThread).toBeInstanceOf(Promise)
    const here = count(await createCounting(meter, request, readHere), type, body, encoding)
    expect(here).toMatchObject({ output: expect.any(Number) })
    expect(await inThread).toEqual(here)
  })

  test('a large request asks for usage, and no other byte changes', async () => {
    const { body } = await createCounting(perToken, { body: chat, contentType: undefined, path }, read)
    const asked = chat.toString().replace('{', '{"stream_options":{"include_usage":true},')
    expect(body && Buffer.from(body).toString()).toBe(asked)
    expect(chat.byteLength).toBeGreaterThan(words.length)
  })
})

describe('a hostile body', () => {
  const lists = Buffer.from(`[${'[],'.repeat(3_300_000)}[]]`)

  test('of a request is not read on the event loop, is sent as it is, and counts by its length', async () => {
    const request = { body: lists, contentType: 'application/json', path }
    const counting = createCounting(perToken, request, read)
    expect(counting).toBeInstanceOf(Promise)
    expect((await counting).body).toBe(lists)
    expect(await count(await counting, 'application/json', Buffer.from('{"text":"hello"}'))).toMatchObject({
      input: lists.length / 4,
      output: 1,
      isEstimate: true,
    })
  })

  test.each([
    ['within the ratio of honest texts counts in proportion', 400_000, 1_000_000, false],
    ['that expands beyond it costs the maximum', 1_000_000, 0, true],
  ])(
    'of a compressed reply %s, and is not read on the event loop',
    async (_label, rows, noise, isMaximum) => {
      const text = `{"data":[${'{"a":[]},'.repeat(rows)}"${randomBytes(noise / 4).toString('hex')}"]}`
      const bytes = gzipSync(text)
      const usage = count(await createCounting(perItem, none, read), 'application/json', bytes, 'gzip')
      expect(usage).toBeInstanceOf(Promise)
      const most = 34
      const inProportion = Math.ceil(((2_000_000 - 9) / 9) * (text.length / 2_000_000))
      expect(await usage).toEqual({
        input: 0,
        output: isMaximum ? most : expect.closeTo(inProportion, -1),
        isEstimate: true,
      })
    },
  )

  test('of one caller delays another caller by one body at most', async () => {
    const mine: (Usage | undefined | Promise<Usage | undefined>)[] = []
    for (let n = 0; n < 3; n += 1)
      mine.push(count(await createCounting(perToken, none, read), 'application/json', lists))
    let ended = 0
    const counted = Promise.all(mine.map((usage) => Promise.resolve(usage).then(() => (ended += 1))))
    const text = Buffer.from(JSON.stringify({ text: words }))
    await count(await createCounting(perToken, none, reader.of('another')), 'application/json', text)
    expect(ended).toBeLessThanOrEqual(1)
    await counted
  })
})
