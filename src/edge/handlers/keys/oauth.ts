import { z } from 'zod'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { json } from '../../../core/reply.ts'
import { publicJwkSchema } from '../../../doors/keys/signing-key.ts'
import type { SigningKeys } from '../../../doors/keys/signing-keys.ts'
import { createDocument } from '../document.ts'
import { createIssueToken, type TokenParts, tokenRequest, tokenSchema } from './token.ts'

/** Access tokens for API keys: where they are issued, and the documents that say so to OAuth libraries. */

export interface OAuthParts extends TokenParts {
  readonly signingKeys: Pick<SigningKeys, 'jwks' | 'rotate'>
  /** The catalog in use. */
  readonly catalog: () => object
  readonly documents: OAuthDocuments
}

/** The metadata, each as the catalog in use has it. */
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
  const { signingKeys, catalog, documents } = parts
  const issueToken = createIssueToken(parts)
  const document = (describe: () => object) => createDocument(catalog, () => json(200, describe(), cached))
  const authorizationServer = document(documents.authorizationServer)
  const openIdConfiguration = document(documents.openIdConfiguration)
  const protectedResource = document(documents.protectedResource)
  return {
    issueToken: ({ body }, { headers }) => issueToken(body, headers.authorization),
    getJwks: async () => json(200, (await signingKeys.jwks()) satisfies z.input<typeof jwksSchema>, cached),
    getAuthorizationServer: (_input, { headers }) => authorizationServer(headers),
    getOpenIdConfiguration: (_input, { headers }) => openIdConfiguration(headers),
    getProtectedResource: (_input, { headers }) => protectedResource(headers),
  }
}

/** Half as long as a new key is published before it signs. */
const cached = { 'cache-control': 'public, max-age=300' }
