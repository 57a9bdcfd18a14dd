import { z } from 'zod'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { json } from '../../../core/reply.ts'
import { publicJwkSchema } from '../../../doors/keys/signing-key.ts'
import type { SigningKeys } from '../../../doors/keys/signing-keys.ts'
import { createIssueToken, type TokenParts, tokenRequest, tokenSchema } from './token.ts'

/** Access tokens for API keys: where they are issued, and the documents that say so to OAuth libraries. */

export interface OAuthParts extends TokenParts {
  readonly signingKeys: Pick<SigningKeys, 'jwks' | 'rotate'>
  readonly documents: OAuthDocuments
}

/** The metadata, each written at the request, from the catalog in use. */
export interface OAuthDocuments {
  readonly authorizationServer: () => z.infer<typeof serverSchema>
  readonly openIdConfiguration: () => z.infer<typeof openIdSchema>
  readonly protectedResource: () => z.infer<typeof resourceSchema>
}

const jwksSchema = z.object({ keys: z.array(publicJwkSchema).readonly() })
const scopes = { scopes_supported: z.array(z.string()).optional() }
const serverSchema = z.object({
  issuer: z.string(),
  token_endpoint: z.string(),
  jwks_uri: z.string(),
  response_types_supported: z.array(z.string()),
  grant_types_supported: z.array(z.string()),
  token_endpoint_auth_methods_supported: z.array(z.string()),
  ...scopes,
})
const openIdSchema = serverSchema.extend({
  subject_types_supported: z.array(z.string()),
  id_token_signing_alg_values_supported: z.array(z.string()),
})
const resourceSchema = z.object({
  resource: z.string(),
  authorization_servers: z.array(z.string()),
  bearer_methods_supported: z.array(z.string()),
  ...scopes,
})

export const oauthRows = {
  issueToken: {
    ...noInput,
    method: 'POST',
    path: '/oauth/token',
    body: tokenRequest,
    response: tokenSchema,
    isForm: true,
  },
  getJwks: { ...noInput, method: 'GET', path: '/.well-known/jwks.json', response: jwksSchema },
  getAuthorizationServer: {
    ...noInput,
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    response: serverSchema,
  },
  getOpenIdConfiguration: {
    ...noInput,
    method: 'GET',
    path: '/.well-known/openid-configuration',
    response: openIdSchema,
  },
  getProtectedResource: {
    ...noInput,
    method: 'GET',
    path: '/.well-known/oauth-protected-resource',
    response: resourceSchema,
  },
} satisfies EndpointRows

export function oauthHandlers(parts: OAuthParts): Handlers<typeof oauthRows> {
  const { signingKeys, documents } = parts
  const issueToken = createIssueToken(parts)
  return {
    issueToken: ({ body }, { headers }) => issueToken(body, headers.authorization),
    getJwks: async () => json(200, (await signingKeys.jwks()) satisfies z.input<typeof jwksSchema>, cached),
    getAuthorizationServer: () => json(200, documents.authorizationServer(), cached),
    getOpenIdConfiguration: () => json(200, documents.openIdConfiguration(), cached),
    getProtectedResource: () => json(200, documents.protectedResource(), cached),
  }
}

/** Half as long as a new key is published before it signs. */
const cached = { 'cache-control': 'public, max-age=300' }
