import type { PricedOperation } from '../../../core/catalog/priced-operation.ts'
import type { ReplayRule } from '../../../core/catalog/replay-rule.ts'
import { maxStoredBytes } from '../../ledger/reply-columns.ts'

/**
 * An extension of x402 v2: what a 402 says in addition to the price. A client repeats all extensions in its
 * payment header, and proxies allow a head of 4 to 8 KB in either direction, so the schemas here say only
 * what a client has to get right.
 */
interface Extension {
  /** What the server says, or lets the client say. */
  readonly info: object
  /** JSON Schema of `info`. */
  readonly schema: object
}

export type Extensions = Readonly<Record<string, Extension>>

/**
 * Lets a client name its payment, so that a second signature for the same purchase is recognized as a repeat.
 * Where `required` is true it has to, because a secret reply is given again only to a caller that knows the
 * name. `declarePaymentIdentifierExtension()` of @x402/extensions writes twice as much.
 */
export function paymentIdentifier(required: boolean): Extensions {
  return { 'payment-identifier': { info: { required }, schema: identifierSchema } }
}

const identifierSchema = {
  type: 'object',
  properties: { id: { minLength: 16, maxLength: 128, pattern: '^[a-zA-Z0-9_-]+$' } },
}

/** For extensions whose `info` says everything, or whose clients know the fields anyway. */
const anyObject = { type: 'object' }

/**
 * Lets a payer who never approved Permit2 sign the approval instead of sending it, without gas. Clients look
 * for this identifier before they do. `declareEip2612GasSponsoringExtension()` of @x402/extensions adds a
 * description of each field, which every payment would have to repeat.
 */
export const gasSponsoring: Extensions = {
  eip2612GasSponsoring: { info: { version: '1' }, schema: anyObject },
}

/**
 * The terms of a replay. `stored` describes the replies that are stored for a repeated request with the same
 * payment, and `for` says who gets them once the transfer is sent. A reply that an upstream streams is
 * passed on and not stored, so a payer who loses it cannot get it again; the 402 says so before the payer signs.
 */
export function replayTerms(rule: ReplayRule, isStreamed: boolean): Extensions {
  const stored = { maxBytes: maxStoredBytes, hours: 24 }
  const info = { for: rule, ...(isStreamed ? { streamed: 'given once' } : {}), stored }
  return { replay: { info, schema: anyObject } }
}

/** The same for one reply, in its receipt: it was streamed and is not stored. */
export const replayNotStored: Extensions = {
  replay: { info: { streamed: 'given once', stored: false }, schema: anyObject },
}

/**
 * What a call costs that fails by the caller's own making, by scheme: `price`, or USDC. Empty where it costs
 * nothing.
 */
export function failedCallTerms({ chargeFailed, meter }: PricedOperation): Extensions {
  if (chargeFailed === undefined) return {}
  // A payment by `exact` moves all that was signed, or nothing.
  const info = { ...(meter ? { upto: chargeFailed } : {}), exact: 'price' }
  return { failedCalls: { info, schema: anyObject } }
}

/** The terms in sentences, for the body of the 402. */
export function replaySentences(rule: ReplayRule, isStreamed: boolean): string {
  const kept = isStreamed
    ? 'A reply that is streamed is given once and not stored. Any other of up to 1 MB'
    : 'A reply of up to 1 MB'
  const proof = rule === 'payer' ? ` ${payerSentence}` : ''
  return `${kept} is kept for 24 hours, for the same request with the same payment.${proof}`
}

const payerSentence =
  'Once its transfer is sent, that request needs the Idempotency-Key or payment-identifier with which it was paid (16 characters or more), or a sign-in of the payer (SIGN-IN-WITH-X).'
