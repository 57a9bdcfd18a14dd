import { isCallersMaking } from '../../../core/catalog/failed-call.ts'
import { errorKind, GatewayError } from '../../../core/errors.ts'
import type { Reply } from '../../../core/reply.ts'
import { harmless } from '../../../core/text/visible.ts'
import { retryAfter } from './payment-errors.ts'

/**
 * The errors of a call that failed after its money was taken. The payment stays bound to its request, because its
 * signature is public by then: a stranger could otherwise copy it and buy something else with it. So a payer whose request
 * was wrong learns why, and is not told to repeat it as if that would help.
 */

/** @param cause why the call failed. */
export function notServed(id: string, cause: unknown): GatewayError {
  const code = cause instanceof GatewayError ? cause.code : undefined
  const failure = code === undefined ? {} : { failure: code }
  const isRefused = code !== undefined && isCallersMaking(errorKind(code).status)
  return owedCall(id, failure, isRefused ? howToRepeatRefused : howToRepeat, cause)
}

/** @param reply what the handler or its upstream replied. */
export function replyNotServed(id: string, reply: Reply): GatewayError {
  const cause = new Error(`the handler replied with status ${reply.status}`)
  if (!isCallersMaking(reply.status)) return owedCall(id, {}, howToRepeat, cause)
  return owedCall(id, { answer: shown(reply) }, howToRepeatRefused, cause)
}

function owedCall(id: string, details: object, hint: string, cause: unknown): GatewayError {
  const owed = { payment: { id, state: 'paid' }, ...details }
  return new GatewayError('PAID_NOT_SERVED', owed, { cause, hint, headers: retryAfter })
}

const howToRepeat =
  'Do not sign a new payment. Repeat the request with the same payment: it is served without a second charge. Or ask the operator to refund details.payment.'
const howToRepeatRefused =
  'Do not sign a new payment for this request: repeated byte for byte with the same payment, it runs again without a second charge. The payment pays for no other request. If this one was wrong, ask the operator to refund details.payment, and sign a new payment for the corrected one.'

const maxCharacters = 2_000
const readable = /^(?:text\/|application\/(?:[\w.+-]+\+)?(?:json|xml)\b)/i

/** The status, and the beginning of a text that was not streamed; without its headers. */
function shown({ status, headers, body, stream, tunnel }: Reply) {
  const isText = readable.test(headers['content-type'] ?? '') && headers['content-encoding'] === undefined
  if (!isText || stream || tunnel || body.byteLength === 0) return { status }
  // A character has four bytes at most.
  const text = Buffer.from(body.subarray(0, 4 * maxCharacters)).toString('utf8')
  return { status, text: harmless(text.slice(0, maxCharacters)) }
}
