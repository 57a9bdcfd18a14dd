import type { z } from 'zod'
import { unixSeconds } from '../../../core/clock.ts'
import { type Endpoint, endpointWith, noBody, noParams, noQuery } from '../../../core/endpoint.ts'
import { json } from '../../../core/reply.ts'
import type { SigningKeys } from '../../../doors/keys/signing-keys.ts'
import { operatorOperation } from './fields.ts'
import { rotatedSchema } from './replies.ts'

/**
 * POST /operator/signing-keys/rotate: has another key sign access tokens, before the month is over in which one
 * would follow by itself. Tokens that were given out stay good until they end.
 */
export function rotateSigningKeyEndpoint(signingKeys: Pick<SigningKeys, 'rotate'>): Endpoint {
  return endpointWith({
    id: 'rotateSigningKey',
    method: 'POST',
    path: '/operator/signing-keys/rotate',
    operation: operatorOperation('Has another key sign access tokens; those given out stay good.'),
    params: noParams,
    query: noQuery,
    body: noBody,
    response: rotatedSchema,
    async handle() {
      const { kid, signsFrom } = await signingKeys.rotate()
      const rotated: z.infer<typeof rotatedSchema> = { kid, signsFrom: unixSeconds(signsFrom) }
      return json(200, rotated)
    },
  })
}
