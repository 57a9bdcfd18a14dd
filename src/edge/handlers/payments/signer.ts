import { z } from 'zod'
import { type Endpoint, endpoint, noBody } from '../../../core/endpoint.ts'
import { GatewayError } from '../../../core/errors.ts'
import { json } from '../../../core/reply.ts'

const didDocument = z.object({
  '@context': z.array(z.string()),
  id: z.string(),
  verificationMethod: z.array(
    z.object({ id: z.string(), type: z.string(), controller: z.string(), blockchainAccountId: z.string() }),
  ),
  assertionMethod: z.array(z.string()),
})

/**
 * GET /.well-known/did.json: which key signs our offers and receipts. Whoever is shown a receipt learns
 * here, from our own host, that the address that signed it is ours (did:web; the extension
 * offer-receipt leaves open how a signer is known, and names this way).
 * @param baseUrl public address of the paid endpoints, which offers and receipts name.
 * @param address of the signing key; without one there is no such document.
 */
export function signerEndpoint(baseUrl: string, address: string | undefined): Endpoint {
  const id = `did:web:${new URL(baseUrl).host.replace(':', '%3A')}`
  const method = `${id}#receipts`
  return endpoint({
    id: 'getSigner',
    method: 'GET',
    path: '/.well-known/did.json',
    body: noBody,
    response: didDocument,
    handle() {
      if (address === undefined) throw new GatewayError('NOT_FOUND')
      const document: z.infer<typeof didDocument> = {
        '@context': [
          'https://www.w3.org/ns/did/v1',
          'https://w3id.org/security/suites/secp256k1recovery-2020/v2',
        ],
        id,
        verificationMethod: [
          {
            id: method,
            type: 'EcdsaSecp256k1RecoveryMethod2020',
            controller: id,
            // Offers and receipts are signed for chain 1, whatever chain is paid on.
            blockchainAccountId: `eip155:1:${address}`,
          },
        ],
        assertionMethod: [method],
      }
      return json(200, document, { 'cache-control': 'public, max-age=300' })
    },
  })
}
