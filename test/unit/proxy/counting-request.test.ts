import { describe, expect, test } from 'vitest'
import type { Meter } from '../../../src/core/catalog/prices.ts'
import { countHere } from '../../support/servers/count-here.ts'

/**
 * The gateway asks an upstream to report the usage of a stream: it changes one member of the body and no
 * other byte.
 */

const perToken: Meter = { per: 'tokens', units: 1, output: '0.03', max: '100' }
const path = '/v1/chat/completions'

function sent(text: string | Uint8Array, contentType = 'application/json', at: string | undefined = path) {
  const { body } = countHere(perToken, { body: Buffer.from(text), contentType, path: at })
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
    'whose options decline it',
    '{"stream_options":{"a":[{"include_usage":1}],"include_usage" :\n false},"stream":true}',
    '{"stream_options":{"a":[{"include_usage":1}],"include_usage" :\n true},"stream":true}',
  ],
  [
    'with the options twice, of which the last count',
    '{"stream_options":{"include_usage":true},"stream":true,"stream\\u005foptions":null}',
    '{"stream_options":{"include_usage":true},"stream":true,"stream\\u005foptions":{"include_usage":true}}',
  ],
  [
    'with text that looks like options',
    '{"messages":["\\"],\\"stream_options\\":null,\\\\"],"stream_options":null,"stream":true}',
    '{"messages":["\\"],\\"stream_options\\":null,\\\\"],"stream_options":{"include_usage":true},"stream":true}',
  ],
  ['between blanks', '\n\t {"stream":true}\n', `\n\t {${ask},"stream":true}\n`],
])(
  'the request of a stream asks for usage, and no other byte changes, in a body %s',
  (_label, body, asked) => {
    expect(sent(body)).toBe(asked)
    expect(JSON.parse(asked).stream_options.include_usage).toBe(true)
  },
)

test.each([
  ['asks already', '{"stream":true,"stream_options":{"include_usage":true}}'],
  ['does not stream', '{"stream":false,"messages":[]}'],
  ['has a `stream` other than true', '{"stream":"true","messages":[]}'],
  ['has options that are no object', '{"stream":true,"stream_options":[1]}'],
  ['is no object', '[{"stream":true}]'],
  ['is no JSON', '{"stream":true'],
  ['begins with a byte order mark', '\uFEFF{"stream":true}'],
  ['is no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
])('a body that %s is sent unchanged', (_label, body) => {
  const { body: out } = countHere(perToken, {
    body: Buffer.from(body),
    contentType: 'application/json',
    path,
  })
  expect(out && Buffer.from(out).equals(Buffer.from(body))).toBe(true)
})

describe('only requests of the protocol that knows the member ask for usage', () => {
  const body = '{"model":"m","max_tokens":5,"stream":true,"messages":[]}'

  test.each([
    ['/v1/messages', body],
    ['/v1/responses', '{"stream":true,"input":"hi"}'],
    ['/v1/completions-log', body],
    [undefined, body],
    [undefined, '{"stream":true,"input":"hi"}'],
  ])('a request to %s does not', (at, text) => {
    const { body: out } = countHere(perToken, {
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
  ])('a request to %s does', (at) => {
    expect(sent(body, 'application/json; charset=utf-8', at)).toContain(ask)
  })

  test('a request whose JSON is declared as a picture does', () => {
    expect(sent(body, 'image/png')).toContain(ask)
  })
})

test('the gateway asks for an uncompressed reply where it reads the reply, and keeps the caller’s Accept-Encoding elsewhere', () => {
  const none = { body: undefined, contentType: undefined }
  const accepted = (meter: Meter) => countHere(meter, none).acceptEncoding
  expect(accepted(perToken)).toBe('identity')
  expect(accepted({ ...perToken, per: 'items', items: '$.data[*]' })).toBe('identity')
  expect(accepted({ ...perToken, per: 'bytes' })).toBeUndefined()
  expect(accepted({ ...perToken, per: 'seconds' })).toBeUndefined()
})
