import { describe, expect, test } from 'vitest'
import { GatewayError } from '../../../src/core/errors.ts'
import { readSubscription } from '../../../src/products/webhooks/subscriptions/subscription-request.ts'

const url = 'https://hooks.example.com/in'
const sound = { callback_url: url, events: ['scan.completed'] }
const read = (body: unknown) => readSubscription(body, [{ address: '127.0.0.1', port: 9_000 }])

/** The details of the refusal. */
function refusalOf(body: unknown): GatewayError['details'] {
  try {
    read(body)
  } catch (error) {
    if (error instanceof GatewayError) return { code: error.code, ...error.details }
    throw error
  }
  throw new Error(`accepted: ${JSON.stringify(body).slice(0, 200)}`)
}

describe('both forms of the specification', () => {
  test('mean the same: url for callback_url, scan.complete and scan.error for the canonical names', () => {
    const canonical = read({ callback_url: url, events: ['scan.completed', 'scan.failed'] })
    expect(canonical).toMatchObject({ url, host: 'hooks.example.com:443', site: 'example.com' })
    expect(read({ url, events: ['scan.complete', 'scan.error'] })).toEqual(canonical)
    expect(read({ url, callback_url: url, events: ['scan.error', 'scan.complete'] })).toEqual(canonical)
  })

  test('that name two addresses are refused, unless both are the same one', () => {
    expect(refusalOf({ ...sound, url: 'https://other.example.com/in' })).toMatchObject({ field: 'url' })
    expect(read({ ...sound, url: 'https://HOOKS.example.com:443/in' }).url).toBe(url)
  })
})

test('an event that is named twice, or by both of its names, counts once', () => {
  const events = ['scan.failed', 'scan.completed', 'scan.complete', 'scan.failed']
  expect(read({ ...sound, events }).events).toEqual(['scan.completed', 'scan.failed'])
})

test('http is taken only for a private address that the operator allowed', () => {
  expect(read({ ...sound, callback_url: 'http://127.0.0.1:9000/in' }).url).toBe('http://127.0.0.1:9000/in')
  expect(refusalOf({ ...sound, callback_url: 'http://127.0.0.1:9001/in' })).toMatchObject({
    field: 'callback_url',
  })
})

test.each([
  'http://hooks.example.com/in',
  'hooks.example.com/in',
  '//hooks.example.com/in',
  '',
  'https://',
  'ftp://hooks.example.com/',
  'file:///etc/passwd',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://①②⑦.⓪.⓪.①/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://10.0.0.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://localhost/',
  'https://foo.localhost./',
  'https://metadata.google.internal/',
  'https://hooks.example.com:8443/',
  'https://user:word@hooks.example.com/',
  'https://public.com\\@127.0.0.1/',
  'https://hooks.example.com/\r\nx: y',
  'https://hooks.example.com/\0',
  'https://intranet/',
  'https://hooks.example.notatld/',
  `https://hooks.example.com/${'a'.repeat(3_000)}`,
  'https://hooks.example.com/\ud800',
])('the address %j is refused with the field and what is expected', (address) => {
  for (const field of ['callback_url', 'url']) {
    expect(refusalOf({ events: ['scan.completed'], [field]: address })).toMatchObject({
      code: 'VALIDATION_ERROR',
      field,
      expected: expect.stringContaining('https'),
      issues: [{ field, problem: expect.any(String) }],
    })
  }
})

const many = (count: number, value: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`name${index}`, value]))

test.each<[string, object, string]>([
  ['no address', { callback_url: undefined }, 'callback_url'],
  ['an address that is a number', { callback_url: 7 }, 'callback_url'],
  ['an address that is null', { callback_url: null }, 'callback_url'],
  ['no events', { events: undefined }, 'events'],
  ['an empty list of events', { events: [] }, 'events'],
  ['events that are one text', { events: 'scan.completed' }, 'events'],
  ['an unknown event', { events: ['scan.completed', 'scan.exploded'] }, 'events.1'],
  ['an event in capitals', { events: ['SCAN.COMPLETED'] }, 'events.0'],
  ['the event of test deliveries', { events: ['webhook.test'] }, 'events.0'],
  ['an event named like a field of every object', { events: ['constructor'] }, 'events.0'],
  ['10,000 events', { events: Array(10_000).fill('scan.completed') }, 'events'],
  ['a secret of seven characters', { secret: '1234567' }, 'secret'],
  ['a secret of 257 characters', { secret: 'a'.repeat(257) }, 'secret'],
  ['a secret with a line break', { secret: 'a secret\nof two lines' }, 'secret'],
  ['a secret with NUL', { secret: 'a secret\0' }, 'secret'],
  ['a secret outside of ASCII', { secret: 'geheimnisvoll-ä' }, 'secret'],
  ['whsec_ without base64', { secret: 'whsec_not base64 at all!' }, 'secret'],
  ['whsec_ with 23 bytes', { secret: `whsec_${Buffer.alloc(23, 1).toString('base64')}` }, 'secret'],
  ['whsec_ with 65 bytes', { secret: `whsec_${Buffer.alloc(65, 1).toString('base64')}` }, 'secret'],
  ['a secret that is a number', { secret: 12_345_678 }, 'secret'],
  ['a secret that is null', { secret: null }, 'secret'],
  ['metadata that is a list', { metadata: ['a'] }, 'metadata'],
  ['metadata that is a text', { metadata: 'a' }, 'metadata'],
  ['metadata with a number', { metadata: { a: 1 } }, 'metadata.a'],
  ['metadata with an object', { metadata: { a: { b: 'c' } } }, 'metadata.a'],
  ['metadata with NUL', { metadata: { a: 'b\0' } }, 'metadata.a'],
  ['metadata with half a character', { metadata: { a: '\ud800' } }, 'metadata.a'],
  ['metadata with a text of 501 characters', { metadata: { a: 'b'.repeat(501) } }, 'metadata.a'],
  ['metadata with an empty name', { metadata: { '': 'a' } }, 'metadata'],
  ['metadata with a long name', { metadata: { ['a'.repeat(41)]: 'a' } }, 'metadata'],
  ['metadata with a name of every object', { metadata: JSON.parse('{"__proto__":{"a":1}}') }, 'metadata'],
  ['metadata of 21 texts', { metadata: many(21, 'a') }, 'metadata'],
  ['an unknown field', { active: true }, 'active'],
])('a body with %s is refused with the field and what is expected', (_what, change, field) => {
  const refusal = refusalOf({ ...sound, ...change })
  expect(refusal).toMatchObject({ code: 'VALIDATION_ERROR', expected: expect.any(String) })
  expect(String(refusal.field).split('.')[0]).toBe(field.split('.')[0])
})

test.each([null, [], 'text', 7, true, undefined])('a body that is %j is refused', (body) => {
  expect(refusalOf(body)).toMatchObject({ code: 'VALIDATION_ERROR', expected: expect.any(String) })
})

test('the largest request that is allowed is read whole', () => {
  const metadata = many(20, 'b'.repeat(500))
  const secret = ` ${'~'.repeat(255)}`
  expect(read({ ...sound, secret, metadata })).toMatchObject({ secret, metadata })
})
