import type { Response } from 'express'
import type { Reply } from '../../core/reply.ts'

/** For whom a reply is. */
export type Audience = 'everyone' | 'operator'

/** Sends a reply. The only place that touches a response; a caller that has left gets nothing. */
export function sendReply(res: Response, reply: Reply, audience: Audience, callId?: string): void {
  if (res.destroyed || res.headersSent) return
  const { body } = reply
  res.writeHead(reply.status, {
    ...headOf(reply, audience, callId),
    ...lengthHeader(reply, res.req.method),
  })
  if (res.req.method === 'HEAD') res.end()
  // As latin1 text, which keeps every byte, Node sends head and body in one piece; bytes would go by themselves.
  else if (body.byteLength <= maxInOnePiece)
    res.end(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1'), 'latin1')
  else res.end(body)
  if (!res.req.complete) endLater(res)
}

/** Of HEAD and 304 the length is that of the body which is not sent, where an upstream has told it. */
function lengthHeader(
  { status, headers, body }: Reply,
  method: string,
): { readonly 'content-length'?: number | string } {
  if (status === 204) return {}
  if (method !== 'HEAD' && status !== 304) return { 'content-length': body.byteLength }
  const told = headers['content-length']
  if (told !== undefined) return { 'content-length': told }
  return body.byteLength === 0 ? {} : { 'content-length': body.byteLength }
}

/** The headers of a reply, but for those that say how long it is. */
export function headOf(reply: Reply, audience: Audience, callId: string | undefined): Record<string, string> {
  return {
    ...(audience === 'operator' ? {} : openToBrowsers),
    ...reply.headers,
    ...(audience === 'operator' ? { 'cache-control': 'no-store' } : {}),
    'x-content-type-options': 'nosniff',
    ...(callId ? { 'x-request-id': callId } : {}),
  }
}

/** A body nobody asked for may still be on its way. It gets a moment to end; one that does not is cut off. */
function endLater(res: Response): void {
  const { req } = res
  const timer = setTimeout(() => req.destroy(), lingerMs)
  req.once('close', () => clearTimeout(timer))
}

const lingerMs = 2_000
const maxInOnePiece = 16_384

/**
 * What is for everyone browsers may read from any page: there are no cookies, so a foreign page can do
 * nothing a program could not. What is for the operator no foreign page reads, should it ever get a token.
 */
const openToBrowsers = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': [
    'PAYMENT-REQUIRED',
    'PAYMENT-RESPONSE',
    'X-PAYMENT-RESPONSE',
    'X-Payment',
    'X-Payment-Id',
    'Retry-After',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'RateLimit',
    'RateLimit-Policy',
    'X-Dry-Run',
    'WWW-Authenticate',
    'X-Request-Id',
    'X-Text-Engine',
  ].join(', '),
}

/**
 * The answer to a browser's preflight (reference/payments.md 4.3): every header that a paying client sends.
 * @param asked what else the browser would send, where an upstream may want it.
 */
export function preflightReply(methods: readonly string[], audience: Audience, asked?: string): Reply {
  const headers = { allow: methods.join(', ') }
  if (audience === 'operator') return { status: 204, headers, body: new Uint8Array() }
  return {
    status: 204,
    headers: {
      ...headers,
      'access-control-allow-methods': methods.join(', '),
      'access-control-allow-headers': [
        'Content-Type',
        'PAYMENT-SIGNATURE',
        'X-PAYMENT',
        'X-Payment-Signature',
        'x-mcp-api-key',
        'Authorization',
        'Idempotency-Key',
        'Last-Event-ID',
        'SIGN-IN-WITH-X',
        // x402 clients send this response header's name as a request header.
        'Access-Control-Expose-Headers',
        ...(asked !== undefined && /^[\w!#$%&'*+.^`|~, -]{1,2000}$/.test(asked) ? [asked] : []),
      ].join(', '),
      'access-control-max-age': '86400',
    },
    body: new Uint8Array(),
  }
}
