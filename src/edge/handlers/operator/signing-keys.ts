import type { z } from 'zod'
import { unixSeconds } from '../../../core/clock.ts'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { json } from '../../../core/reply.ts'
import type { SigningKeys } from '../../../doors/keys/signing-keys.ts'
import { operatorOperation } from './fields.ts'
import { rotatedSchema } from './replies.ts'

/**
 * POST /operator/signing-keys/rotate: starts another key for signing access tokens, before the monthly
 * rotation. Issued tokens stay valid until they expire.
 */
export const signingKeyRows = {
  rotateSigningKey: {
    ...noInput,
    method: 'POST',
    path: '/operator/signing-keys/rotate',
    operation: operatorOperation('Starts another key for signing access tokens; issued tokens stay valid.'),
    response: rotatedSchema,
  },
} satisfies EndpointRows

export function signingKeyHandlers(
  signingKeys: Pick<SigningKeys, 'rotate'>,
): Handlers<typeof signingKeyRows> {
  return {
    async rotateSigningKey() {
      const { kid, signsFrom } = await signingKeys.rotate()
      const rotated: z.infer<typeof rotatedSchema> = { kid, signsFrom: unixSeconds(signsFrom) }
      return json(200, rotated)
    },
  }
}
