import { z } from 'zod'
import { type Endpoint, endpoint, noBody } from '../../../core/endpoint.ts'

/** Makes the document with its signature. */
export type SignatureDirectory = () => {
  readonly body: Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

/**
 * GET /.well-known/http-message-signatures-directory: the public key of the requests our scans make, so that
 * a website can tell them from those of somebody who only uses our name (Web Bot Auth).
 */
export function signatureDirectoryEndpoint(directory: SignatureDirectory): Endpoint {
  return endpoint({
    id: 'getSignatureDirectory',
    method: 'GET',
    path: '/.well-known/http-message-signatures-directory',
    body: noBody,
    response: z.object({ keys: z.array(z.looseObject({ kty: z.literal('OKP'), kid: z.string() })) }),
    handle: () => ({ status: 200, ...directory() }),
  })
}
