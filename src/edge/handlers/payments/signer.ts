import { z } from 'zod'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { GatewayError } from '../../../core/errors.ts'
import { json } from '../../../core/reply.ts'
import { tagged } from '../document.ts'

const didDocument = z.object({
  '@context': z.array(z.string()),
  id: z.string(),
  verificationMethod: z.array(
    z.object({ id: z.string(), type: z.string(), controller: z.string(), blockchainAccountId: z.string() }),
  ),
  assertionMethod: z.array(z.string()),
})

/**
 * GET /.well-known/did.json: the key that signs our offers and receipts. A program that is shown a receipt
 * learns here, from our own host, that the address that signed it is ours (did:web, one of the ways that the
 * extension offer-receipt names).
 */
export const signerRows = {
  getSigner: {
    ...noInput,
    method: 'GET',
    path: '/.well-known/did.json',
    response: didDocument,
    docs: {
      summary: 'Read who signs offers and receipts',
      details: '404 where nothing is signed.',
      tag: 'payments',
      errors: ['NOT_FOUND'],
      example: {},
    },
  },
} satisfies EndpointRows

/**
 * @param baseUrl public address of the paid endpoints, which offers and receipts name.
 * @param address of the signing key; without one the endpoint answers 404.
 */
export function signerHandlers(baseUrl: string, address: string | undefined): Handlers<typeof signerRows> {
  const id = `did:web:${new URL(baseUrl).host.replace(':', '%3A')}`
  const method = `${id}#receipts`
  return {
    getSigner(_, { headers }) {
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
            // Offers and receipts are signed for chain 1, whatever chain the payment is on.
            blockchainAccountId: `eip155:1:${address}`,
          },
        ],
        assertionMethod: [method],
      }
      return tagged(json(200, document, { 'cache-control': 'public, max-age=300' }), headers)
    },
  }
}
