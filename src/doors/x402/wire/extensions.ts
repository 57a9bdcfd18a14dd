import { maxStoredBytes } from '../../ledger/kept.ts'

/**
 * x402 v2's extensions: what a 402 says besides the price, by identifier. A client gives all of it back
 * in its payment header, and proxies allow a head of 4 to 8 KB in either direction, so what is declared
 * here stays short: a schema says what a client has to get right, and no more.
 */
interface Extension {
  /** What the server says, or offers to be told. */
  readonly info: object
  /** JSON Schema of `info`. */
  readonly schema: object
}

export type Extensions = Readonly<Record<string, Extension>>

/**
 * A client may name its payment, so that a second signature for the same purchase is known as a repeat; where
 * `required` is true it has to, because what is sold there is given to nobody without its name. This is what
 * `declarePaymentIdentifierExtension()` of @x402/extensions makes, written out because importing it brings a
 * JSON Schema compiler: 25 ms of the start and 15 MB.
 */
export function paymentIdentifier(required: boolean): Extensions {
  return { 'payment-identifier': { info: { required }, schema: identifierSchema } }
}

const identifierSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    required: { type: 'boolean' },
    id: { type: 'string', minLength: 16, maxLength: 128, pattern: '^[a-zA-Z0-9_-]+$' },
  },
  required: ['required'],
}

/** For extensions that say all in their `info`, or whose client has to know the fields anyway. */
const anyObject = { type: 'object' }

/**
 * A payer who never approved Permit2 may sign the approval instead of sending it, and pays no gas for it: clients
 * look for this identifier before they do. `declareEip2612GasSponsoringExtension()` of @x402/extensions declares the
 * same with a description of each field, which every payment would have to carry back.
 */
export const gasSponsoring: Extensions = {
  eip2612GasSponsoring: { info: { version: '1' }, schema: anyObject },
}

/**
 * What an upstream streams is passed on and not kept, so a payer who loses such a reply cannot ask for it again.
 * The 402 says so before anybody signs; `stored` is what is kept for whoever repeats the request with the same
 * payment.
 */
export const replayTerms: Extensions = {
  replay: {
    info: { streamed: 'given once', stored: { maxBytes: maxStoredBytes, hours: 24 } },
    schema: anyObject,
  },
}

/** The same of one reply, in its receipt: it was streamed, and is not kept. */
export const replayNotStored: Extensions = {
  replay: { info: { streamed: 'given once', stored: false }, schema: anyObject },
}

/** The terms in a sentence, for the body of the 402. */
export const replaySentence =
  'A reply that is streamed is given once and not stored. Any other of up to 1 MB is kept for 24 hours, for the same request with the same payment.'
