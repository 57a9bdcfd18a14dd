import { z } from 'zod'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { tagged } from '../document.ts'

/** Writes the document with its signature. */
export type SignatureDirectory = () => {
  readonly body: Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

/**
 * GET /.well-known/http-message-signatures-directory: the public key of the requests our scans make, so that
 * a website can tell them from requests of a client that only uses our name (Web Bot Auth).
 */
export const signatureDirectoryRows = {
  getSignatureDirectory: {
    ...noInput,
    method: 'GET',
    path: '/.well-known/http-message-signatures-directory',
    response: z.object({
      keys: z
        .array(
          z.looseObject({ kty: z.literal('OKP'), kid: z.string().describe('the thumbprint (RFC 7638)') }),
        )
        .describe('a JSON Web Key Set'),
    }),
    docs: {
      summary: 'Read the key that signs our scans',
      details: 'The reply is signed with the same key (RFC 9421).',
      tag: 'discovery',
      mediaTypes: ['application/http-message-signatures-directory+json'],
      errors: [],
      example: {},
    },
  },
} satisfies EndpointRows

export function signatureDirectoryHandlers(
  directory: SignatureDirectory,
): Handlers<typeof signatureDirectoryRows> {
  return { getSignatureDirectory: (_, { headers }) => tagged({ status: 200, ...directory() }, headers) }
}
