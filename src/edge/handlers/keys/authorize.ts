import { z } from 'zod'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { json } from '../../../core/reply.ts'

/**
 * The authorization endpoint. OpenID Connect and the clients of MCP require the metadata to name one, and a client may
 * open it in a browser. Tokens are issued for API keys alone, so each request ends with an error of RFC 6749. It is
 * never sent on to the `redirect_uri`: no client has registered one, so the address may be anyone's (section 4.1.2.1).
 */

/** Only the error for a missing `response_type` depends on what was sent. */
const authorizeQuery = z.object({
  response_type: z.unknown().optional().meta({ type: 'string', description: 'Any value is refused.' }),
})

const refusalSchema = z.object({
  error: z.enum(['invalid_request', 'unauthorized_client', 'unsupported_response_type']),
  error_description: z.string(),
  message: z.string(),
  code: z.literal('VALIDATION_ERROR'),
})

const howToGetToken =
  'There is no sign-in in a browser here. Exchange an API key for an access token at POST /oauth/token, with grant_type=client_credentials.'

const refusal = (error: z.infer<typeof refusalSchema>['error']): z.infer<typeof refusalSchema> => ({
  error,
  error_description: howToGetToken,
  message: howToGetToken,
  code: 'VALIDATION_ERROR',
})

export const authorizeRows = {
  authorize: {
    ...noInput,
    method: 'GET',
    path: '/oauth/authorize',
    query: authorizeQuery,
    response: refusalSchema,
    operation: {
      access: 'open',
      description: 'The authorization endpoint of OAuth, which refuses every request.',
      deadlineSeconds: 5,
    },
    docs: {
      summary: 'Ask for an authorization',
      details:
        'Access tokens are issued for API keys at POST /oauth/token. Errors have the form of RFC 6749.',
      tag: 'keys',
      status: 400,
      errors: [],
      example: { query: { response_type: 'code' }, reply: refusal('unsupported_response_type') },
    },
  },
} satisfies EndpointRows

export const authorizeHandlers: Handlers<typeof authorizeRows> = {
  authorize: ({ query }) => json(400, refusal(errorOf(query.response_type)), { 'cache-control': 'no-store' }),
}

function errorOf(responseType: unknown): z.infer<typeof refusalSchema>['error'] {
  if (typeof responseType !== 'string' || responseType === '') return 'invalid_request'
  return responseType === 'none' ? 'unauthorized_client' : 'unsupported_response_type'
}
