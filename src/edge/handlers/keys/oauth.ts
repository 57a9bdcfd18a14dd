import { z } from 'zod'
import type { OperationDocs } from '../../../core/documented/operation-docs.ts'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { json } from '../../../core/reply.ts'
import { publicJwkSchema } from '../../../doors/keys/signing-key.ts'
import type { SigningKeys } from '../../../doors/keys/signing-keys.ts'
import { createDocument, tagged } from '../document.ts'
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
  authorization_endpoint: z.string(),
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

function metadata(summary: string, details: string): OperationDocs {
  return { summary, details, tag: 'discovery', errors: [], example: {} }
}

export const oauthRows = {
  issueToken: {
    ...noInput,
    method: 'POST',
    path: '/oauth/token',
    body: tokenRequest,
    response: tokenSchema,
    isForm: true,
    docs: {
      summary: 'Get an access token',
      details:
        'Send the id of the key and the key itself by HTTP Basic, or as client_id and client_secret. Errors have the form of RFC 6749.',
      tag: 'keys',
      errors: ['VALIDATION_ERROR', 'API_KEY_REQUIRED', 'QUOTAS_UNAVAILABLE'],
      example: {
        body: { grant_type: 'client_credentials', client_id: 'aB3dE6gH9jK2mN5p', client_secret: 'tgk_…' },
        reply: {
          access_token: 'eyJhbGciOiJSUzI1NiJ9.…',
          token_type: 'Bearer',
          expires_in: 3600,
          scope: 'triggerScan listScans',
        },
      },
    },
  },
  getJwks: {
    ...noInput,
    method: 'GET',
    path: '/.well-known/jwks.json',
    response: jwksSchema,
    docs: {
      summary: 'Read the keys of our access tokens',
      details: '',
      tag: 'keys',
      errors: ['QUOTAS_UNAVAILABLE'],
      example: {},
    },
  },
  getAuthorizationServer: {
    ...noInput,
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    response: serverSchema,
    docs: metadata('Find the authorization server', 'RFC 8414.'),
  },
  getOpenIdConfiguration: {
    ...noInput,
    method: 'GET',
    path: '/.well-known/openid-configuration',
    response: openIdSchema,
    docs: metadata('Find the OpenID configuration', 'No ID tokens are issued.'),
  },
  getProtectedResource: {
    ...noInput,
    method: 'GET',
    path: '/.well-known/oauth-protected-resource',
    response: resourceSchema,
    docs: metadata('Find whose access tokens are taken', 'RFC 9728.'),
  },
} satisfies EndpointRows

export function oauthHandlers(parts: OAuthParts): Handlers<typeof oauthRows> {
  const { signingKeys, catalog, documents } = parts
  const issueToken = createIssueToken(parts)
  const serve = (describe: () => object) => ({
    document: createDocument(catalog, () => json(200, describe(), cached)),
  })
  return {
    issueToken: ({ body }, { headers }) => issueToken(body, headers.authorization),
    getJwks: async (_, { headers }) =>
      tagged(json(200, (await signingKeys.jwks()) satisfies z.input<typeof jwksSchema>, cached), headers),
    getAuthorizationServer: serve(documents.authorizationServer),
    getOpenIdConfiguration: serve(documents.openIdConfiguration),
    getProtectedResource: serve(documents.protectedResource),
  }
}

/** Half as long as a new key is published before it signs. */
const cached = { 'cache-control': 'public, max-age=300' }
