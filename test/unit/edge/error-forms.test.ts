import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { GatewayError } from '../../../src/core/errors.ts'
import { createLog } from '../../../src/core/log.ts'
import type { Reply } from '../../../src/core/reply.ts'
import { inForm } from '../../../src/edge/http/error-forms.ts'
import { errorReply } from '../../../src/edge/http/errors.ts'

/** Errors of the gateway as the clients of upstreams with a preset read them. */

const log = createLog('silent')
const errorOf = (error: GatewayError) => errorReply(error, 'call-1', log)
const bodyOf = ({ body }: Reply): unknown => JSON.parse(Buffer.from(body).toString())
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
