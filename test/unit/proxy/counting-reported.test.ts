import { isDeepStrictEqual } from 'node:util'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Meter } from '../../../src/core/catalog/prices.ts'
import type { CountedRequest } from '../../../src/proxy/counting/contract.ts'
import { countHere } from '../../support/servers/count-here.ts'

/**
 * Usage as providers report it: the same sum however the network splits the reply, and the caller's bytes
 * unchanged.
 */

const perToken: Meter = { per: 'tokens', units: 1, input: '0.01', output: '0.03', max: '100' }
const none: CountedRequest = { body: undefined, contentType: undefined }

const events = (...all: readonly unknown[]) =>
  all.map((data) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`).join('')
const named = (...all: readonly Readonly<Record<string, unknown>>[]) =>
  all.map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`).join('')
const chunk = (choices: readonly unknown[], usage: unknown = null) => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  choices,
  usage,
})

const chatUsage = { prompt_tokens: 19, completion_tokens: 10, total_tokens: 29 }
const hello = chunk([{ index: 0, delta: { role: 'assistant', content: 'Hé — ' }, finish_reason: null }])
const world = chunk([{ index: 0, delta: { content: 'wörld' }, finish_reason: 'stop' }])
const usageOnly = chunk([], chatUsage)

const chatStream = events(hello, world, usageOnly, '[DONE]')
const responsesStream = named(
  { type: 'response.created', response: { id: 'r1', usage: null } },
  { type: 'response.output_text.delta', delta: 'Hello there' },
  { type: 'response.output_text.done', text: 'Hello there' },
  { type: 'response.completed', response: { usage: { input_tokens: 36, output_tokens: 87 } } },
)
const messagesStream = named(
  {
    type: 'message_start',
    message: {
      usage: {
        input_tokens: 20,
        cache_creation_input_tokens: 300,
        cache_read_input_tokens: 4_000,
        output_tokens: 1,
      },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'ping' },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 15 } },
  { type: 'message_stop' },
)
const streams = {
  'chat completions': { text: chatStream, usage: { input: 19, output: 10, isEstimate: false } },
  responses: { text: responsesStream, usage: { input: 36, output: 87, isEstimate: false } },
  messages: { text: messagesStream, usage: { input: 4_320, output: 15, isEstimate: false } },
} as const
const endings = {
  LF: (text: string) => text,
  CRLF: (text: string) => text.replaceAll('\n', '\r\n'),
  CR: (text: string) => text.replaceAll('\n', '\r'),
  'a byte order mark, comments and a retry': (text: string) =>
    `\uFEFF: hi\nretry: 3000\n\n: again\n\n${text}`,
}
const variants = Object.entries(streams).flatMap(([protocol, { text, usage }]) =>
  Object.entries(endings).map(([ending, write]) => ({ protocol, ending, text: write(text), usage })),
)

function eventReply(request = none) {
  return countHere(perToken, request).countReply({
    status: 200,
    headers: { 'content-type': ['text/event-stream; charset=utf-8'] },
  })
}

function deliver(reply: ReturnType<typeof eventReply>, chunks: readonly Uint8Array[]) {
  const passed = chunks.map((bytes) => reply.push(bytes))
  const out = Buffer.concat([...passed, reply.end()])
  return { out, passed, usage: reply.usage(out.length) }
}

/** Where a stream can be split in two. */
const places = (bytes: Uint8Array) => Array.from({ length: bytes.length + 1 }, (_, at) => at)
const byteByByte = (bytes: Uint8Array) => Array.from(bytes, (byte) => Uint8Array.of(byte))

test.each(variants)(
  'a stream of $protocol with $ending reports the same usage and keeps its bytes wherever it is split',
  ({ text, usage }) => {
    const bytes = Buffer.from(text)
    const wrong = places(bytes).filter((at) => {
      const split = [bytes.subarray(0, at), bytes.subarray(at)]
      const delivered = deliver(eventReply(), split)
      // No event is removed, so no byte waits.
      const isAtOnce = delivered.passed.every((passed, index) => passed.length === split[index]?.length)
      return !isAtOnce || !delivered.out.equals(bytes) || !isDeepStrictEqual(delivered.usage, usage)
    })
    expect(wrong).toEqual([])
    expect(deliver(eventReply(), byteByByte(bytes)).usage).toEqual(usage)
  },
)

const asking: CountedRequest = {
  body: Buffer.from('{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}]}'),
  contentType: 'application/json',
  path: '/v1/chat/completions',
}

describe('the usage event that only the gateway asked for', () => {
  test.each(Object.entries(endings))(
    'is removed from a stream with %s, byte for byte, wherever it is split',
    (_label, write) => {
      const bytes = Buffer.from(write(chatStream))
      const wanted = Buffer.from(write(events(hello, world, '[DONE]')))
      const wrong = places(bytes).filter((at) => {
        const { out, usage } = deliver(eventReply(asking), [bytes.subarray(0, at), bytes.subarray(at)])
        return !out.equals(wanted) || !isDeepStrictEqual(usage, streams['chat completions'].usage)
      })
      expect(wrong).toEqual([])
      expect(deliver(eventReply(asking), byteByByte(bytes)).out.toString()).toBe(wanted.toString())
    },
  )

  test('each event before it passes once it is complete, and the beginning of the next one waits', () => {
    const reply = eventReply(asking)
    const first = events(hello)
    expect(Buffer.from(reply.push(Buffer.from(`${first}data: {"id"`))).toString()).toBe(first)
    expect(reply.push(Buffer.from(':"c1"')).length).toBe(0)
    expect(Buffer.from(reply.push(Buffer.from('}\n\n'))).toString()).toBe('data: {"id":"c1"}\n\n')
  })

  test('stays where the caller asked for it too', () => {
    const body = '{"stream":true,"stream_options":{"include_usage":true},"messages":[]}'
    const { out, usage } = deliver(eventReply({ ...asking, body: Buffer.from(body) }), [
      Buffer.from(chatStream),
    ])
    expect(out.toString()).toBe(chatStream)
    expect(usage).toEqual(streams['chat completions'].usage)
  })

  test('is removed even when the upstream ends before completing it', () => {
    const { out, usage } = deliver(eventReply(asking), [
      Buffer.from(chatStream.slice(0, chatStream.indexOf('\n\ndata: [DONE]'))),
    ])
    expect(out.toString()).toBe(events(hello, world))
    expect(usage).toEqual(streams['chat completions'].usage)
  })

  test('follows an event of more than a megabyte, which passes unread, and is still read and removed', () => {
    const filler = chunk([{ delta: { content: 'x'.repeat(1_100_000) } }])
    // Its last line looks like a separate event to a reader that dropped the first line.
    const large = `data: ${JSON.stringify(filler)}\n${events(chunk([], { prompt_tokens: 900, completion_tokens: 900 }))}`
    const reporting = events({ ...filler, usage: { prompt_tokens: 900, completion_tokens: 900 } })
    for (const [first, cut] of [
      [large, large.indexOf('\ndata: ') + 1],
      [large, 60_000],
      [large, 0],
      [reporting, reporting.length - 60],
      [reporting, 0],
    ] as const) {
      const bytes = Buffer.from(first + chatStream)
      const { out, usage } = deliver(eventReply(asking), [bytes.subarray(0, cut), bytes.subarray(cut)])
      expect(out.toString() === first + events(hello, world, '[DONE]')).toBe(true)
      expect(usage).toEqual(streams['chat completions'].usage)
    }
  })

  test('is only one without choices: an event without usage stays, and so does usage beside choices', () => {
    const kept = events(chunk([]), { ...world, usage: chatUsage }, '[DONE]')
    expect(deliver(eventReply(asking), [Buffer.from(kept)]).out.toString()).toBe(kept)
  })
})

describe('a JSON reply', () => {
  const json = (
    value: unknown,
    headers: Readonly<Record<string, readonly string[]>> = {},
    bytes = Buffer.from(JSON.stringify(value)),
  ) => {
    const reply = countHere(perToken, none).countReply({
      status: 200,
      headers: { 'content-type': ['application/json'], ...headers },
    })
    return deliver(reply, [bytes.subarray(0, 5), bytes.subarray(5)])
  }
  const message = { role: 'assistant', content: 'Hello' }
  const chat = { object: 'chat.completion', choices: [{ message, finish_reason: 'stop' }], usage: chatUsage }

  test.each([
    ['chat completions', chat, 19, 10],
    [
      'responses',
      { object: 'response', output: [], usage: { input_tokens: 36, output_tokens: 87, total_tokens: 123 } },
      36,
      87,
    ],
    [
      'messages',
      {
        type: 'message',
        content: [],
        usage: {
          input_tokens: 20,
          cache_creation_input_tokens: null,
          cache_read_input_tokens: 5,
          output_tokens: 15,
        },
      },
      25,
      15,
    ],
    [
      'embeddings, which report no output',
      { object: 'list', data: [], usage: { prompt_tokens: 8, total_tokens: 8 } },
      8,
      0,
    ],
    ['a reranker, which reports a sum', { results: [], usage: { total_tokens: 44 } }, 44, 0],
  ])('of %s counts the usage it reports', (_label, value, input, output) => {
    expect(json(value).usage).toEqual({ input, output, isEstimate: false })
  })

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ])('compressed with %s against our wish is read, and passes unchanged', (encoding, compress) => {
    const bytes = compress(Buffer.from(JSON.stringify(chat)))
    const { out, usage } = json(chat, { 'content-encoding': [encoding] }, bytes)
    expect(usage).toEqual({ input: 19, output: 10, isEstimate: false })
    expect(out.equals(bytes)).toBe(true)
  })

  test.each<[string, unknown]>([
    ['negative', -1],
    ['fractional', 1.5],
    ['absurd', 1e15],
    ['text', '10'],
    ['missing', undefined],
    ['null', null],
  ])('with a count that is %s is estimated', (_label, completion_tokens) => {
    const { usage } = json({ ...chat, usage: { prompt_tokens: 19, completion_tokens } })
    expect(usage).toEqual({ input: 19, output: 1, isEstimate: true })
  })

  test('that reports only zeros, as servers that do not count do, is estimated', () => {
    const { usage } = json({ ...chat, usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } })
    expect(usage).toEqual({ input: 0, output: 1, isEstimate: true })
  })
})

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
])('the usage in an event stream compressed with %s is read', (encoding, compress) => {
  const reply = countHere(perToken, none).countReply({
    status: 200,
    headers: { 'content-type': ['text/event-stream'], 'content-encoding': [encoding] },
  })
  const bytes = compress(Buffer.from(messagesStream))
  const { out, usage } = deliver(reply, [bytes])
  expect(usage).toEqual(streams.messages.usage)
  expect(out.equals(bytes)).toBe(true)
})

test('a count that was reported once does not fall when a later event reports less', () => {
  const delta = { type: 'message_delta', delta: { stop_reason: 'end_turn' } }
  const less = named({ ...delta, usage: { input_tokens: 0, output_tokens: 15 } })
  const start = messagesStream.slice(0, messagesStream.indexOf('event: message_delta'))
  expect(deliver(eventReply(), [Buffer.from(start + less)]).usage).toEqual(streams.messages.usage)
})

test('of usage that comes with every event the last report counts, as each is a sum', () => {
  const soFar = (completion_tokens: number, finish_reason: string | null) =>
    chunk([{ delta: { content: 'a' }, finish_reason }], { prompt_tokens: 7, completion_tokens })
  const whole = deliver(eventReply(), [Buffer.from(events(soFar(1, null), soFar(2, null), soFar(3, 'stop')))])
  expect(whole.usage).toEqual({ input: 7, output: 3, isEstimate: false })

  const cut = eventReply()
  const passed = cut.push(Buffer.from(events(soFar(1, null), soFar(25, null))))
  expect(cut.usage(passed.length)).toEqual({ input: 7, output: 25, isEstimate: true })
})

test('a reply of 400 or more uses nothing, whatever it reports', () => {
  for (const meter of [perToken, { ...perToken, per: 'bytes' }, { ...perToken, per: 'seconds' }] as const) {
    const counting = countHere(meter, none)
    counting.countSent(Buffer.alloc(100, 65))
    const reply = counting.countReply({ status: 429, headers: { 'content-type': ['application/json'] } })
    const bytes = reply.push(Buffer.from(JSON.stringify({ usage: chatUsage })))
    expect(() => reply.usage(bytes.length)).toThrow('the reply failed')
  }
})
