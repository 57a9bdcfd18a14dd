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
