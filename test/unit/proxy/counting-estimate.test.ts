import { gzipSync } from 'node:zlib'
import { estimateTokenCount } from 'tokenx'
import { describe, expect, test } from 'vitest'
import type { Meter } from '../../../src/core/catalog/prices.ts'
import type { CountedRequest } from '../../../src/proxy/counting/contract.ts'
import { countHere } from '../../support/servers/count-here.ts'

/**
 * Tokens that the upstream did not report are estimated: from the text of the request and the delivered part
 * of the reply.
 */

const perToken: Meter = { per: 'tokens', units: 1, input: '0.01', output: '0.03', max: '100' }
const prompt = 'Why is the sky blue, and the sunset red?'
const answer = 'Because air scatters short waves of light more than long ones.'

const requestOf = (body: unknown): CountedRequest => ({
  body: Buffer.from(JSON.stringify(body)),
  contentType: 'application/json',
})
const chatRequest = requestOf({ model: 'm', messages: [{ role: 'user', content: prompt }] })

function replyTo(request: CountedRequest, type: string, encoding?: string) {
  const headers = {
    'content-type': [type],
    ...(encoding !== undefined && { 'content-encoding': [encoding] }),
  }
  return countHere(perToken, request).countReply({ status: 200, headers })
}

function whole(request: CountedRequest, type: string, body: string | Uint8Array, encoding?: string) {
  const reply = replyTo(request, type, encoding)
  const passed = reply.push(Buffer.from(body))
  return reply.usage(passed.length + reply.end().length)
}

const event = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`

test.each<[string, unknown, string]>([
  ['messages of text', { messages: [{ role: 'user', content: prompt }] }, prompt],
  ['messages in parts', { messages: [{ content: [{ type: 'text', text: prompt }] }] }, prompt],
  ['a prompt', { prompt }, prompt],
  ['several prompts', { prompt: [prompt, answer] }, `${prompt}\n${answer}`],
  ['an input', { input: prompt }, prompt],
  ['input items', { input: [{ role: 'user', content: [{ type: 'input_text', text: prompt }] }] }, prompt],
  ['instructions', { instructions: answer, input: prompt }, `${answer}\n${prompt}`],
  ['a system prompt in blocks', { system: [{ type: 'text', text: answer }], messages: [] }, answer],
  [
    'the arguments and the result of a tool call',
    {
      messages: [
        { tool_calls: [{ function: { name: 'look', arguments: '{"a":1}' } }] },
        { role: 'tool', content: answer },
      ],
    },
    `look\n{"a":1}\n${answer}`,
  ],
  [
    'definitions of tools',
    { tools: [{ name: 'look', input_schema: { type: 'object' } }], messages: [] },
    '[{"name":"look","input_schema":{"type":"object"}}]',
  ],
  [
    'a picture, which is no text',
    {
      messages: [
        {
          content: [
            { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(9_000)}` } },
            { type: 'text', text: prompt },
          ],
        },
      ],
    },
    prompt,
  ],
])('the input estimate counts the text that a model reads: %s', (_label, body, read) => {
  const { input, isEstimate } = whole(requestOf(body), 'application/json', '{"choices":[]}')
  expect({ input, isEstimate }).toEqual({ input: estimateTokenCount(read), isEstimate: true })
})

test('a prompt given as token numbers counts each number', () => {
  expect(whole(requestOf({ input: [[1, 2, 3], [4]] }), 'application/json', '{"data":[]}').input).toBe(4)
})

test('a request that was not kept and one that is no JSON count by their length, and audio counts nothing', () => {
  const counting = countHere(perToken, { body: undefined, contentType: 'application/json' })
  counting.countSent(Buffer.alloc(300, 65))
  counting.countSent(Buffer.alloc(101, 65))
  const reply = counting.countReply({ status: 200, headers: { 'content-type': ['application/json'] } })
  expect(reply.usage(reply.push(Buffer.from('{"text":"hi"}')).length).input).toBe(101)
  const broken: CountedRequest = { body: Buffer.from('{"messages":'), contentType: 'application/json' }
  expect(whole(broken, 'application/json', '{}').input).toBe(3)
  const audio: CountedRequest = { body: Buffer.alloc(9_000), contentType: 'multipart/form-data; boundary=x' }
  expect(whole(audio, 'application/json', '{"text":"hello"}')).toMatchObject({ input: 0, output: 1 })
})

const streams: Record<string, readonly [readonly unknown[], string]> = {
  'chat completions': [
    [
      {
        choices: [{ delta: { role: 'assistant', reasoning: answer, reasoning_details: [{ text: answer }] } }],
      },
      { choices: [{ delta: { content: prompt } }] },
      {
        choices: [
          { delta: { tool_calls: [{ index: 0, function: { name: 'look', arguments: '{"a":1}' } }] } },
        ],
      },
    ],
    `${answer}${prompt}look\n{"a":1}`,
  ],
  responses: [
    [
      { type: 'response.output_text.delta', delta: prompt },
      { type: 'response.output_text.done', text: prompt },
      { type: 'response.output_item.done', item: { content: [{ text: prompt }] } },
      { type: 'response.audio.delta', delta: 'A'.repeat(500) },
      { type: 'response.function_call_arguments.delta', delta: '{"a":1}' },
    ],
    `${prompt}{"a":1}`,
  ],
  messages: [
    [
      { type: 'content_block_delta', delta: { type: 'thinking_delta', thinking: answer } },
      { type: 'content_block_delta', delta: { type: 'signature_delta', signature: 'A'.repeat(500) } },
      { type: 'content_block_delta', delta: { type: 'text_delta', text: prompt } },
      { type: 'content_block_delta', delta: { type: 'input_json_delta', partial_json: '{"a":1}' } },
    ],
    `${answer}${prompt}{"a":1}`,
  ],
}

test.each(Object.entries(streams))(
  'in a stream of %s all generated text counts once',
  (_protocol, [all, said]) => {
    const { output, isEstimate } = whole(chatRequest, 'text/event-stream', all.map(event).join(''))
    expect({ output, isEstimate }).toEqual({ output: estimateTokenCount(said), isEstimate: true })
  },
)

describe('a stream that is cut', () => {
  const start = event({ type: 'message_start', message: { usage: { input_tokens: 900, output_tokens: 1 } } })
  const word = event({ type: 'content_block_delta', delta: { type: 'text_delta', text: answer } })

  test('costs the reported input, and the output in proportion to what was delivered', () => {
    const reply = replyTo(chatRequest, 'text/event-stream')
    const passed = reply.push(Buffer.from(start + word + word)).length
    expect(reply.usage(passed)).toEqual({
      input: 900,
      output: estimateTokenCount(answer + answer),
      isEstimate: true,
    })
    const half = reply.usage(Math.floor(passed / 2)).output
    expect(half).toBe(Math.ceil((estimateTokenCount(answer + answer) * Math.floor(passed / 2)) / passed))
  })

  test('costs the reported output where it is more than the delivered output', () => {
    const reply = replyTo(chatRequest, 'text/event-stream')
    const report = event({ type: 'message_delta', delta: {}, usage: { output_tokens: 5_000 } })
    expect(reply.usage(reply.push(Buffer.from(start + word + report)).length)).toEqual({
      input: 900,
      output: 5_000,
      isEstimate: true,
    })
  })

  test('after its final report costs the reported usage, which is no estimate', () => {
    const reply = replyTo(chatRequest, 'text/event-stream')
    const last = event({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 7 } })
    const passed = reply.push(Buffer.from(event({ choices: [{ delta: { content: answer } }] }) + last))
    expect(reply.usage(passed.length - 3)).toEqual({ input: 11, output: 7, isEstimate: false })
  })

  test('before anything was delivered costs nothing', () => {
    const reply = replyTo(chatRequest, 'text/event-stream')
    expect(reply.usage(0)).toEqual({ input: 0, output: 0, isEstimate: false })
    reply.push(Buffer.from(event({ choices: [{ delta: { content: answer } }] })))
    expect(reply.usage(0)).toEqual({ input: 0, output: 0, isEstimate: false })
  })
})

test('a long stream in small pieces is estimated like the same text in one piece, to a thousandth', () => {
  const said = `${answer} `.repeat(1_500)
  const reply = replyTo(chatRequest, 'text/event-stream')
  let passed = 0
  for (let at = 0; at < said.length; at += 7) {
    passed += reply.push(
      Buffer.from(event({ choices: [{ delta: { content: said.slice(at, at + 7) } }] })),
    ).length
  }
  const { output } = reply.usage(passed)
  expect(output).toBeGreaterThan(estimateTokenCount(said) * 0.999)
  expect(output).toBeLessThan(estimateTokenCount(said) * 1.001)
})

test.each<[string, string, string | Uint8Array, string | undefined, number]>([
  ['text', 'text/plain', answer, undefined, estimateTokenCount(answer)],
  ['audio', 'audio/mpeg', Buffer.alloc(4_000), undefined, 0],
  ['JSON that was cut', 'application/json', '{"choices":[{"message":{"content":"he', undefined, 10],
  ['bad gzip', 'application/json', 'this is no gzip at all', 'gzip', 6],
  ['an unknown compression', 'application/json', '{"text":"hi"}', 'compress', 4],
  [
    'JSON larger than the ten megabytes that are read',
    'application/json',
    `{"text":"${'a'.repeat(11_999_989)}"}`,
    undefined,
    3_000_000,
  ],
])('the output of a reply of %s is estimated', (_label, type, body, encoding, output) => {
  expect(whole(chatRequest, type, body, encoding)).toEqual({
    input: estimateTokenCount(prompt),
    output,
    isEstimate: true,
  })
})

test('a compressed reply that expands beyond the limit counts by its compressed length', () => {
  const bomb = gzipSync(`${' '.repeat(12_000_000)}{"usage":{"prompt_tokens":9,"completion_tokens":9}}`)
  expect(whole(chatRequest, 'application/json', bomb, 'gzip').output).toBe(Math.ceil(bomb.length / 4))
})

test('JSON nested 200,000 levels deep is counted by its length, without an error', () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
  expect(whole(chatRequest, 'application/json', deep).output).toBe(100_000)
  const request: CountedRequest = {
    body: Buffer.from(`{"messages":${deep}}`),
    contentType: 'application/json',
  }
  expect(whole(request, 'application/json', '{"text":"hello"}')).toEqual({
    input: 100_004,
    output: 1,
    isEstimate: true,
  })
})
