import { type Address, getAddress, isAddress } from 'viem'
import { z } from 'zod'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { type ExplainRequest, type Explanation, explanationSchema } from '../../../core/explanation.ts'
import { json } from '../../../core/reply.ts'
import { operatorOperation } from './fields.ts'

/** @param operatorToken of the request itself. */
export type Explain = (question: ExplainRequest, operatorToken: string | undefined) => Promise<Explanation>

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

const wallet = z
  .string()
  .refine((text): text is Address => isAddress(text, { strict: false }), {
    error: 'must be the address of a wallet: 0x and 40 hex digits',
    abort: true,
  })
  .transform((address) => getAddress(address))

const questionSchema = z
  .strictObject({
    method: z.enum(methods),
    path: z
      .string()
      .max(2_000)
      .regex(/^\/[!"$-~]*$/, 'must begin with a slash and hold neither spaces nor #'),
    key: z.string().max(8_192).optional(),
    token: z.string().max(16_384).optional(),
    payer: wallet.optional(),
    client: z.union([z.ipv4(), z.ipv6()], { error: 'must be an IP address' }).optional(),
    body: z.unknown().optional(),
  })
  .refine(({ key, token }) => key === undefined || token === undefined, {
    error: 'cannot stand beside key: a call carries one of them',
    path: ['token'],
  })

/**
 * POST /operator/explain: what a call would meet, without making it. The key or token in question stands in
 * the body, because logs and proxies write down headers and addresses.
 */
export const explainRows = {
  explainCall: {
    ...noInput,
    method: 'POST',
    path: '/operator/explain',
    operation: {
      ...operatorOperation('Says which door a call would take and why, without making it.'),
      isReadOnly: true,
    },
    body: questionSchema,
    response: explanationSchema,
  },
} satisfies EndpointRows

export function explainHandlers(explain: Explain): Handlers<typeof explainRows> {
  return {
    explainCall: async ({ body }, { headers }) =>
      json(200, await explain(body, headers.authorization?.replace(/^Bearer +/i, ''))),
  }
}
