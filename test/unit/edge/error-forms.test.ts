import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { presetNames } from '../../../src/core/catalog/presets.ts'
import { GatewayError } from '../../../src/core/errors.ts'
import { createLog } from '../../../src/core/log.ts'
import type { Reply } from '../../../src/core/reply.ts'
import { inForm } from '../../../src/edge/http/error-forms.ts'
import { errorReply } from '../../../src/edge/http/errors.ts'

/** Errors of the gateway as the clients of upstreams with a preset read them. */

const log = createLog('silent')
const errorOf = (error: GatewayError) => errorReply(error, 'call-1', log)
const bodyOf = ({ body }: Reply): Record<string, unknown> =>
  z.record(z.string(), z.unknown()).parse(JSON.parse(Buffer.from(body).toString()))
const limited = new GatewayError('RATE_LIMIT', { limit: '3/day' }, { headers: { 'retry-after': '60' } })

test("OpenAI's client shows our message, code, details and the faulty field", async () => {
  const faulty = new GatewayError('VALIDATION_ERROR', { issues: [{ field: 'n', problem: 'is 0' }] })
  const thrown = await new OpenAI({
    apiKey: 'none',
    baseURL: 'http://gateway.example/v1',
    maxRetries: 0,
    fetch: async () => {
      const { status, headers, body } = inForm(errorOf(faulty), 'openai')
      return new Response(Buffer.from(body), { status, headers })
    },
  }).models
    .list()
    .catch((error: unknown) => error)
  expect(thrown).toBeInstanceOf(OpenAI.BadRequestError)
  expect(thrown).toMatchObject({
    message: `400 ${faulty.message}`,
    code: 'VALIDATION_ERROR',
    type: 'invalid_request_error',
    param: 'n',
    error: { details: faulty.details },
  })
})

test("Anthropic's form has the type of the status, and our fields beside it", () => {
  expect(bodyOf(inForm(errorOf(limited), 'anthropic'))).toEqual({
    type: 'error',
    error: {
      type: 'rate_limit_error',
      message: limited.message,
      code: 'RATE_LIMIT',
      details: limited.details,
    },
    message: limited.message,
    code: 'RATE_LIMIT',
    details: limited.details,
  })
  const type = (code: ConstructorParameters<typeof GatewayError>[0]) =>
    bodyOf(inForm(errorOf(new GatewayError(code)), 'anthropic'))
  expect(type('NOT_FOUND')).toMatchObject({ error: { type: 'not_found_error' } })
  expect(type('UPSTREAM_TIMEOUT')).toMatchObject({ error: { type: 'timeout_error' } })
})

test('for MCP the body is a JSON-RPC error without an id', () => {
  expect(bodyOf(inForm(errorOf(limited), 'mcp'))).toEqual({
    jsonrpc: '2.0',
    error: { code: 429, message: limited.message, data: { code: 'RATE_LIMIT', details: limited.details } },
    message: limited.message,
    code: 'RATE_LIMIT',
    details: limited.details,
  })
})

test('status and headers stay, and an error without a preset stays as it is', () => {
  const reply = errorOf(limited)
  expect(inForm(reply, undefined)).toBe(reply)
  expect(inForm(reply, 'openai')).toMatchObject({ status: 429, headers: reply.headers })
  // The same bytes can be asked for in several forms.
  expect(bodyOf(inForm(reply, 'mcp'))).toHaveProperty('jsonrpc')
  expect(bodyOf(inForm(reply, 'openai'))).not.toHaveProperty('jsonrpc')
})

test('an error with details of any shape has our message and code in every form', () => {
  const odd = [
    { issues: 'none' },
    { issues: null },
    { issues: [] },
    { issues: [null] },
    { issues: [{ field: 7 }] },
    { issues: [{ problem: 'no field' }] },
    { issues: { field: 'n' } },
    ...Array.from({ length: 200 }, (_, seed) => ({
      issues: madeOf(seed, 4),
      [`k${seed}`]: madeOf(seed + 7, 4),
    })),
  ]
  for (const details of odd) {
    const reply = errorOf(new GatewayError('VALIDATION_ERROR', details))
    for (const form of presetNames)
      expect(bodyOf(inForm(reply, form))).toMatchObject({
        code: 'VALIDATION_ERROR',
        message: expect.stringContaining('expected shape'),
        details: bodyOf(reply).details,
      })
  }
})

test('a body that is no error of ours stays as it is', () => {
  for (const text of ['', 'no JSON', '[]', 'null', '{"error":{"message":"theirs"}}']) {
    const reply: Reply = { status: 402, headers: {}, body: Buffer.from(text) }
    for (const form of presetNames) expect(Buffer.from(inForm(reply, form).body).toString()).toBe(text)
  }
})

/** A value of JSON that follows from the seed. */
function madeOf(seed: number, depth: number): unknown {
  const leaves = [null, true, seed, `${seed}`, '', 'field']
  const names = ['field', 'problem', 'issues', 'length', '0', '__proto__']
  const kind = depth === 0 ? 0 : seed % 3
  const parts = Array.from({ length: (seed * 7) % 4 }, (_, n) => madeOf(seed * 31 + n * 17 + 1, depth - 1))
  if (kind === 1) return parts
  if (kind === 2)
    return Object.fromEntries(parts.map((part, n) => [names[(seed + n) % names.length] ?? 'x', part]))
  return leaves[seed % leaves.length]
}
