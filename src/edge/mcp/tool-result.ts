import type { CallToolResult } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { discardReply, type Reply } from '../../core/reply.ts'

/**
 * Writes a reply as the result of a tool: the body as structured content and as text, and an error as a tool error,
 * which a model reads and acts on. A price follows x402's transport for MCP: what the PAYMENT-REQUIRED header says is
 * in the structured content and in the text, the receipt in `_meta`.
 */
export async function toolResult(reply: Reply): Promise<CallToolResult> {
  if (reply.stream || reply.tunnel) {
    await discardReply(reply)
    throw new Error('a tool cannot stream its result')
  }
  const { status, headers, body } = reply
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')
  const receipt = decodeHeader(headers['payment-response'])
  const said = { ...(receipt && { [receiptKey]: receipt }), ...noted(headers) }
  const meta = Object.keys(said).length > 0 ? { _meta: said } : {}
  if (status < 400) return { ...result(parseObject(text), text), ...meta }
  const price = decodeHeader(headers['payment-required'])
  if (price === undefined) return { ...result(parseObject(text), text), ...meta, isError: true }
  // The 402's own list of requirements is version 1's, which has no transport for MCP.
  const { accepts: _v1, x402Version: _one, ...error } = parseObject(text)
  // With a 429 the error is that the limit is reached; with a 402 it is why there is no valid payment.
  const required = status === 402 ? { ...inWordsOfMcp(error), ...price } : { ...price, ...error }
  return { ...result(required, JSON.stringify(required)), ...meta, isError: true }
}

/** The message of the 402 names HTTP headers, which no tool call has. */
function inWordsOfMcp(error: Record<string, unknown>): Record<string, unknown> {
  return error.code === 'PAYMENT_REQUIRED' ? { ...error, message: payByMeta } : error
}

const payByMeta =
  'This tool is paid per call. Sign one of the accepted payments and call the tool again, with the payment in _meta["x402/payment"].'

const receiptKey = 'x402/payment-response'

function result(structuredContent: Record<string, unknown>, text: string) {
  return { content: [{ type: 'text' as const, text }], structuredContent }
}

const object = z.record(z.string(), z.unknown())

function parseObject(text: string): Record<string, unknown> {
  return object.parse(JSON.parse(text))
}

function decodeHeader(value: string | undefined): Record<string, unknown> | undefined {
  return value === undefined ? undefined : parseObject(Buffer.from(value, 'base64').toString('utf8'))
}

/** What HTTP callers learn from headers and the body does not say: by whom a text was written, which payment it was. */
function noted(headers: Reply['headers']): Record<string, unknown> {
  const kept = Object.entries(headers).filter(([name]) => notedHeaders.has(name))
  return kept.length > 0 ? { 'tollgate/headers': Object.fromEntries(kept) } : {}
}

const notedHeaders: ReadonlySet<string> = new Set([
  'x-text-engine',
  'x-payment-id',
  'x-dry-run',
  'retry-after',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
])
