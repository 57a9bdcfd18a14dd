import { describe, expect, test } from 'vitest'
import { readPayment } from '../../../src/doors/x402/wire/headers.ts'

const authorization = {
  from: `0x${'a1'.repeat(20)}`,
  to: `0x${'b2'.repeat(20)}`,
  value: '100000',
  validAfter: '0',
  validBefore: '9999999999',
  nonce: `0x${'c3'.repeat(32)}`,
}
const payload = { signature: `0x${'d4'.repeat(65)}`, authorization }
const v1 = { x402Version: 1, scheme: 'exact', network: 'base', payload }
const v2 = {
  x402Version: 2,
  accepted: {
    scheme: 'exact',
    network: 'eip155:8453',
    amount: '100000',
    asset: `0x${'e5'.repeat(20)}`,
    payTo: authorization.to,
    maxTimeoutSeconds: 300,
    extra: { name: 'USD Coin', version: '2' },
  },
  payload,
}
const read = (headers: Record<string, string[]>) => readPayment((name) => headers[name])
const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64')

test('a request without a payment header has no payment', () => {
  expect(read({})).toEqual({ kind: 'none' })
})

describe.each(['payment-signature', 'x-payment-signature', 'x-payment'])('in the header %s', (name) => {
  test.each([
    ['v1', v1, 1],
    ['v2', v2, 2],
  ])('a %s payload is read by the version that it names', (_label, content, version) => {
    const result = read({ [name]: [encode(content)] })
    expect(result).toMatchObject({
      kind: 'payment',
      payment: { version, authorization: { value: 100_000n } },
    })
  })
})

test('a payment in base64url without padding is read like base64', () => {
  const value = Buffer.from(JSON.stringify(v1)).toString('base64url')
  expect(read({ 'x-payment': [value] }).kind).toBe('payment')
})

test('copies of a payment in all three headers, in other spellings, are one payment', () => {
  const inUpperCase = {
    ...v1,
    payload: {
      ...payload,
      authorization: { ...authorization, from: authorization.from.toUpperCase().replace('0X', '0x') },
    },
  }
  const result = read({
    'payment-signature': [encode(v2)],
    'x-payment-signature': [encode(inUpperCase)],
    'x-payment': [encode(v1)],
  })
  expect(result).toMatchObject({ kind: 'payment', payment: { version: 2 } })
})

test('two payments in two headers conflict', () => {
  const other = {
    ...v1,
    payload: { ...payload, authorization: { ...authorization, nonce: `0x${'99'.repeat(32)}` } },
  }
  expect(read({ 'payment-signature': [encode(v2)], 'x-payment': [encode(other)] })).toEqual({
    kind: 'conflict',
  })
})

test('two payments in a repeated header conflict', () => {
  const other = {
    ...v1,
    payload: { ...payload, authorization: { ...authorization, nonce: `0x${'99'.repeat(32)}` } },
  }
  expect(read({ 'x-payment': [encode(v1), encode(other)] })).toEqual({ kind: 'conflict' })
})

const withAuthorization = (change: object) => ({
  ...v1,
  payload: { ...payload, authorization: { ...authorization, ...change } },
})

test.each([
  ['an empty header', ''],
  ['words', 'not a payment'],
  ['base64 of no JSON', encode('hello')],
  ['JSON null', encode('null')],
  ['a list', encode('[]')],
  ['deeply nested JSON', encode('['.repeat(5_000))],
  ['no payload', encode({ ...v1, payload: undefined })],
  ['a negative amount', encode(withAuthorization({ value: '-1' }))],
  ['an amount in exponents', encode(withAuthorization({ value: '1e309' }))],
  ['an amount in hex', encode(withAuthorization({ value: '0x10' }))],
  ['an amount that is a number', encode(withAuthorization({ value: 100000 }))],
  ['an amount over 256 bits', encode(withAuthorization({ value: (2n ** 256n).toString() }))],
  ['a short nonce', encode(withAuthorization({ nonce: '0x12' }))],
  ['a malformed address', encode(withAuthorization({ from: '0xzz' }))],
  ['a signature of half bytes', encode({ ...v1, payload: { ...payload, signature: '0xabc' } })],
  ['a very long signature', encode({ ...v1, payload: { ...payload, signature: `0x${'00'.repeat(5_000)}` } })],
])('%s is refused as invalid_payload', (_label, value) => {
  expect(read({ 'x-payment': [value] })).toMatchObject({
    kind: 'unreadable',
    refusal: { reason: 'invalid_payload' },
  })
})

/** A payment whose `extra` is nested so deeply; the members around it are two levels. */
const nested = (levels: number) =>
  JSON.stringify(v2).replace('"USD Coin"', `${'['.repeat(levels)}"a"${']'.repeat(levels)}`)

test('a payment nested deeper than 32 levels is refused, and one of 32 levels is read', () => {
  expect(read({ 'x-payment': [encode(nested(29))] }).kind).toBe('payment')
  expect(read({ 'x-payment': [encode(nested(30))] })).toEqual({
    kind: 'unreadable',
    refusal: { reason: 'invalid_payload', message: 'the payment is nested deeper than 32 levels' },
  })
})

test('brackets and quotes within texts do not count as levels of a payment', () => {
  const named = (name: string) => ({ ...v2, accepted: { ...v2.accepted, extra: { name, version: '2' } } })
  for (const name of ['['.repeat(100), '\\"['.repeat(100), `\\\\"${'{'.repeat(100)}`]) {
    expect(read({ 'x-payment': [encode(named(name))] }).kind).toBe('payment')
  }
})

test('a header longer than 16,384 characters, and more than six different headers, are refused', () => {
  const long = encode({ ...v1, more: 'x'.repeat(13_000) })
  const many = Array.from({ length: 7 }, (_, n) => encode({ ...v1, more: n }))
  expect(read({ 'x-payment': many.slice(0, 6) }).kind).toBe('payment')
  for (const values of [[long], many]) {
    expect(read({ 'x-payment': values })).toMatchObject({
      kind: 'unreadable',
      refusal: { reason: 'invalid_payload' },
    })
  }
})

test('another protocol version is refused as invalid_x402_version', () => {
  expect(read({ 'x-payment': [encode({ ...v1, x402Version: 3 })] })).toMatchObject({
    kind: 'unreadable',
    refusal: { reason: 'invalid_x402_version' },
  })
})

describe('the payment identifier', () => {
  const named = (id: string) => ({ ...v2, extensions: { 'payment-identifier': { info: { id } } } })

  test('is read from the copy that has it', () => {
    const result = read({
      'payment-signature': [encode(v1)],
      'x-payment': [encode(named('order-4711-4711-4711'))],
    })
    expect(result).toMatchObject({ kind: 'payment', payment: { identifier: 'order-4711-4711-4711' } })
  })

  test('must not differ between copies, because either choice could charge twice', () => {
    const result = read({
      'payment-signature': [encode(named('order-4711-4711-4711'))],
      'x-payment': [encode(named('order-4712-4712-4712'))],
    })
    expect(result).toEqual({ kind: 'conflict' })
  })

  test.each(['short', 'x'.repeat(129), 'with spaces in between'])('is refused when it is %s', (id) => {
    expect(read({ 'payment-signature': [encode(named(id))] })).toMatchObject({
      kind: 'unreadable',
      refusal: { reason: 'invalid_payload' },
    })
  })
})
