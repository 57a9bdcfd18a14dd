import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { GatewayError } from '../../../../src/core/errors.ts'
import { json, type Reply, text } from '../../../../src/core/reply.ts'
import { notServed, replyNotServed } from '../../../../src/doors/x402/door/not-served.ts'

const id = `0x${'ab'.repeat(32)}`
const answerOf = (reply: Reply) => replyNotServed(id, reply).details.answer

describe('a call that was charged first and refused by its upstream', () => {
  test('is answered with the status and the text of the upstream, and says what the payment still pays for', () => {
    const error = replyNotServed(id, json(422, { problem: 'no model of this name' }, { 'x-secret': 'key' }))
    expect(error.details).toEqual({
      payment: { id, state: 'paid' },
      answer: { status: 422, text: '{"problem":"no model of this name"}' },
    })
    expect(error.message).toMatch(/byte for byte .* pays for no other request\. .* refund/)
  })

  test('shows at most 2,000 characters, none of which controls a terminal', () => {
    expect(answerOf(text(400, 'text/plain', 'é\u001b[2J'.repeat(4_000)))).toEqual({
      status: 400,
      text: 'é?[2J'.repeat(400),
    })
  })

  test.each<[string, Reply]>([
    ['is no text', { status: 404, headers: { 'content-type': 'image/png' }, body: Buffer.from('PNG') }],
    ['names no type', { status: 404, headers: {}, body: Buffer.from('text') }],
    [
      'is compressed',
      {
        status: 404,
        headers: { 'content-type': 'text/plain', 'content-encoding': 'gzip' },
        body: gzipSync('text'),
      },
    ],
    ['is streamed', { ...text(404, 'text/plain', ''), stream: async function* () {} }],
  ])('shows the status alone of a reply that %s', (_what, reply) => {
    expect(answerOf(reply)).toEqual({ status: 404 })
  })

  test.each([401, 403, 429, 500, 503])(
    'shows nothing of a reply with status %i, which is not the caller’s making',
    (status) => {
      const error = replyNotServed(id, json(status, { key: 'of the gateway is invalid' }))
      expect(error.details).toEqual({ payment: { id, state: 'paid' } })
      expect(error.message).toMatch(/Repeat the request with the same payment: it is served/)
    },
  )
})

test('a call that the gateway refuses after its charge does not promise that a repetition helps', () => {
  const error = notServed(id, new GatewayError('PAYLOAD_TOO_LARGE', { max_bytes: 1 }))
  expect(error.details).toEqual({ payment: { id, state: 'paid' }, failure: 'PAYLOAD_TOO_LARGE' })
  expect(error.message).toMatch(/pays for no other request/)
  expect(notServed(id, new Error('boom')).message).toMatch(/it is served without a second charge/)
})
