import { describe, expect, test } from 'vitest'
import type { Meter } from '../../../src/core/catalog/prices.ts'
import { createCounting } from '../../../src/proxy/counting/counting.ts'

/** What the gateway changes in a request so that the upstream tells its usage: one member, and no other byte. */

const perToken: Meter = { per: 'tokens', units: 1, output: '0.03', max: '100' }
const path = '/v1/chat/completions'

function sent(text: string | Uint8Array, contentType = 'application/json', at: string | undefined = path) {
  const { body } = createCounting(perToken, { body: Buffer.from(text), contentType, path: at })
  return body && Buffer.from(body).toString()
}

const ask = '"stream_options":{"include_usage":true}'

test.each([
  ['without options', '{"stream":true,"messages":[]}', `{${ask},"stream":true,"messages":[]}`],
  [
    'with numbers that JavaScript cannot hold',
    '{ "seed": 12345678901234567890, "temperature": 0.10000000000000000001, "stream":true, "x":1e400 }',
    `{${ask}, "seed": 12345678901234567890, "temperature": 0.10000000000000000001, "stream":true, "x":1e400 }`,
  ],
  [
    'with options of null',
    '{"stream_options" : null ,"stream":true}',
    `{"stream_options" : {"include_usage":true} ,"stream":true}`,
  ],
  [
    'with empty options',
    '{"stream":true,"stream_options":{ }}',
    '{"stream":true,"stream_options":{"include_usage":true }}',
  ],
  [
    'with other options',
    '{"stream":true,"stream_options":{"include_obfuscation":false}}',
    '{"stream":true,"stream_options":{"include_usage":true,"include_obfuscation":false}}',
  ],
  [
    'that says no',
    '{"stream_options":{"a":[{"include_usage":1}],"include_usage" :\n false},"stream":true}',
    '{"stream_options":{"a":[{"include_usage":1}],"include_usage" :\n true},"stream":true}',
  ],
  [
    'that names a member twice, of which the last counts',
    '{"stream_options":{"include_usage":true},"stream":true,"stream\\u005foptions":null}',
    '{"stream_options":{"include_usage":true},"stream":true,"stream\\u005foptions":{"include_usage":true}}',
  ],
  [
    'whose text looks like options',
    '{"messages":["\\"],\\"stream_options\\":null,\\\\"],"stream_options":null,"stream":true}',
    '{"messages":["\\"],\\"stream_options\\":null,\\\\"],"stream_options":{"include_usage":true},"stream":true}',
  ],
  ['between blanks', '\n\t {"stream":true}\n', `\n\t {${ask},"stream":true}\n`],
])('a stream is asked for its usage in a body %s', (_label, body, asked) => {
  expect(sent(body)).toBe(asked)
  expect(JSON.parse(asked).stream_options.include_usage).toBe(true)
})

test.each([
  ['asks already', '{"stream":true,"stream_options":{"include_usage":true}}'],
  ['does not stream', '{"stream":false,"messages":[]}'],
  ['says something else than true', '{"stream":"true","messages":[]}'],
  ['has options that are none', '{"stream":true,"stream_options":[1]}'],
  ['is no object', '[{"stream":true}]'],
  ['is no JSON', '{"stream":true'],
  ['begins with a byte order mark', '\uFEFF{"stream":true}'],
  ['is no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
])('a body that %s is sent as it came', (_label, body) => {
  const { body: out } = createCounting(perToken, {
    body: Buffer.from(body),
    contentType: 'application/json',
    path,
  })
  expect(out && Buffer.from(out).equals(Buffer.from(body))).toBe(true)
})

describe('only the protocol that knows the member is asked', () => {
  const body = '{"model":"m","max_tokens":5,"stream":true,"messages":[]}'

  test.each([
    ['/v1/messages', body],
    ['/v1/responses', '{"stream":true,"input":"hi"}'],
    ['/v1/completions-log', body],
    [undefined, body],
    [undefined, '{"stream":true,"input":"hi"}'],
  ])('%s is not', (at, text) => {
    const { body: out } = createCounting(perToken, {
      body: Buffer.from(text),
      contentType: 'application/json',
      path: at,
    })
    expect(out && Buffer.from(out).toString()).toBe(text)
  })

  test.each([
    '/v1/chat/completions',
    '/openai/deployments/x/chat/completions?api-version=1',
    '/v1/completions',
  ])('%s is', (at) => {
    expect(sent(body, 'application/json; charset=utf-8', at)).toContain(ask)
  })

  test('JSON is, whatever it is called', () => {
    expect(sent(body, 'image/png')).toContain(ask)
  })
})

test('no compression is asked for where a reply has to be read, and the caller’s own wish stands elsewhere', () => {
  const none = { body: undefined, contentType: undefined }
  const accepted = (meter: Meter) => createCounting(meter, none).acceptEncoding
  expect(accepted(perToken)).toBe('identity')
  expect(accepted({ ...perToken, per: 'items', items: '$.data[*]' })).toBe('identity')
  expect(accepted({ ...perToken, per: 'bytes' })).toBeUndefined()
  expect(accepted({ ...perToken, per: 'seconds' })).toBeUndefined()
})
